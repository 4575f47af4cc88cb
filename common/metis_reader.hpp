// SPDX-License-Identifier: Apache-2.0
// Reads graphs in the format of METIS: "vertices edges [fmt [weights]]", then a line for each vertex.
#pragma once

#include <cstdint>
#include <vector>

#include "common/sparse_graph.hpp"
#include "common/text_cursor.hpp"

namespace qapfw::common {

struct MetisGraph {
    RawGraph edges;  ///< the file lists each edge at both ends; `make_graph` checks this
    /// Weights of the vertices, `weights_each` per vertex, one vertex after the other; empty: the file has none.
    std::vector<std::int64_t> weights;
    std::uint32_t weights_each = 1;
};

/// Reads a graph of at most `most_vertices` vertices. Reserves memory for no more numbers than the rest of the text can
/// hold. Throws Error(kInput) that names the line.
MetisGraph read_metis(TextCursor& text, std::int64_t most_vertices);

/// Reads the weight of an edge. Throws Error(kInput) if the weight is negative.
std::int64_t edge_weight(TextCursor& text);

}  // namespace qapfw::common
