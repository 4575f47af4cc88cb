// SPDX-License-Identifier: Apache-2.0
// The ids of the default solvers. A configuration without [algorithm] gets one of them at first. choose_solver() may
// replace this solver by one that suits the problem better.
#pragma once

namespace qapfw::framework {

inline constexpr const char* kDefaultSolver = "memetic";
/// The default solver for problems that propose swaps themselves (qapfw/abi/sampled_neighbourhood.h).
inline constexpr const char* kDefaultSampler = "mapping";

}  // namespace qapfw::framework
