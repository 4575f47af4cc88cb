// SPDX-License-Identifier: Apache-2.0
// Finds an assignment without forbidden pairs, or names the facilities that have too few locations.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "problems/qap/instances/fixed_assignments.hpp"

namespace qapfw::qap {

/// An assignment of n facilities to n locations that keeps the fixed pairs and has no forbidden pairs, by Hopcroft and
/// Karp (1973). `forbidden` has n x n bytes, or is empty. Throws Error(kInput), whose message begins with `source`, for
/// a fixed pair that is forbidden. Also throws if no assignment exists. The message then names k facilities that
/// together have fewer than k possible locations (Hall, 1935). If `start` is given, a facility keeps its location in
/// `start` if that is allowed, unless a facility without a location must displace it. `first`: number of the first
/// facility and location in messages. O(n^2.5).
std::vector<uint16_t> feasible_assignment(const std::vector<uint8_t>& forbidden, uint32_t n,
                                          const FixedAssignments& fixed, const std::string& source,
                                          std::span<const uint16_t> start = {}, uint32_t first = 1);

}  // namespace qapfw::qap
