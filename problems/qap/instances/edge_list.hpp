// SPDX-License-Identifier: Apache-2.0
// Flows or distances as a list of edges: a header such as `from,to,flow`, then a row for each nonzero pair.
#pragma once

#include <optional>

#include "problems/qap/instances/csv_reader.hpp"
#include "problems/qap/instances/table_text.hpp"

namespace qapfw::qap {

/// True if the table has a header of three cells, and rows below it. The header's first cell is "from" or a synonym
/// such as "source". The second is "to" or a synonym such as "target". The third is not a number.
bool is_edge_list(const TableText& table);

/// The matrix of a list of edges. Names are in the order in which they first occur; if all names are whole numbers, in
/// numerical order. Nothing if the table is no list of edges.
std::optional<LabelledMatrix> read_edges(const TableText& table, MatrixId id);

}  // namespace qapfw::qap
