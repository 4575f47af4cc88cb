// SPDX-License-Identifier: Apache-2.0
// Simulated annealing of a generalised quadratic assignment problem, as one writes it for one's own data: each move's
// delta is summed up in O(items). What the framework's searches are compared with.
#pragma once

#include <cstdint>

#include "problems/gqap/instance.hpp"

namespace qapfw::bench {

/// The least cost of an assignment that keeps all capacities, after `seconds` seconds of one thread; the greatest int64
/// where none was found.
std::int64_t anneal_gqap(const gqap::Instance& instance, double seconds, std::uint64_t seed);

}  // namespace qapfw::bench
