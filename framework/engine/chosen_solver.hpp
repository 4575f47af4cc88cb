// SPDX-License-Identifier: Apache-2.0
// The solver of a run whose configuration names none: small instances get the one that proves its answer, and problems
// may name the one that suits them.
#pragma once

#include "framework/config/config.hpp"
#include "framework/problem/problem.hpp"

namespace qapfw::framework {

/// Gives "auto" parameters of the problem the values that it names for runs without an algorithm
/// (qapfw_problem_defaults), where the configuration names none or the solver that goes with them. To be called before
/// the problem is created.
void take_defaults_without_algorithm(Config& config);

/// Chooses where the configuration names no solver: "exact" where the run is to end at the optimum and so few positions
/// are free that the proof takes about a second, unless `is_shared` (by several processes); else the loaded solver that
/// the problem prefers (qapfw_problem_preference). Tells what the user would not expect.
void choose_solver(Config& config, const Problem& problem, bool is_shared);

}  // namespace qapfw::framework
