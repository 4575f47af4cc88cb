// SPDX-License-Identifier: Apache-2.0
// Simulated annealing of a generalised quadratic assignment problem, written as a user would write it for one instance.
// The delta of each move is computed in O(items). The framework's searches are compared with it.
#pragma once

#include <cstdint>

#include "problems/gqap/instance.hpp"

namespace qapfw::bench {

/// Returns the least cost of an assignment that keeps all capacities, found in `seconds` seconds on one thread. The
/// greatest int64 if none was found.
std::int64_t anneal_gqap(const gqap::Instance& instance, double seconds, std::uint64_t seed);

}  // namespace qapfw::bench
