// SPDX-License-Identifier: Apache-2.0
// Reads mappings in the forms that people and other tools use.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "problems/sparse_qap/graphs/graph.hpp"
#include "problems/sparse_qap/targets/target.hpp"

namespace qapfw::sparse {

/// Reads a mapping in one of four forms. First: a line for each vertex with its location, counted from 0. Second:
/// Scotch's .map, which is a line "n" and then lines "vertex location", both counted from 0. Third: CSV lines
/// "vertex,location" as in assignment.csv, with names or, if there are no names, numbers counted from 1. Fourth:
/// QAPLIB's line "n cost", then n locations counted from 1. Returns a location for each vertex and dummy. Throws
/// Error(kInput) that says what is wrong.
std::vector<std::uint32_t> read_locations(std::string_view text, const Graph& graph, const Target& target);

}  // namespace qapfw::sparse
