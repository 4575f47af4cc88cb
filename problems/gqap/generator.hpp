// SPDX-License-Identifier: Apache-2.0
// Instances that are made on the spot: "gqap:30x8:65:1" has 30 items that fill 65 % of 8 locations; 1 is the seed.
#pragma once

#include <optional>
#include <string>

#include "problems/gqap/instance.hpp"

namespace qapfw::gqap {

/// True if a name has the form of one; what is wrong with its numbers is reported by `generate`.
bool is_generated(const std::string& name);
/// Half of the pairs have flows of 1 to 100, locations are points of a square of 100 x 100 with rounded distances,
/// assignment costs go to 100 times the number of items, and weights are 1 to 100. An assignment is drawn, and the
/// capacities are such that it fills them to that percentage. Throws Error(kInput) where a number is out of range.
Instance generate(const std::string& name);
/// A best known value of the instances of Cordeau et al. (2006), which are called as their sizes.
std::optional<std::int64_t> best_known(const Instance& instance);

}  // namespace qapfw::gqap
