// SPDX-License-Identifier: Apache-2.0
// Proves that an assignment without forbidden pairs exists, or names the facilities that have too few locations.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "problems/qap/instances/fixed_assignments.hpp"

namespace qapfw::qap {

/// An assignment of n facilities to n locations without forbidden pairs and with the fixed ones, by Hopcroft and Karp
/// (1973). `forbidden` has n x n bytes, or is empty. Throws Error(kInput), which begins with `source`, for a fixed pair
/// that is forbidden. It also throws if no assignment exists; the message names facilities that have fewer locations
/// between them than they are (a set of Hall, 1935). Facilities keep their location of `start`, where that is given and
/// allowed, but for the shortest chains of exchanges that the others need. `first`: the number of the first facility
/// and location in messages. O(n^2.5).
std::vector<uint16_t> feasible_assignment(const std::vector<uint8_t>& forbidden, uint32_t n,
                                          const FixedAssignments& fixed, const std::string& source,
                                          std::span<const uint16_t> start = {}, uint32_t first = 1);

}  // namespace qapfw::qap
