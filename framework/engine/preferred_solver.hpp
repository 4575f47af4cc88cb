// SPDX-License-Identifier: Apache-2.0
// Instances may say which solver suits them.
#pragma once

#include "framework/config/config.hpp"
#include "framework/problem/problem.hpp"

namespace qapfw::framework {

/// Gives "auto" parameters of the problem the values that it names for runs without an algorithm
/// (qapfw_problem_defaults), where the configuration names none or
/// the solver that goes with them. To be called before the problem is created.
void take_defaults_without_algorithm(Config& config);

/// Chooses the solver that the problem prefers (qapfw_problem_preference) where the configuration names none and the
/// solver is loaded. Returns whether it did.
bool choose_preferred_solver(Config& config, const Problem& problem);

/// Whether the default algorithm is better off without GPUs: it anneals solutions of values whose moves the problem
/// tells, and annealing has no device code. On an H100 its descents ended 3 to 4 % above the annealing of one host.
bool is_best_on_cpu(const Config& config, const Problem& problem);

}  // namespace qapfw::framework
