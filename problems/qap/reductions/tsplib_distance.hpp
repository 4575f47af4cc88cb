// SPDX-License-Identifier: Apache-2.0
// TSPLIB's distances between points, with TSPLIB's rounding (TSPLIB 95, section 2).
#pragma once

#include <cstdint>
#include <string_view>

namespace qapfw::qap {

struct Point {
    double x = 0, y = 0, z = 0;
};

using PointDistance = int64_t (*)(Point, Point);

/// The greatest absolute value of a coordinate. It keeps all distances below 2^53, so that doubles hold them exactly.
inline constexpr double kMaxCoordinate = 1e12;

/// The distance function of an EDGE_WEIGHT_TYPE. Known types are EUC_2D, EUC_3D, CEIL_2D, MAN_2D, MAN_3D, MAX_2D,
/// MAX_3D, ATT and GEO. Null for every other type.
PointDistance point_distance(std::string_view type);

}  // namespace qapfw::qap
