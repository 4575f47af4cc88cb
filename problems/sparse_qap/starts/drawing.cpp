// SPDX-License-Identifier: Apache-2.0
#include "problems/sparse_qap/starts/drawing.hpp"

#include <algorithm>
#include <cmath>

#include "problems/sparse_qap/starts/starts.hpp"

namespace qapfw::sparse {
namespace {

constexpr std::uint32_t kPivots = 40;

/// Computes the hops from one vertex. Vertices that cannot be reached get one hop more than the farthest.
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

/// Returns a table of n x pivots entries. An entry starts as the square of the number of hops from a vertex to a pivot.
/// Then each row is reduced by its mean, and after that each column by its mean. Pivots are chosen far from each other.
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

/// Returns the leading eigenvectors of the matrix transpose(T) * T, where T is the table. Finds the vectors by power
/// iteration, which makes each vector orthogonal to the earlier ones.
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

}  // namespace

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

void turn(Drawing& at, std::uint32_t n, std::uint32_t a, std::uint32_t b, double t) {
    const double cosine = (1 - t * t) / (1 + t * t), sine = 2 * t / (1 + t * t);
    for (std::uint32_t v = 0; v < n; ++v) {
        float* const p = at.data() + std::size_t{v} * kMostDimensions;
        const double x = p[a], y = p[b];
        p[a] = static_cast<float>(cosine * x - sine * y);
        p[b] = static_cast<float>(sine * x + cosine * y);
    }
}

}  // namespace qapfw::sparse
