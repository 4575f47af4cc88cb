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
/// Behind them lines "items NAME, ...", "locations NAME, ...", "fixed ITEM = LOCATION, ..." and a line
/// "maximise": the flows and assignment costs are worths.
Instance read_gqap(std::string_view text, const std::string& source, const sdk::StopQuestion& stop = {});
/// The same instance as such a text.
std::string gqap_text(const Instance& instance);

/// Problem `number`, from 1, of a file of OR-Library: "P", then for each "m n", costs m x n, weights m x n, capacities
/// m.
Instance read_gap(std::string_view text, const std::string& source, std::int64_t number, bool maximise,
                  const sdk::StopQuestion& stop = {});

/// A METIS graph whose vertices go to `parts` parts. Each may weigh as graph_capacity has it, or as much as the
/// heaviest vertex; each edge between two parts costs its weight.
Instance read_graph(std::string_view text, const std::string& source, std::int64_t parts, double imbalance,
                    const sdk::StopQuestion& stop = {});
/// The whole part of (1 + imbalance) times the average, which is rounded up before. The imbalance is the decimal number
/// that was written.
std::int64_t graph_capacity(std::int64_t weight, std::int64_t parts, double imbalance);

/// Takes "ITEM,LOCATION" lines, see pair_lines.hpp, by name or number from 1, into the instance's `fixed`; a line
/// "item,location" is a head.
void read_fixed(Instance& instance, std::string_view text, const std::string& source);

}  // namespace qapfw::gqap
