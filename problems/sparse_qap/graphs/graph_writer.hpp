// SPDX-License-Identifier: Apache-2.0
// Graphs as files of the formats that are read.
#pragma once

#include <string>

#include "problems/sparse_qap/graphs/graph.hpp"
#include "problems/sparse_qap/graphs/graph_reader.hpp"

namespace qapfw::sparse {

/// ".graph", ".grf", ".mtx" or ".csv".
const char* ending_of(GraphFormat format);
/// The whole file. Throws Error(kUsage) where flows there and back differ: the graph keeps their sums alone.
std::string graph_text(const Graph& graph, GraphFormat format);

}  // namespace qapfw::sparse
