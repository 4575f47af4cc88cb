// SPDX-License-Identifier: Apache-2.0
// The ids of the solvers that a configuration without [algorithm] gets.
#pragma once

namespace qapfw::framework {

inline constexpr const char* kDefaultSolver = "memetic";
/// The default solver for problems that propose swaps themselves (qapfw/abi/sampled_neighbourhood.h).
inline constexpr const char* kDefaultSampler = "mapping";

}  // namespace qapfw::framework
