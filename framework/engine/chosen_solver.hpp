// SPDX-License-Identifier: Apache-2.0
// Chooses the solver of a run whose configuration names none. Small instances get the solver that proves its answer. A
// problem may name the solver that suits it.
#pragma once

#include "framework/config/config.hpp"
#include "framework/problem/problem.hpp"

namespace qapfw::framework {

/// Replaces "auto" parameters of the problem by its values for runs without a named algorithm (qapfw_problem_defaults).
/// These also apply if the configuration names the one solver that they are for. Call it before creating the problem.
void take_defaults_without_algorithm(Config& config);

/// Chooses a solver if the configuration names none. "exact" is chosen under three conditions: the run stops at the
/// optimum, it is not split among processes (`is_shared`), and so few positions are free that the proof takes about a
/// second. Otherwise the loaded solver that the problem prefers (qapfw_problem_preference) is chosen. Logs a choice
/// that the user would not expect.
void choose_solver(Config& config, const Problem& problem, bool is_shared);

}  // namespace qapfw::framework
