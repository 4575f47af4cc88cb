// SPDX-License-Identifier: Apache-2.0
// Reads mappings in the forms that people and other tools use.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "problems/sparse_qap/graphs/graph.hpp"
#include "problems/sparse_qap/targets/target.hpp"

namespace qapfw::sparse {

/// Reads a mapping in one of four forms. First: one location a line, from 0, in the vertices' order. Second: Scotch's
/// .map ("n", then a line "vertex location" each). Third: CSV lines "vertex,location" by name, or by number from 1 if
/// there are no names, as in assignment.csv. Fourth: QAPLIB's "n cost", then n locations from 1. Returns a location for
/// each vertex and dummy. Throws Error(kInput) that says what is wrong.
std::vector<std::uint32_t> read_locations(std::string_view text, const Graph& graph, const Target& target);

}  // namespace qapfw::sparse
