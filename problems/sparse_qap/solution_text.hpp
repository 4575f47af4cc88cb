// SPDX-License-Identifier: Apache-2.0
// Reads mappings in the forms that people and other tools use.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "problems/sparse_qap/graphs/graph.hpp"
#include "problems/sparse_qap/targets/target.hpp"

namespace qapfw::sparse {

/// Reads "location" a line in the vertices' order, counted from 0; Scotch's .map ("n", then "vertex location" a line);
/// and CSV "vertex,location" by name or number counted from 1, as assignment.csv has it. Returns a location for each
/// vertex and dummy. Throws Error(kInput) that says what is wrong.
std::vector<std::uint32_t> read_locations(std::string_view text, const Graph& graph, const Target& target);

}  // namespace qapfw::sparse
