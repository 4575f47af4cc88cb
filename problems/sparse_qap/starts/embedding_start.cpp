// SPDX-License-Identifier: Apache-2.0
// Draws the graph in the target's space, smooths the drawing, and rotates the drawing in several ways. After each
// rotation, vertices and locations are halved along the same coordinates until each vertex has one location. The
// mapping with the least cost is returned.
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "problems/sparse_qap/starts/drawing.hpp"
#include "problems/sparse_qap/starts/location_split.hpp"
#include "problems/sparse_qap/starts/starts.hpp"
#include "problems/sparse_qap/walk/sampled_walk.hpp"

namespace qapfw::sparse {
namespace {

/// Keeps the part of a drawing that changes slowly along edges. A Chebyshev polynomial of the graph's Laplacian damps
/// the other part. This straightens lattices: each coordinate of the drawing comes to depend on one lattice coordinate.
class SlowPart {
  public:
    SlowPart(const Graph& graph, std::uint32_t dims, const sdk::StopQuestion& stop)
        : graph_(graph), dims_(dims), stop_(stop) {}

    void keep(Drawing& at) {
        for (std::uint32_t u = 0; u < graph_.n; ++u) {
            double total = 0;
            for (std::uint64_t a = graph_.offsets[u]; a < graph_.offsets[u + 1]; ++a) total += weight(a);
            largest_ = std::max(largest_, 2 * total);
        }
        tidy(at);
        const double cut = std::min(4 * rate(at), largest_ / 2);
        if (!(cut > 0)) return;
        const double centre = (largest_ + cut) / 2, half = (largest_ - cut) / 2;
        // After 6 / sqrt(cut / largest_) steps, the slow part is many times as strong as the damped part. If so many
        // steps would take too long, fewer steps are made.
        constexpr double kMostWork = 5e7;  // vertices times steps; this takes less than a second
        const double wanted = std::clamp(6 / std::sqrt(cut / largest_), 20.0, std::max(20.0, kMostWork / graph_.n));
        const int steps = static_cast<int>(wanted);
        Drawing before = at, now = at;
        apply(before, centre, half, 1, nullptr, now);
        for (int k = 1; k < steps; ++k) {
            Drawing next(at.size(), 0.0f);
            apply(now, centre, half, 2, before.data(), next);
            std::swap(before, now);
            std::swap(now, next);
            if (k % 8 == 0) shrink(now, before);
        }
        at = std::move(now);
        tidy(at);
    }

  private:
    double weight(std::uint64_t arc) const { return std::abs(static_cast<double>(graph_.weight(arc))); }
    /// Computes to = factor / half * (centre * from - L * from) - minus. L is the graph's Laplacian. A null `minus`
    /// counts as 0.
    void apply(const Drawing& from, double centre, double half, double factor, const float* minus, Drawing& to) const {
        if (stop_()) throw sdk::Stopped();
        for (std::uint32_t u = 0; u < graph_.n; ++u) {
            double sum[kMostDimensions] = {}, total = 0;
            for (std::uint64_t a = graph_.offsets[u]; a < graph_.offsets[u + 1]; ++a) {
                total += weight(a);
                for (std::uint32_t d = 0; d < dims_; ++d)
                    sum[d] += weight(a) * from[std::size_t{graph_.arcs[a].to} * kMostDimensions + d];
            }
            for (std::uint32_t d = 0; d < dims_; ++d) {
                const std::size_t k = std::size_t{u} * kMostDimensions + d;
                const double value = factor * ((centre - total) * from[k] + sum[d]) / half;
                to[k] = static_cast<float>(value - (minus == nullptr ? 0 : minus[k]));
            }
        }
    }
    /// Returns how fast the drawing changes along edges: the largest Rayleigh quotient of its coordinates.
    double rate(const Drawing& at) const {
        double fastest = 0;
        for (std::uint32_t d = 0; d < dims_; ++d) {
            double along = 0, all = 0;
            for (std::uint32_t u = 0; u < graph_.n; ++u) {
                const double own = at[std::size_t{u} * kMostDimensions + d];
                all += own * own;
                for (std::uint64_t a = graph_.offsets[u]; a < graph_.offsets[u + 1]; ++a) {
                    const double apart = own - at[std::size_t{graph_.arcs[a].to} * kMostDimensions + d];
                    along += 0.5 * weight(a) * apart * apart;
                }
            }
            if (all > 0) fastest = std::max(fastest, along / all);
        }
        return fastest;
    }
    /// If coordinates are large, divides both drawings by the same factor. The next drawing is a linear function of
    /// both, so the division changes only its scale.
    void shrink(Drawing& now, Drawing& before) const {
        float largest = 0;
        for (const float x : now) largest = std::max(largest, std::abs(x));
        if (!(largest > 1e6f)) return;
        for (float& x : now) x /= largest;
        for (float& x : before) x /= largest;
    }
    /// Shifts each coordinate to mean 0, makes it orthogonal to the earlier ones, and scales its standard deviation
    /// to 1.
    void tidy(Drawing& at) const {
        const auto value = [&](std::uint32_t u, std::uint32_t d) -> float& {
            return at[std::size_t{u} * kMostDimensions + d];
        };
        for (std::uint32_t d = 0; d < dims_; ++d) {
            double mean = 0;
            for (std::uint32_t u = 0; u < graph_.n; ++u) mean += value(u, d);
            mean /= graph_.n;
            for (std::uint32_t u = 0; u < graph_.n; ++u) value(u, d) = static_cast<float>(value(u, d) - mean);
            for (std::uint32_t e = 0; e < d; ++e) {
                double dot = 0;
                for (std::uint32_t u = 0; u < graph_.n; ++u) dot += static_cast<double>(value(u, d)) * value(u, e);
                for (std::uint32_t u = 0; u < graph_.n; ++u)
                    value(u, d) = static_cast<float>(value(u, d) - dot / graph_.n * value(u, e));
            }
            double square = 0;
            for (std::uint32_t u = 0; u < graph_.n; ++u) square += static_cast<double>(value(u, d)) * value(u, d);
            const double spread = std::sqrt(square / graph_.n);
            for (std::uint32_t u = 0; spread > 0 && u < graph_.n; ++u)
                value(u, d) = static_cast<float>(value(u, d) / spread);
        }
    }

    const Graph& graph_;
    const std::uint32_t dims_;
    const sdk::StopQuestion& stop_;
    double largest_ = 0;  ///< upper bound on the eigenvalues of the graph's Laplacian
};

/// Rotations of a drawing in the planes of axes 0 and 1, 1 and 2, 0 and 2. Each number is the tangent of half an angle.
/// The first angles that are tried are below a quarter turn.
using Turns = std::array<double, 3>;

Drawing turned(const Drawing& plain, std::uint32_t n, std::uint32_t dims, const Turns& turns) {
    Drawing at = plain;
    if (dims >= 2) turn(at, n, 0, 1, turns[0]);
    if (dims == 3) turn(at, n, 1, 2, turns[1]);
    if (dims == 3) turn(at, n, 0, 2, turns[2]);
    return at;
}

/// Limits on the search for the best rotation.
struct Effort {
    int turns;  ///< number of rotations that are tried with each smoothed drawing
    int finer;  ///< number of rounds that then vary the best angles by a step; the step is halved after each round
};

/// Halves the locations by LocationSplit, and the vertices along the same coordinate, until each part is one location.
/// Returns the location of each vertex, then the free locations.
std::vector<std::uint32_t> cut_by_coordinates(const Graph& graph, const Target& target, const Drawing& at,
                                              const sdk::StopQuestion& stop) {
    struct Part {
        std::uint32_t v_begin, v_end, l_begin, l_end;
    };
    LocationSplit split(target);
    std::vector<std::uint32_t> vertices(graph.n), location_of(target.n());
    std::vector<bool> taken(target.n(), false);
    std::iota(vertices.begin(), vertices.end(), 0u);
    std::vector<Part> open{{0, graph.n, 0, target.n()}};
    while (!open.empty()) {
        const Part part = open.back();
        open.pop_back();
        if (part.v_begin == part.v_end) continue;
        if (part.v_end - part.v_begin > kAskEvery && stop()) throw sdk::Stopped();
        const std::uint32_t locations = part.l_end - part.l_begin;
        if (locations == 1) {
            location_of[vertices[part.v_begin]] = split.order()[part.l_begin];
            taken[split.order()[part.l_begin]] = true;
            continue;
        }
        const LocationSplit::Cut cut = split.halve(part.l_begin, part.l_end);
        const std::uint64_t count = part.v_end - part.v_begin;
        const std::uint32_t middle =
            part.v_begin + static_cast<std::uint32_t>(count * (cut.middle - part.l_begin) / locations);
        std::nth_element(vertices.begin() + part.v_begin, vertices.begin() + middle, vertices.begin() + part.v_end,
                         [&](std::uint32_t u, std::uint32_t v) {
                             const float x = at[std::size_t{u} * kMostDimensions + cut.dimension],
                                         y = at[std::size_t{v} * kMostDimensions + cut.dimension];
                             return x != y ? x < y : u < v;
                         });
        open.push_back({part.v_begin, middle, part.l_begin, cut.middle});
        open.push_back({middle, part.v_end, cut.middle, part.l_end});
    }
    std::uint32_t free = 0;
    for (std::uint32_t u = graph.n; u < target.n(); ++u, ++free) {
        while (taken[free]) ++free;
        location_of[u] = free;
    }
    return location_of;
}

}  // namespace

std::vector<std::uint32_t> embedding_start(const Graph& graph, const Target& target, std::uint64_t seed,
                                           const sdk::StopQuestion& stop) {
    const std::uint32_t dims = target.dimensions();
    if (dims == 0 || dims > kMostDimensions || graph.n < 2) return {};
    const Drawing plain = drawn(graph, dims, seed, stop);
    std::vector<std::uint32_t> best;
    std::int64_t least = 0;
    Drawing smoothed;
    const auto is_better = [&](const Turns& turns) {
        if (stop()) throw sdk::Stopped();
        std::vector<std::uint32_t> placed =
            cut_by_coordinates(graph, target, turned(smoothed, graph.n, dims, turns), stop);
        const std::int64_t cost = exact_cost(graph, target, placed.data());
        if (!best.empty() && cost >= least) return false;
        least = cost;
        best = std::move(placed);
        return true;
    };
    const Effort effort = graph.n <= 5'000     ? Effort{8, 5}
                          : graph.n <= 20'000  ? Effort{4, 2}
                          : graph.n <= 200'000 ? Effort{4, 3}
                                               : Effort{1, 0};
    Drawing best_drawing;
    Turns chosen{};
    for (int kind = 0; kind < (graph.n <= 200'000 ? 3 : 2); ++kind) {
        smoothed = plain;
        if (kind < 2)
            smooth(graph, dims, kind == 0 ? 3 : 20, smoothed, stop);
        else
            SlowPart(graph, dims, stop).keep(smoothed);
        bool is_best = false;
        for (int k = 0; k < effort.turns; ++k) {
            Turns turns{static_cast<double>(k) / effort.turns, 0, 0};
            for (std::uint32_t plane = 1; dims == 3 && k > 0 && plane < 3; ++plane)
                turns[plane] =
                    static_cast<double>(mixed(seed + 77 * plane + static_cast<std::uint64_t>(k)) >> 11) * 0x1p-53;
            if (!is_better(turns)) continue;
            chosen = turns;
            is_best = true;
        }
        if (is_best) best_drawing = smoothed;
    }
    smoothed = std::move(best_drawing);
    double step = 0.5 / effort.turns;
    for (int k = 0; k < effort.finer && dims >= 2; ++k, step /= 2) {
        for (std::uint32_t plane = 0; plane < (dims == 3 ? 3u : 1u); ++plane) {
            for (const double sign : {-1.0, 1.0}) {
                Turns turns = chosen;
                turns[plane] += sign * step;
                if (is_better(turns)) chosen = turns;
            }
        }
    }
    return best;
}

}  // namespace qapfw::sparse
