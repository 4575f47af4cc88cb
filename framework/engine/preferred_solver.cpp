// SPDX-License-Identifier: Apache-2.0
#include "framework/engine/preferred_solver.hpp"

#include <algorithm>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>

#include "framework/plugin/parameter_text.hpp"
#include "qapfw/abi/defaults.h"
#include "qapfw/abi/moves.h"
#include "qapfw/abi/preference.h"

namespace qapfw::framework {

void take_defaults_without_algorithm(Config& config) {
    const auto get = config.problem.component->descriptor->get_capability;
    if (get == nullptr) return;
    const auto* defaults = static_cast<const qapfw_problem_defaults*>(get(QAPFW_PROBLEM_DEFAULTS));
    if (defaults == nullptr) return;
    const bool is_named =
        defaults->solver != nullptr && config.algorithm.component->descriptor->id == std::string_view(defaults->solver);
    if (!config.has_default_algorithm && !is_named) return;
    const qapfw_component& component = *config.problem.component->descriptor;
    std::istringstream words(defaults->without_algorithm);
    for (std::string word; words >> word;) {
        const std::size_t equals = word.find('=');
        const std::string name = word.substr(0, equals), text = word.substr(equals + 1);
        const std::optional<std::uint32_t> index = find_parameter(component, name);
        if (!index || !config.problem.parameters.values()[*index].is_auto) continue;
        qapfw_value value{};
        value.type = QAPFW_PARAMETER_TEXT;
        value.present = 1;
        value.text = text.c_str();
        config.problem.parameters.resolve(name, value);
    }
}

bool choose_preferred_solver(Config& config, const Problem& problem) {
    if (!config.has_default_algorithm) return false;
    const auto* preference = static_cast<const qapfw_problem_preference*>(problem.capability(QAPFW_PROBLEM_PREFERENCE));
    if (preference == nullptr) return false;
    const char* wanted = preference->solver(problem.ref()->problem);
    if (wanted == nullptr) return false;
    const auto& components = config.registry->components();
    const auto found = std::find_if(components.begin(), components.end(), [&](const Component& component) {
        return component.descriptor->kind == QAPFW_KIND_SOLVER && component.descriptor->id == std::string_view(wanted);
    });
    if (found == components.end()) return false;
    config.algorithm = {&config.registry->find(QAPFW_KIND_SOLVER, wanted), ParameterValues(found->descriptor)};
    return true;
}

bool is_best_on_cpu(const Config& config, const Problem& problem) {
    if (!config.has_default_algorithm || problem.capability(QAPFW_PROBLEM_MOVES) == nullptr) return false;
    const qapfw_encoding& encoding = problem.info().encoding;
    return std::all_of(encoding.segments, encoding.segments + encoding.segment_count, [](const qapfw_segment& segment) {
        return segment.kind == QAPFW_SEGMENT_VALUES && segment.counts == nullptr;
    });
}

}  // namespace qapfw::framework
