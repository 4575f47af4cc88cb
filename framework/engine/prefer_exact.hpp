// SPDX-License-Identifier: Apache-2.0
// Small instances get the solver that proves its answer.
#pragma once

#include "framework/config/config.hpp"
#include "framework/problem/problem.hpp"

namespace qapfw::framework {

/// Positions of segment 0 that are not fixed.
std::uint32_t free_count(const qapfw_encoding& encoding);

/// Whether the instance has only one solution.
bool has_one_solution(const qapfw_encoding& encoding);

/// Chooses the solver "exact" where the configuration names none, the run is to end at the optimum, and so few
/// positions are free that the proof takes about a second. Returns whether it did.
bool prefer_exact(Config& config, const Problem& problem);

}  // namespace qapfw::framework
