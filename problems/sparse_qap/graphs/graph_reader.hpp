// SPDX-License-Identifier: Apache-2.0
// Reads sparse graphs: METIS, Scotch, MatrixMarket, lists of edges, and tables with many zeros. A header gives counts
// of vertices and edges. Memory for these counts is allocated only if the file is long enough to hold so many.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "common/text_cursor.hpp"
#include "problems/sparse_qap/graphs/graph.hpp"

namespace qapfw::sparse {

using common::TextCursor;

enum class GraphFormat { kMetis, kScotch, kMatrixMarket, kEdgeList, kTable, kUnknown };

/// Finds the format of a graph file by the ending of its name or by its first lines.
GraphFormat graph_format(const std::filesystem::path& path, std::string_view head);
/// True if the first three lines of a text are a list of edges: each has two cells, or three of which the third is a
/// number. The first line may be a header.
bool has_edges(std::string_view head);
/// The format in words, such as "a METIS graph", for messages.
const char* name_of(GraphFormat format);

/// Graphs with more vertices are refused, since vertex numbers must fit 31 bits.
inline constexpr std::int64_t kMostVertices = (std::int64_t{1} << 31) - 1;

/// The graph with remarks for the log, such as the number of loops that were left out.
struct ReadGraph {
    Graph graph;
    std::vector<std::string> remarks;
};
/// Reads a graph from a file. With `directed` each line of a list of edges is a flow in one direction; else the line is
/// a flow in both directions.
ReadGraph read_graph(const std::filesystem::path& path, bool directed);
/// Reads a graph from a text.
ReadGraph read_graph_text(std::string_view text, const std::string& source, GraphFormat format, bool directed);

RawGraph read_metis(TextCursor& text, std::vector<std::string>& remarks);
RawGraph read_scotch(TextCursor& text, std::vector<std::string>& remarks);
RawGraph read_matrix_market(TextCursor& text);
RawGraph read_flow_table(TextCursor& text);
RawGraph read_edge_list(TextCursor& text, bool directed, std::vector<std::string>& remarks);

}  // namespace qapfw::sparse
