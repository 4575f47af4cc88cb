// SPDX-License-Identifier: Apache-2.0
// Reads instances: the format of Cordeau et al. (2006) with names added, OR-Library's generalised assignment problems,
// and METIS graphs to cut into parts. Throws Error(kInput) with file and line if an instance is wrong.
#pragma once

#include <string>
#include <string_view>

#include "problems/gqap/instance.hpp"

namespace qapfw::gqap {

/// Reads "n m v", flows n x n, distances m x m, assignment costs n x m, weights n, capacities m; all flows are
/// multiplied by v. If weights and capacities are missing, there are no capacities (QSAP). If weights are n x m, an
/// item's weight depends on its location. Further lines may follow: "items NAME, ...", "locations NAME, ...", "fixed
/// ITEM = LOCATION, ...". A line "maximise" makes flows and assignment costs profits.
Instance read_gqap(std::string_view text, const std::string& source, const sdk::StopQuestion& stop = {});
/// The text of an instance in the format that read_gqap reads.
std::string gqap_text(const Instance& instance);

/// Reads problem `number`, counted from 1, of a file of OR-Library: "P", then for each of the P problems "m n", costs
/// m x n, weights m x n, capacities m.
Instance read_gap(std::string_view text, const std::string& source, std::int64_t number, bool maximise,
                  const sdk::StopQuestion& stop = {});

/// Reads a METIS graph that is to be cut into `parts` parts. A part may weigh at most graph_capacity, or as much as the
/// heaviest vertex if that is more. Each edge between two parts costs its weight.
Instance read_graph(std::string_view text, const std::string& source, std::int64_t parts, double imbalance,
                    const sdk::StopQuestion& stop = {});
/// The largest weight of a part: (1 + imbalance) times the average weight of a part, rounded down. The average itself
/// is rounded up first. The imbalance counts as a decimal number: 0.03 is exactly 3/100.
std::int64_t graph_capacity(std::int64_t weight, std::int64_t parts, double imbalance);

/// Reads "ITEM,LOCATION" lines (see pair_lines.hpp) into the instance's `fixed`. ITEM and LOCATION are names, or
/// numbers from 1. A first line that begins with "item" or "facility" is a header, unless an item has this name.
void read_fixed(Instance& instance, std::string_view text, const std::string& source);

}  // namespace qapfw::gqap
