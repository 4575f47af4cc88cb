// SPDX-License-Identifier: Apache-2.0
// Writes graphs as METIS, Scotch or MatrixMarket files, or as lists of edges.
#pragma once

#include <string>

#include "problems/sparse_qap/graphs/graph.hpp"
#include "problems/sparse_qap/graphs/graph_reader.hpp"

namespace qapfw::sparse {

/// The ending of file names in this format: ".graph", ".grf", ".mtx" or ".csv".
const char* ending_of(GraphFormat format);
/// Returns the text of the file. Throws Error(kUsage) if the flows of a pair differ in the two directions: the graph
/// keeps only their sum.
std::string graph_text(const Graph& graph, GraphFormat format);

}  // namespace qapfw::sparse
