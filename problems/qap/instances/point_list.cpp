// SPDX-License-Identifier: Apache-2.0
#include "problems/qap/instances/point_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <numbers>
#include <set>

namespace qapfw::qap {

namespace {

constexpr double kEarthRadius = 6371.0088;  // mean radius in km
constexpr std::size_t kNoPoint = ~std::size_t{0};

std::string small(std::string_view text) {
    std::string out;
    for (const char c : text) out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return out;
}

/// Indices of the cells in a row that hold the name and the coordinates.
struct Columns {
    std::size_t name = kNoPoint;
    std::vector<std::size_t> axes;  // the cells of x, y and perhaps z, or of latitude and longitude
    bool degrees = false;           // true: the header names latitude and longitude
    std::size_t count = 0;          // number of cells of a row
};

std::size_t find(const std::vector<Cell>& head, std::initializer_list<const char*> words) {
    for (const char* word : words) {
        for (std::size_t k = 0; k < head.size(); ++k) {
            if (small(head[k].text) == word) return k;
        }
    }
    return kNoPoint;
}

/// True if the first column repeats the first row. The table is then a matrix whose rows and columns have names. Even
/// if some of these names are x, y and z, the table has no coordinates.
bool repeats_header(const TableText& table, const std::vector<Cell>& head) {
    if (table.row_count() != head.size()) return false;
    for (std::size_t k = 1; k < head.size(); ++k) {
        if (table.cells(k).front().text != head[k].text) return false;
    }
    return true;
}

/// Finds the columns by the words of the first row. Returns nothing if these words name no coordinates, or if the table
/// is a matrix.
std::optional<Columns> by_header(const TableText& table) {
    const std::vector<Cell> head = table.cells(0);
    if (repeats_header(table, head)) return std::nullopt;
    Columns out;
    out.count = head.size();
    const std::size_t x = find(head, {"x"}), y = find(head, {"y"}), z = find(head, {"z"});
    const std::size_t lat = find(head, {"lat", "latitude"}), lon = find(head, {"lon", "lng", "long", "longitude"});
    if (x != kNoPoint && y != kNoPoint) {
        out.axes = {x, y};
        if (z != kNoPoint) out.axes.push_back(z);
    } else if (lat != kNoPoint && lon != kNoPoint) {
        out.axes = {lat, lon};
        out.degrees = true;
    } else {
        return std::nullopt;
    }
    for (std::size_t k = 0; k < head.size() && out.name == kNoPoint; ++k) {
        if (std::find(out.axes.begin(), out.axes.end(), k) == out.axes.end()) out.name = k;
    }
    return out;
}

Columns without_header(const TableText& table) {
    const auto& row = table.cells(0);
    Columns out;
    out.count = row.size();
    const bool named = row.size() == 4 || (row.size() == 3 && !table.is_number(row.front()));
    if (named) out.name = 0;
    if (row.size() < 2 || row.size() > 4 || (row.size() == 4 && table.is_number(row.front()))) {
        table.fail(
            row.front().at,
            fmt::format("a row x,y or x,y,z was wanted, or one with a name (no number) in front; this row has {} cells",
                        row.size()));
    }
    for (std::size_t k = named ? 1 : 0; k < row.size(); ++k) out.axes.push_back(k);
    return out;
}

double coordinate(const TableText& table, const Cell& cell, std::string& storage) {
    if (!table.is_number(cell)) table.fail_no_number(cell);
    std::string_view text = table.number_text(cell, storage);
    if (text.front() == '+') text.remove_prefix(1);
    double value = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    constexpr double kFarthest = 1e150;
    if (read.ec != std::errc() || !(std::abs(value) <= kFarthest)) {
        table.fail(cell.at, fmt::format("{}: a coordinate from -1e150 to 1e150 was wanted, found {}",
                                        TableText::name_of(cell), quote_token(cell.text)));
    }
    return value;
}

double haversine(const std::array<double, 3>& p, const std::array<double, 3>& q) {
    constexpr double kRadian = std::numbers::pi / 180;
    const double lat = std::sin((q[0] - p[0]) * kRadian / 2), lon = std::sin((q[1] - p[1]) * kRadian / 2);
    const double h = lat * lat + std::cos(p[0] * kRadian) * std::cos(q[0] * kRadian) * lon * lon;
    return 2 * kEarthRadius * std::asin(std::sqrt(std::min(1.0, h)));
}

double distance(const std::array<double, 3>& p, const std::array<double, 3>& q, Metric metric) {
    const double x = std::abs(p[0] - q[0]), y = std::abs(p[1] - q[1]), z = std::abs(p[2] - q[2]);
    switch (metric) {
        case Metric::kManhattan:
            return x + y + z;
        case Metric::kChebyshev:
            return std::max({x, y, z});
        case Metric::kHaversine:
            return haversine(p, q);
        default:
            return std::hypot(x, y, z);
    }
}

/// Returns x and y of the points on a map. `degrees`: the points are latitudes and longitudes. Then x is the longitude
/// times the cosine of the mean latitude, and y is the latitude.
std::vector<std::array<double, 2>> on_a_map(const std::vector<std::array<double, 3>>& points, bool degrees) {
    std::vector<std::array<double, 2>> out;
    double middle = 0;
    for (const std::array<double, 3>& point : points) middle += point[0] / static_cast<double>(points.size());
    const double narrower = std::cos(middle * std::numbers::pi / 180);
    for (const std::array<double, 3>& point : points) {
        if (degrees) {
            out.push_back({point[1] * narrower, point[0]});
        } else {
            out.push_back({point[0], point[1]});
        }
    }
    return out;
}

}  // namespace

bool is_point_list(const TableText& table) {
    return table.row_count() > 1 && by_header(table).has_value();
}

std::optional<LabelledMatrix> read_points(const TableText& table, Metric metric) {
    const std::optional<Columns> headed = by_header(table);
    if (!headed && metric == Metric::kAuto) return std::nullopt;
    // A square of numbers is a matrix, whatever the metric.
    const bool is_square = table.cells(0).size() == table.row_count() && table.is_number(table.cells(0).front());
    if (!headed && is_square) return std::nullopt;
    const Columns columns = headed ? *headed : without_header(table);
    if (metric == Metric::kAuto) metric = columns.degrees ? Metric::kHaversine : Metric::kEuclidean;
    if (metric == Metric::kHaversine && columns.axes.size() != 2)
        table.fail({}, "metric haversine wants two coordinates, latitude and longitude in degrees");
    const std::size_t first = headed ? 1 : 0;
    if (first == table.row_count()) table.fail(table.end_of(0), "points were wanted below this row");
    table.check_marks(first, table.row_count());
    LabelledMatrix out;
    std::vector<std::array<double, 3>> points;
    std::set<std::string> seen;
    std::string storage;
    for (std::size_t k = first; k < table.row_count(); ++k) {
        const auto& row = table.cells(k);
        if (row.size() != columns.count) {
            table.fail(row.front().at,
                       fmt::format("this row has {} cells, but the first row has {}", row.size(), columns.count));
        }
        std::array<double, 3> point{};
        for (std::size_t axis = 0; axis < columns.axes.size(); ++axis)
            point[axis] = coordinate(table, row[columns.axes[axis]], storage);
        if (metric == Metric::kHaversine && (std::abs(point[0]) > 90 || std::abs(point[1]) > 360)) {
            table.fail(row[columns.axes[0]].at,
                       "haversine wants degrees: a latitude from -90 to 90 and a longitude from -360 to 360");
        }
        points.push_back(point);
        if (columns.name == kNoPoint) continue;
        const Cell& cell = row[columns.name];
        std::string name(cell.text);
        if (name.empty() || !seen.insert(name).second) {
            table.fail(cell.at, fmt::format("{}: every point needs a name of its own, but {} is empty or already taken",
                                            TableText::name_of(cell), quote_token(name)));
        }
        out.names.push_back(std::move(name));
    }
    if (points.size() > kMaxSize)
        table.fail({}, fmt::format("{} points are listed; at most {} are possible", points.size(), kMaxSize));
    const auto size = static_cast<uint32_t>(points.size());
    if (columns.axes.size() == 2) out.points = on_a_map(points, metric == Metric::kHaversine);
    out.matrix = NumberMatrix(size, size);
    for (uint32_t i = 0; i < size; ++i) {
        for (uint32_t j = 0; j < size; ++j) {
            if (i != j) out.matrix.set(i, j, distance(points[i], points[j], metric));
        }
    }
    return out;
}

}  // namespace qapfw::qap
