// SPDX-License-Identifier: Apache-2.0
#include "framework/engine/chosen_solver.hpp"

#include <algorithm>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>

#include "framework/host/log.hpp"
#include "framework/plugin/parameter_text.hpp"
#include "qapfw/abi/bounds.h"
#include "qapfw/abi/defaults.h"
#include "qapfw/abi/moves.h"
#include "qapfw/abi/preference.h"

namespace qapfw::framework {
namespace {

/// Number of free positions up to which the solver "exact" is chosen. For the hardest instances with 12 free positions,
/// its proof takes half a second on one core.
constexpr std::uint32_t kMostFree = 12;

/// Uses the solver `id` if it is loaded; returns whether it is.
bool take_solver(Config& config, const char* id) {
    const Component* const found = id == nullptr ? nullptr : config.registry->find_loaded(QAPFW_KIND_SOLVER, id);
    if (found != nullptr) config.algorithm = {found, ParameterValues(found->descriptor)};
    return found != nullptr;
}

bool is_proven_soon(const Config& config, const Problem& problem) {
    return config.run.stop_at_optimum.value_or(false) && config.device.backend != "cuda" &&
           problem.capability(QAPFW_PROBLEM_BOUNDS) != nullptr && free_count(problem.info().encoding) <= kMostFree;
}

/// True if the default algorithm finds better solutions without GPUs. This is so if solutions consist of values only,
/// without counts, and the problem computes deltas of moves. For such problems the default arms of `memetic` anneal on
/// the CPU, but on GPUs they use 2-opt and tabu search. Measured: annealing on one host ended with the lower costs. The
/// costs of 2-opt and tabu search on an H100 were 3 to 4 % higher.
bool is_best_on_cpu(const Problem& problem) {
    if (problem.capability(QAPFW_PROBLEM_MOVES) == nullptr) return false;
    const qapfw_encoding& encoding = problem.info().encoding;
    return std::all_of(encoding.segments, encoding.segments + encoding.segment_count, [](const qapfw_segment& segment) {
        return segment.kind == QAPFW_SEGMENT_VALUES && segment.counts == nullptr;
    });
}

}  // namespace

void take_defaults_without_algorithm(Config& config) {
    const qapfw_component& component = *config.problem.component->descriptor;
    if (component.get_capability == nullptr) return;
    const auto* defaults = static_cast<const qapfw_problem_defaults*>(component.get_capability(QAPFW_PROBLEM_DEFAULTS));
    if (defaults == nullptr) return;
    const bool is_named =
        defaults->solver != nullptr && config.algorithm.component->descriptor->id == std::string_view(defaults->solver);
    if (!config.has_default_algorithm && !is_named) return;
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

void choose_solver(Config& config, const Problem& problem, bool is_shared) {
    if (!config.has_default_algorithm) return;
    if (!is_shared && is_proven_soon(config, problem) && take_solver(config, "exact")) {
        log_info("few positions are free, so branch and bound (exact) will prove that the answer is the best");
        return;
    }
    const auto* preference = static_cast<const qapfw_problem_preference*>(problem.capability(QAPFW_PROBLEM_PREFERENCE));
    if (preference != nullptr) take_solver(config, preference->solver(problem.ref()->problem));
    if (config.device.backend == "auto" && is_best_on_cpu(problem)) {
        log_info(
            "the run stays on the CPU: there the default search anneals, which suits this problem better than the "
            "descents that it uses on GPUs");
        config.device.backend = "cpu";
    }
}

}  // namespace qapfw::framework
