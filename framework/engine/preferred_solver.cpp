// SPDX-License-Identifier: Apache-2.0
#include "framework/engine/preferred_solver.hpp"

#include <algorithm>
#include <string_view>

#include "qapfw/abi/preference.h"

namespace qapfw::framework {

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

}  // namespace qapfw::framework
