// SPDX-License-Identifier: Apache-2.0
// Matrices as people keep them: tables of a spreadsheet, lists of edges, lists of points, and the sparse formats METIS
// and MatrixMarket.
//
// A table is a matrix of numbers, which is square except for linear costs and forbidden pairs. Cells are separated by
// semicolons, tabs, bars or commas (the first in this order that occurs), else by blanks. A first row and a first
// column may hold names; in a square table both hold the same names, in any order. Cells may be quoted. Decimals have a
// point. A comma may stand instead in quoted cells, or in all cells if commas do not separate cells. Lines that begin
// with # or // are comments. Empty lines, and empty cells at the end of every row, are skipped.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "problems/qap/instances/matrix_entry.hpp"

namespace qapfw::qap {

/// A text, and its name in messages.
struct NamedText {
    std::string_view text;
    std::string source;
};

/// The rule by which points become distances.
enum class Metric { kAuto, kEuclidean, kManhattan, kChebyshev, kHaversine };
inline constexpr const char* kMetricChoices = "automatic|euclidean|manhattan|chebyshev|haversine";

/// A square matrix, the names that its rows and columns have in common (no names if the text has none), and points if
/// the text lists them.
struct LabelledMatrix {
    NumberMatrix matrix;
    std::vector<std::string> names;
    /// Coordinates on a map, if the text is a list of points in two dimensions.
    std::vector<std::array<double, 2>> points = {};
};

/// Reads two texts. The first has the flows between facilities: a table, a list of edges `from,to,flow`, METIS or
/// MatrixMarket. The second has the distances between locations: the same forms, or a list of points `name,x,y[,z]`.
/// The number of facilities must not exceed the number of locations. `metric` says how points become distances; kAuto:
/// haversine if the list has columns lat and lon, else euclidean. In a table, a wrong number of cells is reported only
/// if all cells are numbers.
ReadMatrices read_csv_pair(const NamedText& a, const NamedText& b, Metric metric = Metric::kAuto);

/// Reads one text with both tables: matrix A, then matrix B. Matrix A has as many rows as columns, so its number of
/// columns tells where matrix B begins. Each matrix may have names.
ReadMatrices read_csv_stacked(const NamedText& both);

/// Reads a table with a row for each facility and a column for each location. If the table and the instance have names,
/// rows and columns are put into the instance's order. Otherwise the table must be in that order.
NumberMatrix read_csv_rectangle(const NamedText& table, const std::vector<std::string>& facilities,
                                const std::vector<std::string>& locations, uint32_t facility_count,
                                uint32_t location_count, MatrixId id);

}  // namespace qapfw::qap
