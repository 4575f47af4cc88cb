// SPDX-License-Identifier: Apache-2.0
// Distances as TSPLIB 95 defines them in C, see tsplib_distance.hpp.
#include "problems/qap/reductions/tsplib_distance.hpp"

#include <algorithm>
#include <cmath>

namespace qapfw::qap {
namespace {

int64_t nearest_integer(double value) {
    return static_cast<int64_t>(value + 0.5);
}

double euclidean(Point a, Point b) {
    const double dx = a.x - b.x, dy = a.y - b.y;
    return std::sqrt(dx * dx + dy * dy);
}

int64_t euc_2d(Point a, Point b) {
    return nearest_integer(euclidean(a, b));
}

int64_t ceil_2d(Point a, Point b) {
    return static_cast<int64_t>(std::ceil(euclidean(a, b)));
}

int64_t man_2d(Point a, Point b) {
    return nearest_integer(std::abs(a.x - b.x) + std::abs(a.y - b.y));
}

int64_t max_2d(Point a, Point b) {
    return std::max(nearest_integer(std::abs(a.x - b.x)), nearest_integer(std::abs(a.y - b.y)));
}

int64_t euc_3d(Point a, Point b) {
    const double dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
    return nearest_integer(std::sqrt(dx * dx + dy * dy + dz * dz));
}

int64_t man_3d(Point a, Point b) {
    return nearest_integer(std::abs(a.x - b.x) + std::abs(a.y - b.y) + std::abs(a.z - b.z));
}

int64_t max_3d(Point a, Point b) {
    return std::max(max_2d(a, b), nearest_integer(std::abs(a.z - b.z)));
}

/// The pseudo-Euclidean distance of type ATT, rounded up.
int64_t att(Point a, Point b) {
    const double dx = a.x - b.x, dy = a.y - b.y;
    const double real = std::sqrt((dx * dx + dy * dy) / 10.0);
    const int64_t rounded = nearest_integer(real);
    return static_cast<double>(rounded) < real ? rounded + 1 : rounded;
}

/// Radians of DDD.MM (degrees and minutes), with TSPLIB's pi. The degrees are truncated, not rounded: TSPLIB's optima
/// require that.
double radians(double coordinate) {
    constexpr double kPi = 3.141592;
    const double degrees = std::trunc(coordinate);
    return kPi * (degrees + 5.0 * (coordinate - degrees) / 3.0) / 180.0;
}

/// Kilometres on TSPLIB's idealised sphere; x is the latitude, y the longitude.
int64_t geo(Point a, Point b) {
    constexpr double kRadius = 6378.388;
    const double q1 = std::cos(radians(a.y) - radians(b.y));
    const double q2 = std::cos(radians(a.x) - radians(b.x));
    const double q3 = std::cos(radians(a.x) + radians(b.x));
    const double cosine = std::clamp(0.5 * ((1.0 + q1) * q2 - (1.0 - q1) * q3), -1.0, 1.0);
    return static_cast<int64_t>(kRadius * std::acos(cosine) + 1.0);
}

}  // namespace

PointDistance point_distance(std::string_view type) {
    constexpr struct {
        std::string_view type;
        PointDistance distance;
    } kDistances[] = {{"EUC_2D", euc_2d}, {"CEIL_2D", ceil_2d}, {"MAN_2D", man_2d}, {"MAX_2D", max_2d}, {"ATT", att},
                      {"GEO", geo},       {"EUC_3D", euc_3d},   {"MAN_3D", man_3d}, {"MAX_3D", max_3d}};
    for (const auto& row : kDistances) {
        if (row.type == type) return row.distance;
    }
    return nullptr;
}

}  // namespace qapfw::qap
