// SPDX-License-Identifier: Apache-2.0
// Generated instances. "gqap:30x8:65:1" has 30 items that fill 65 % of 8 locations; 1 is the seed.
#pragma once

#include <optional>
#include <string>

#include "problems/gqap/instance.hpp"

namespace qapfw::gqap {

/// True if a name begins with "gqap:". `generate` reports wrong numbers in the name.
bool is_generated(const std::string& name);
/// Generates an instance. About half of the pairs have flows of 1 to 100. Locations are points of a square of 100 x 100
/// with rounded distances. Assignment costs are at most 100 times the number of items, weights 1 to 100. An assignment
/// is drawn, and capacities (at least 1) are set so that this assignment fills them to the given percentage. Throws
/// Error(kInput) if a number is out of range.
Instance generate(const std::string& name);
/// The best known value of an instance of Cordeau et al. (2006), looked up by the instance's name and sizes. Nothing
/// for other instances.
std::optional<std::int64_t> best_known(const Instance& instance);

}  // namespace qapfw::gqap
