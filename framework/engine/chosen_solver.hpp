// SPDX-License-Identifier: Apache-2.0
// Chooses the solver of a run whose configuration names none. If the configuration lets the run stop at an optimum, a
// small instance gets the solver that proves its answer. Otherwise the problem may name the solver that suits it.
#pragma once

#include "framework/config/config.hpp"
#include "framework/problem/problem.hpp"

namespace qapfw::framework {

/// Replaces "auto" parameters of the problem by the values that the problem's plugin gives in qapfw_problem_defaults.
/// This happens only if the configuration names no algorithm, or names the solver qapfw_problem_defaults::solver. Call
/// the function before the problem is created.
void take_defaults_without_algorithm(Config& config);

/// Chooses a solver if the configuration names none. "exact" is chosen if the problem has bounds and at most 12 free
/// positions. The run must also stop at the optimum, must not demand GPUs, and must not be split among processes
/// (`is_shared`). Otherwise the solver that the problem prefers is chosen (qapfw_problem_preference). A solver that is
/// not loaded is not chosen. If "exact" is not chosen and the CPU suits the problem better, sets backend "auto" to
/// "cpu". Logs the choice of "exact" and that of the CPU.
void choose_solver(Config& config, const Problem& problem, bool is_shared);

}  // namespace qapfw::framework
