// SPDX-License-Identifier: Apache-2.0
// A drawing of the graph in the target's space (pivot MDS, Brandes and Pich 2007), smoothed, turned several ways and
// cut by coordinates as the locations are. Nothing but IEEE 754's exact operations, so that all machines draw alike.
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "problems/sparse_qap/starts/location_split.hpp"
#include "problems/sparse_qap/starts/starts.hpp"
#include "problems/sparse_qap/walk/sampled_walk.hpp"

namespace qapfw::sparse {
namespace {

constexpr std::uint32_t kPivots = 40;
constexpr std::uint32_t kMostDimensions = 3;

/// Hops from one vertex; what cannot be reached counts as one hop more than the farthest.
void hops_from(const Graph& graph, std::uint32_t from, std::vector<std::uint32_t>& queue, std::vector<float>& hops,
               const sdk::StopQuestion& stop) {
    std::fill(hops.begin(), hops.end(), -1.0f);
    queue.assign(1, from);
    hops[from] = 0;
    float farthest = 0;
    for (std::size_t head = 0; head < queue.size(); ++head) {
        leave_if_stopped(stop, static_cast<std::uint32_t>(head) + 1);
        const std::uint32_t u = queue[head];
        farthest = hops[u];
        for (std::uint64_t k = graph.offsets[u]; k < graph.offsets[u + 1]; ++k) {
            const std::uint32_t v = graph.arcs[k].to;
            if (hops[v] >= 0) continue;
            hops[v] = hops[u] + 1;
            queue.push_back(v);
        }
    }
    for (float& h : hops) h = h < 0 ? farthest + 1 : h;
}

/// Squared hops to pivots that are far from each other, with rows and columns centred: n x pivots.
std::vector<float> pivot_table(const Graph& graph, std::uint32_t pivots, std::uint64_t seed,
                               const sdk::StopQuestion& stop) {
    const std::uint32_t n = graph.n;
    std::vector<float> table(std::size_t{n} * pivots), hops(n), nearest(n, 3e38f);
    std::vector<std::uint32_t> queue;
    queue.reserve(n);
    auto pivot = static_cast<std::uint32_t>(mixed(seed) % n);
    for (std::uint32_t p = 0; p < pivots; ++p) {
        if (stop()) throw sdk::Stopped();
        hops_from(graph, pivot, queue, hops, stop);
        for (std::uint32_t v = 0; v < n; ++v) {
            table[std::size_t{v} * pivots + p] = hops[v] * hops[v];
            nearest[v] = std::min(nearest[v], hops[v]);
        }
        pivot = static_cast<std::uint32_t>(std::max_element(nearest.begin(), nearest.end()) - nearest.begin());
    }
    std::vector<double> column(pivots, 0.0);
    for (std::uint32_t v = 0; v < n; ++v) {
        leave_if_stopped(stop, v + 1);
        float* const row = table.data() + std::size_t{v} * pivots;
        double sum = 0;
        for (std::uint32_t p = 0; p < pivots; ++p) sum += row[p];
        for (std::uint32_t p = 0; p < pivots; ++p) row[p] -= static_cast<float>(sum / pivots);
        for (std::uint32_t p = 0; p < pivots; ++p) column[p] += row[p];
    }
    for (std::uint32_t v = 0; v < n; ++v) {
        for (std::uint32_t p = 0; p < pivots; ++p)
            table[std::size_t{v} * pivots + p] -= static_cast<float>(column[p] / n);
    }
    return table;
}

/// The first eigenvectors of the pivots' products, by powers, each made orthogonal to those before it.
std::vector<std::vector<double>> leading_vectors(const std::vector<float>& table, std::uint32_t n, std::uint32_t pivots,
                                                 std::uint32_t count, const sdk::StopQuestion& stop) {
    std::vector<double> product(std::size_t{pivots} * pivots, 0.0);
    for (std::uint32_t v = 0; v < n; ++v) {
        leave_if_stopped(stop, v + 1);
        const float* const row = table.data() + std::size_t{v} * pivots;
        for (std::uint32_t p = 0; p < pivots; ++p) {
            for (std::uint32_t q = 0; q <= p; ++q)
                product[std::size_t{p} * pivots + q] += static_cast<double>(row[p]) * row[q];
        }
    }
    for (std::uint32_t p = 0; p < pivots; ++p) {
        for (std::uint32_t q = p + 1; q < pivots; ++q)
            product[std::size_t{p} * pivots + q] = product[std::size_t{q} * pivots + p];
    }
    std::vector<std::vector<double>> vectors;
    for (std::uint32_t c = 0; c < count; ++c) {
        std::vector<double> x(pivots), y(pivots);
        for (std::uint32_t p = 0; p < pivots; ++p)
            x[p] = static_cast<double>(mixed(std::uint64_t{c} * 1000 + p) >> 40) - 0x1p23;
        for (int step = 0; step < 100; ++step) {
            for (const std::vector<double>& before : vectors) {
                double dot = 0;
                for (std::uint32_t p = 0; p < pivots; ++p) dot += x[p] * before[p];
                for (std::uint32_t p = 0; p < pivots; ++p) x[p] -= dot * before[p];
            }
            double norm = 0;
            for (const double value : x) norm += value * value;
            norm = std::sqrt(norm);
            for (double& value : x) value = norm > 0 ? value / norm : 0;
            if (step == 99) break;
            for (std::uint32_t p = 0; p < pivots; ++p) {
                y[p] = 0;
                for (std::uint32_t q = 0; q < pivots; ++q) y[p] += product[std::size_t{p} * pivots + q] * x[q];
            }
            std::swap(x, y);
        }
        vectors.push_back(x);
    }
    return vectors;
}

using Drawing = std::vector<float>;  // kMostDimensions coordinates for each vertex

Drawing drawn(const Graph& graph, std::uint32_t dims, std::uint64_t seed, const sdk::StopQuestion& stop) {
    const std::uint32_t pivots = std::min(kPivots, graph.n);
    const std::vector<float> table = pivot_table(graph, pivots, seed, stop);
    const auto vectors = leading_vectors(table, graph.n, pivots, dims, stop);
    Drawing at(std::size_t{graph.n} * kMostDimensions, 0.0f);
    for (std::uint32_t v = 0; v < graph.n; ++v) {
        leave_if_stopped(stop, v + 1);
        for (std::uint32_t d = 0; d < dims; ++d) {
            double sum = 0;
            for (std::uint32_t p = 0; p < pivots; ++p) sum += table[std::size_t{v} * pivots + p] * vectors[d][p];
            at[std::size_t{v} * kMostDimensions + d] = static_cast<float>(sum);
        }
    }
    return at;
}

/// Each vertex goes half-way to the mean of its neighbours, some times.
void smooth(const Graph& graph, std::uint32_t dims, int times, Drawing& at, const sdk::StopQuestion& stop) {
    Drawing next(at.size(), 0.0f);
    for (int k = 0; k < times; ++k) {
        if (stop()) throw sdk::Stopped();
        for (std::uint32_t u = 0; u < graph.n; ++u) {
            double sum[kMostDimensions] = {}, total = 0;
            for (std::uint64_t a = graph.offsets[u]; a < graph.offsets[u + 1]; ++a) {
                const double weight = std::abs(static_cast<double>(graph.weight(a)));
                total += weight;
                for (std::uint32_t d = 0; d < dims; ++d)
                    sum[d] += weight * at[std::size_t{graph.arcs[a].to} * kMostDimensions + d];
            }
            for (std::uint32_t d = 0; d < dims; ++d) {
                const double own = at[std::size_t{u} * kMostDimensions + d];
                next[std::size_t{u} * kMostDimensions + d] =
                    static_cast<float>(total > 0 ? 0.5 * own + 0.5 * sum[d] / total : own);
            }
        }
        std::swap(at, next);
    }
}

/// The drawing's part that changes slowly along edges: a Chebyshev polynomial of the graph's Laplacian, which damps all
/// that changes faster. It straightens lattices: their coordinates become functions of one coordinate each.
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
        // Number of steps after which slow parts are a thousand times as strong, if that does not take too long.
        constexpr double kMostWork = 5e7;  // vertices times steps: less than a second
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
    /// to = factor * (centre - Laplacian) / half * from - minus.
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
    /// Change of the drawing along edges: the largest Rayleigh quotient of its coordinates.
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
    /// Both by the same factor, so that the recurrence goes on.
    void shrink(Drawing& now, Drawing& before) const {
        float largest = 0;
        for (const float x : now) largest = std::max(largest, std::abs(x));
        if (!(largest > 1e6f)) return;
        for (float& x : now) x /= largest;
        for (float& x : before) x /= largest;
    }
    /// Coordinates with the mean 0 and the same spread, each orthogonal to those before it.
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
    double largest_ = 0;  ///< no eigenvalue of the Laplacian is larger
};

/// Turns the plane of two axes by an angle whose half has the tangent `t`.
void turn(Drawing& at, std::uint32_t n, std::uint32_t a, std::uint32_t b, double t) {
    const double cosine = (1 - t * t) / (1 + t * t), sine = 2 * t / (1 + t * t);
    for (std::uint32_t v = 0; v < n; ++v) {
        float* const p = at.data() + std::size_t{v} * kMostDimensions;
        const double x = p[a], y = p[b];
        p[a] = static_cast<float>(cosine * x - sine * y);
        p[b] = static_cast<float>(sine * x + cosine * y);
    }
}

/// Tangents of half the angles by which the three planes of axes are turned; those of a half turn and less.
using Turns = std::array<double, 3>;

Drawing turned(const Drawing& plain, std::uint32_t n, std::uint32_t dims, const Turns& turns) {
    Drawing at = plain;
    if (dims >= 2) turn(at, n, 0, 1, turns[0]);
    if (dims == 3) turn(at, n, 1, 2, turns[1]);
    if (dims == 3) turn(at, n, 0, 2, turns[2]);
    return at;
}

/// Limits on the search for the best view.
struct Effort {
    int turns;  ///< angles that are tried
    int finer;  ///< times that the best one is varied, each time by half as much
};

/// Cuts vertices and locations alike, each time along the axis of the locations' cut.
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
