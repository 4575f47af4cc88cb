// SPDX-License-Identifier: Apache-2.0
// Simulated annealing of a generalised quadratic assignment problem, written as a user would write it for one instance.
// The delta of each move is computed in O(items). The framework's searches are compared with it.
#pragma once

#include <cstdint>

#include "problems/gqap/instance.hpp"

namespace qapfw::bench {

/// Anneals for `seconds` seconds on one thread. Returns the least cost that it found for an assignment that keeps all
/// capacities. If there is no such assignment to start from, returns the greatest value of std::int64_t.
std::int64_t anneal_gqap(const gqap::Instance& instance, double seconds, std::uint64_t seed);

}  // namespace qapfw::bench
