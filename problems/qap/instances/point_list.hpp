// SPDX-License-Identifier: Apache-2.0
// Distances as a list of points: `name,x,y` or `name,x,y,z`, or columns `lat` and `lon`.
#pragma once

#include <optional>

#include "problems/qap/instances/csv_reader.hpp"
#include "problems/qap/instances/table_text.hpp"

namespace qapfw::qap {

/// True if the first row has the words x and y, or lat and lon (or latitude, longitude, lng, long), in any order, and
/// further rows follow. False for a matrix whose first column repeats the first row.
bool is_point_list(const TableText& table);

/// Returns the distances between the points; nothing if the table is no list of points. If the metric is not kAuto, the
/// list needs no header. The rows of a list without a header are `name,x,y[,z]` or `x,y[,z]`. Metric::kHaversine takes
/// degrees and gives kilometres.
std::optional<LabelledMatrix> read_points(const TableText& table, Metric metric);

}  // namespace qapfw::qap
