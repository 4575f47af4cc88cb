// SPDX-License-Identifier: Apache-2.0
// The algorithm of a configuration that has no [algorithm], with its defaults.
#pragma once

namespace qapfw::framework {

inline constexpr const char* kDefaultSolver = "memetic";
/// Takes its place on GPUs for solutions of this form. It takes layouts too, but the default solver on a CPU finds
/// better ones.
inline constexpr const char* kDefaultSolverOnGpus = "tabu";
inline constexpr const char* kDefaultOnGpusFor = "permutation";

}  // namespace qapfw::framework
