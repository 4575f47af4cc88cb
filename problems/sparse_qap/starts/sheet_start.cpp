// SPDX-License-Identifier: Apache-2.0
// A start for a flat graph in a box of three dimensions. The box is seen as a thin sheet that lies in layers. In a grid
// the sheet is folded to and fro. In a torus the sheet is wound around in both directions. The graph is drawn in a
// plane, and the drawing is laid on the unrolled sheet.
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "problems/sparse_qap/starts/drawing.hpp"
#include "problems/sparse_qap/starts/starts.hpp"
#include "problems/sparse_qap/walk/sampled_walk.hpp"

namespace qapfw::sparse {
namespace {

/// Number of sheets that are tried.
constexpr std::size_t kSheets = 4;
/// Thicknesses of a sheet, in locations. kThickness usually gives the lowest cost. Sheets thinner than kThinnest or
/// thicker than kThickest are not tried.
constexpr double kThickness = 2.3, kThinnest = 1.2, kThickest = 5;

/// A way to turn a box into a sheet. The sheet is `first` times as long as the box along axes[0], and `second` times as
/// wide as the box along axes[1]. So first x second layers of the sheet lie above one another along axes[2].
struct Sheet {
    std::array<std::uint32_t, 3> axes;
    std::uint32_t first, second;
    /// Misfit of the sheet, at least 1; 1 is best. It is the ratio of thickness and kThickness, times the ratio of the
    /// sheet's shape and the drawing's shape. Each ratio is the larger number divided by the smaller one.
    double fault;
};

/// Position on the sheet.
struct OnSheet {
    float along[2];
};

double ratio(double a, double b) {
    return a > b ? a / b : b / a;
}

/// Returns sheets for a drawing of this width and height. The most promising ones come first.
std::vector<Sheet> sheets_for(const Target& target, double width, double height) {
    std::vector<Sheet> sheets;
    std::vector<std::array<std::uint32_t, 3>> known;
    std::array<std::uint32_t, 3> axes{0, 1, 2};
    do {
        const std::array<std::uint32_t, 3> sides{target.side(axes[0]), target.side(axes[1]), target.side(axes[2])};
        if (std::ranges::find(known, sides) != known.end()) continue;
        known.push_back(sides);
        for (std::uint32_t first = 1; first * kThinnest <= sides[2]; ++first) {
            for (std::uint32_t second = 1; first * second * kThinnest <= sides[2]; ++second) {
                const double thickness = static_cast<double>(sides[2]) / (first * second);
                if (thickness > kThickest) continue;
                const double stretch = ratio(width * second * sides[1], height * first * sides[0]);
                sheets.push_back({axes, first, second, ratio(thickness, kThickness) * stretch});
            }
        }
    } while (std::ranges::next_permutation(axes).found);
    std::ranges::stable_sort(sheets, {}, &Sheet::fault);
    return sheets;
}

/// Returns the position of each location on the sheet. A step along the sheet is a step in the box, except at the folds
/// of a grid.
std::vector<OnSheet> unrolled(const Target& target, const Sheet& sheet) {
    const auto [x_axis, y_axis, z_axis] = sheet.axes;
    const double first = sheet.first, second = sheet.second, x_side = target.side(x_axis), y_side = target.side(y_axis),
                 z_side = target.side(z_axis);
    std::vector<OnSheet> at(target.n());
    for (std::uint32_t l = 0; l < target.n(); ++l) {
        double x = (target.coordinate(l, x_axis) + 0.5) / x_side, y = (target.coordinate(l, y_axis) + 0.5) / y_side,
               z = (target.coordinate(l, z_axis) + 0.5) / z_side;
        if (target.is_torus()) {
            // The sheet rises as it winds: `second` layers for each turn around axes[0], one layer for each turn around
            // axes[1].
            z -= x / first + y / (first * second);
            z -= std::floor(z);
        }
        const double turn = std::min(std::floor(z * first), first - 1);
        z = z * first - turn;
        const bool is_back = !target.is_torus() && sheet.first > 1 && std::fmod(turn, 2) == 1;
        if (is_back) {
            x = 1 - x;
            z = 1 - z;
        }
        const double layer = std::clamp(std::floor(z * second), 0.0, second - 1);
        if (!target.is_torus() && std::fmod(layer, 2) == 1) y = 1 - y;
        at[l] = {{static_cast<float>((turn + x) * x_side), static_cast<float>((layer + y) * y_side)}};
    }
    return at;
}

/// Gives each vertex a location. Halves the locations by their positions on the sheet, and splits the vertices by their
/// positions in the drawing, until each part has one location. Each time, both are cut at the same fraction, along the
/// dimension in which the part's locations extend farther.
std::vector<std::uint32_t> laid(const Graph& graph, const Drawing& drawing, const std::vector<OnSheet>& sheet,
                                const sdk::StopQuestion& stop) {
    struct Part {
        std::uint32_t v_begin, v_end, l_begin, l_end;
    };
    const auto n = static_cast<std::uint32_t>(sheet.size());
    std::vector<std::uint32_t> vertices(graph.n), locations(n), location_of(n);
    std::vector<bool> taken(n, false);
    std::iota(vertices.begin(), vertices.end(), 0u);
    std::iota(locations.begin(), locations.end(), 0u);
    std::vector<Part> open{{0, graph.n, 0, n}};
    while (!open.empty()) {
        const Part part = open.back();
        open.pop_back();
        if (part.v_begin == part.v_end) continue;
        if (part.l_end - part.l_begin > kAskEvery && stop()) throw sdk::Stopped();
        const std::uint32_t count = part.l_end - part.l_begin;
        if (count == 1) {
            location_of[vertices[part.v_begin]] = locations[part.l_begin];
            taken[locations[part.l_begin]] = true;
            continue;
        }
        float low[2] = {}, high[2] = {};
        for (std::uint32_t k = part.l_begin; k < part.l_end; ++k) {
            for (std::uint32_t d = 0; d < 2; ++d) {
                const float at = sheet[locations[k]].along[d];
                low[d] = k == part.l_begin ? at : std::min(low[d], at);
                high[d] = k == part.l_begin ? at : std::max(high[d], at);
            }
        }
        const std::uint32_t d = high[0] - low[0] > high[1] - low[1] ? 0 : 1;
        const std::uint32_t l_middle = part.l_begin + count / 2;
        const std::uint64_t in_part = part.v_end - part.v_begin;
        const std::uint32_t v_middle = part.v_begin + static_cast<std::uint32_t>(in_part * (count / 2) / count);
        std::nth_element(locations.begin() + part.l_begin, locations.begin() + l_middle, locations.begin() + part.l_end,
                         [&](std::uint32_t a, std::uint32_t b) {
                             const float x = sheet[a].along[d], y = sheet[b].along[d];
                             return x != y ? x < y : a < b;
                         });
        std::nth_element(vertices.begin() + part.v_begin, vertices.begin() + v_middle, vertices.begin() + part.v_end,
                         [&](std::uint32_t a, std::uint32_t b) {
                             const float x = drawing[std::size_t{a} * kMostDimensions + d],
                                         y = drawing[std::size_t{b} * kMostDimensions + d];
                             return x != y ? x < y : a < b;
                         });
        open.push_back({part.v_begin, v_middle, part.l_begin, l_middle});
        open.push_back({v_middle, part.v_end, l_middle, part.l_end});
    }
    std::uint32_t free = 0;
    for (std::uint32_t u = graph.n; u < n; ++u, ++free) {
        while (taken[free]) ++free;
        location_of[u] = free;
    }
    return location_of;
}

/// Returns width and height of the drawing.
std::array<double, 2> extents(const Drawing& at, std::uint32_t n) {
    std::array<double, 2> extent{};
    for (std::uint32_t d = 0; d < 2; ++d) {
        float low = at[d], high = at[d];
        for (std::uint32_t v = 1; v < n; ++v) {
            const float x = at[std::size_t{v} * kMostDimensions + d];
            low = std::min(low, x);
            high = std::max(high, x);
        }
        extent[d] = std::max(1e-6, static_cast<double>(high) - static_cast<double>(low));
    }
    return extent;
}

/// Rotates the drawing so that the rectangle around it has the least area.
void turn_upright(Drawing& at, std::uint32_t n) {
    constexpr int kAngles = 32;
    double best = 0, least = 0;
    for (int k = 0; k < kAngles; ++k) {
        Drawing turned = at;
        const double t = static_cast<double>(k) / kAngles;
        turn(turned, n, 0, 1, t);
        const auto [width, height] = extents(turned, n);
        if (k > 0 && width * height >= least) continue;
        best = t;
        least = width * height;
    }
    turn(at, n, 0, 1, best);
}

/// Let h be the least number of hops within which `from` reaches at least `enough` vertices, itself included. Returns
/// the number of vertices within h hops and within 2h hops. Returns {0, 0} if a hop before hop 2h finds no new vertex.
std::pair<double, double> growth_around(const Graph& graph, std::uint32_t from, std::uint32_t enough,
                                        std::vector<std::uint32_t>& seen_by, std::vector<std::uint32_t>& queue) {
    queue.assign(1, from);
    seen_by[from] = from;
    std::size_t begin = 0, near = 0;
    std::uint32_t hops = 0, hops_near = 0;
    while (near == 0 || hops < 2 * hops_near) {
        const std::size_t end = queue.size();
        if (begin == end) return {0, 0};
        for (; begin < end; ++begin) {
            const std::uint32_t u = queue[begin];
            for (std::uint64_t k = graph.offsets[u]; k < graph.offsets[u + 1]; ++k) {
                const std::uint32_t v = graph.arcs[k].to;
                if (seen_by[v] == from) continue;
                seen_by[v] = from;
                queue.push_back(v);
            }
        }
        ++hops;
        if (near != 0 || queue.size() < enough) continue;
        near = queue.size();
        hops_near = hops;
    }
    return {static_cast<double>(near), static_cast<double>(queue.size())};
}

}  // namespace

bool suits_sheets(const Target& target) {
    if (target.dimensions() != kMostDimensions) return false;
    return std::min({target.side(0), target.side(1), target.side(2)}) > kThickest;
}

bool is_flat(const Graph& graph) {
    constexpr std::uint32_t kSamples = 33, kEnough = 45, kLeastVertices = 500;
    // If the number of hops doubles, the number of vertices reached grows by a factor: about 2 on a line, 4 in a plane,
    // 8 in space; less at borders. In a flat graph the factor lies between kLine and kSolid.
    constexpr double kLine = 2.6, kSolid = 5;
    if (graph.n < kLeastVertices) return false;
    std::vector<std::uint32_t> seen_by(graph.n, ~std::uint32_t{0}), queue;
    std::vector<double> growth;
    for (std::uint32_t k = 0; k < kSamples; ++k) {
        const auto from = static_cast<std::uint32_t>((mixed(k) >> 32) * graph.n >> 32);
        const auto [near, far] = growth_around(graph, from, kEnough, seen_by, queue);
        if (near > 0) growth.push_back(far / near);
    }
    if (growth.size() < kSamples / 2) return false;
    // The upper quartile decides: in a solid graph most vertices may lie near the border, where the factor is less.
    const auto high = growth.begin() + static_cast<std::ptrdiff_t>(growth.size() * 3 / 4);
    std::ranges::nth_element(growth, high);
    return *high > kLine && *high < kSolid;
}

std::vector<std::uint32_t> sheet_start(const Graph& graph, const Target& target, std::uint64_t seed,
                                       const sdk::StopQuestion& stop) {
    constexpr int kSmoothings = 3;
    Drawing drawing = drawn(graph, 2, seed, stop);
    smooth(graph, 2, kSmoothings, drawing, stop);
    turn_upright(drawing, graph.n);
    const auto [width, height] = extents(drawing, graph.n);
    std::vector<std::uint32_t> best;
    std::int64_t least = 0;
    std::vector<Sheet> sheets = sheets_for(target, width, height);
    if (sheets.size() > kSheets) sheets.resize(kSheets);
    for (const Sheet& sheet : sheets) {
        if (stop()) throw sdk::Stopped();
        std::vector<std::uint32_t> placed = laid(graph, drawing, unrolled(target, sheet), stop);
        const std::int64_t cost = exact_cost(graph, target, placed.data());
        if (!best.empty() && cost >= least) continue;
        least = cost;
        best = std::move(placed);
    }
    return best;
}

}  // namespace qapfw::sparse
