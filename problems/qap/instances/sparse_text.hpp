// SPDX-License-Identifier: Apache-2.0
// Graphs and sparse matrices: METIS (a line "vertices edges [format]", then a line of neighbours for each vertex) and
// MatrixMarket (a line "%%MatrixMarket matrix ..."). Each text holds one of the two matrices of a QAP.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "problems/qap/instances/csv_reader.hpp"

namespace qapfw::qap {

/// Describes the text: "a METIS graph of 8 vertices and 15 edges", "a Scotch graph of ...", "a MatrixMarket matrix", "a
/// list of 3 edges between 4 nodes"; empty for other texts.
std::string sparse_text_description(std::string_view text);

/// The matrix of a METIS graph (entries are 1 or edge weights) or of MatrixMarket text; nothing for other texts.
std::optional<LabelledMatrix> read_sparse_text(const NamedText& named, MatrixId id);

}  // namespace qapfw::qap
