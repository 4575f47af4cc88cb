// SPDX-License-Identifier: Apache-2.0
// Reads instances: the format of Cordeau et al. (2006) with names added, OR-Library's generalised assignment problems,
// and METIS graphs that are to be cut into parts. Throws Error(kInput) with file and line where one is wrong.
#pragma once

#include <string>
#include <string_view>

#include "problems/gqap/instance.hpp"

namespace qapfw::gqap {

/// "n m v", flows n x n, distances m x m, assignment costs n x m, weights n, capacities m; v is what all flows are
/// multiplied by. Without the last two there are no capacities (QSAP); with n x m weights each location has its own.
/// Behind them lines "items NAME, ...", "locations NAME, ..." and "fixed ITEM = LOCATION, ...".
Instance read_gqap(std::string_view text, const std::string& source);
/// The same instance as such a text.
std::string gqap_text(const Instance& instance);

/// Problem `number`, from 1, of a file of OR-Library: "P", then for each "m n", costs m x n, weights m x n, capacities
/// m.
Instance read_gap(std::string_view text, const std::string& source, std::int64_t number, bool maximise);

/// A METIS graph whose vertices go to `parts` parts that weigh at most 1 + imbalance of the average, rounded up: each
/// edge between two parts costs its weight.
Instance read_graph(std::string_view text, const std::string& source, std::int64_t parts, double imbalance);

/// Takes "ITEM,LOCATION" lines, by name or number from 1, into the instance's `fixed`; a line "item,location" is a
/// head.
void read_fixed(Instance& instance, std::string_view text, const std::string& source);

}  // namespace qapfw::gqap
