// SPDX-License-Identifier: Apache-2.0
// Matrices as people keep them: tables of a spreadsheet, lists of edges, lists of points, and the sparse formats METIS
// and MatrixMarket.
//
// A table is a square matrix of numbers. Cells are separated by semicolons, tabs, bars or commas, the first of these
// that occurs, else by blanks. A first row and a first column may hold names, which must be the same in both; their
// order may differ. Cells may be quoted. Decimals have a point, or a comma where commas separate nothing. Lines that
// begin with # or // are comments; empty lines, and cells that end every row, are passed over.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "problems/qap/instances/matrix_entry.hpp"

namespace qapfw::qap {

/// A text and the name under which messages speak of it.
struct NamedText {
    std::string_view text;
    std::string source;
};

/// The rule by which points become distances.
enum class Metric { kAuto, kEuclidean, kManhattan, kChebyshev, kHaversine };
inline constexpr const char* kMetricChoices = "automatic|euclidean|manhattan|chebyshev|haversine";

/// A square matrix, and the names of its rows, which are those of its columns; no names where the text has none.
struct LabelledMatrix {
    NumberMatrix matrix;
    std::vector<std::string> names;
    std::vector<std::array<double, 2>> points = {};  ///< on a map, where the text is a list of points in two dimensions
};

/// Two texts: the flows between facilities (a table, a list of edges `from,to,flow`, METIS or MatrixMarket) and the
/// distances between locations (the same, or a list of points `name,x,y[,z]`), of which there are at least as many.
/// `metric` says how points become distances; automatic: `haversine` where they have columns lat and lon, else
/// `euclidean`. Fails at the first cell that is no number before it counts cells.
ReadMatrices read_csv_pair(const NamedText& a, const NamedText& b, Metric metric = Metric::kAuto);

/// One text with both tables: matrix A, whose columns say how many rows it has, then matrix B. Each may have names.
ReadMatrices read_csv_stacked(const NamedText& both);

/// A table of a row for each facility and a column for each location. Where it has names and the instance has some, it
/// is put into their order; else it must be in the instance's order.
NumberMatrix read_csv_rectangle(const NamedText& table, const std::vector<std::string>& facilities,
                                const std::vector<std::string>& locations, uint32_t facility_count,
                                uint32_t location_count, MatrixId id);

}  // namespace qapfw::qap
