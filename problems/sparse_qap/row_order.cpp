// SPDX-License-Identifier: Apache-2.0
#include "problems/sparse_qap/row_order.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace qapfw::sparse {
namespace {

/// Positions from which on an order pays; docs/guides/write-device-code.md has it too.
constexpr std::uint32_t kOrderedFrom = 0x4000;

std::vector<std::uint32_t> breadth_first(const Graph& graph) {
    std::vector<std::uint32_t> order;
    std::vector<std::uint8_t> seen(graph.n, 0);
    order.reserve(graph.n);
    for (std::uint32_t root = 0; root < graph.n; ++root) {
        if (seen[root] != 0) continue;
        seen[root] = 1;
        order.push_back(root);
        for (std::size_t head = order.size() - 1; head < order.size(); ++head) {
            const std::uint32_t u = order[head];
            for (std::uint64_t k = graph.offsets[u]; k < graph.offsets[u + 1]; ++k) {
                const std::uint32_t v = graph.arcs[k].to;
                if (seen[v] == 0) order.push_back(v);
                seen[v] = 1;
            }
        }
    }
    return order;
}

/// Number of each vertex in an order.
std::vector<std::uint32_t> numbers_of(const std::vector<std::uint32_t>& order) {
    std::vector<std::uint32_t> number(order.size());
    for (std::uint32_t k = 0; k < order.size(); ++k) number[order[k]] = k;
    return number;
}

/// Pieces of memory, of eight vertices each, that the neighbours of 128 vertices in a row are in, per arc. A sample.
template <class At, class NumberOf>
double pieces_per_arc(const Graph& graph, At at, NumberOf number_of) {
    constexpr std::uint32_t kRow = 128, kSamples = 64;
    std::uint64_t pieces = 0, arcs = 0;
    std::vector<std::uint32_t> found;
    for (std::uint32_t sample = 0; sample < kSamples; ++sample) {
        const auto begin = static_cast<std::uint32_t>(std::uint64_t{graph.n - kRow} * sample / (kSamples - 1));
        found.clear();
        for (std::uint32_t k = begin; k < begin + kRow; ++k) {
            const std::uint32_t u = at(k);
            for (std::uint64_t arc = graph.offsets[u]; arc < graph.offsets[u + 1]; ++arc)
                found.push_back(number_of(graph.arcs[arc].to) / 8);
        }
        arcs += found.size();
        std::ranges::sort(found);
        pieces += static_cast<std::uint64_t>(std::unique(found.begin(), found.end()) - found.begin());
    }
    return static_cast<double>(pieces) / static_cast<double>(std::max<std::uint64_t>(1, arcs));
}

/// The difference of two numbers, on request the short way around; without a value where 16 bits do not hold it.
struct Difference {
    std::int64_t value;
    bool fits;
};
Difference difference(std::uint32_t from, std::uint32_t to, std::uint32_t n, bool ring) {
    std::int64_t value = static_cast<std::int64_t>(to) - from;
    if (ring && 2 * value > n) value -= n;
    if (ring && 2 * value < -static_cast<std::int64_t>(n)) value += n;
    return {value,
            value >= std::numeric_limits<std::int16_t>::min() && value <= std::numeric_limits<std::int16_t>::max()};
}

}  // namespace

std::vector<std::uint32_t> row_order(const Graph& graph) {
    constexpr double kGood = 0.35, kBetter = 0.75;
    if (graph.n < kOrderedFrom || !graph.wide.empty()) return {};
    const auto same = [](std::uint32_t k) { return k; };
    const double own = pieces_per_arc(graph, same, same);
    if (own < kGood) return {};
    std::vector<std::uint32_t> order = breadth_first(graph);
    const std::vector<std::uint32_t> number = numbers_of(order);
    const double ordered = pieces_per_arc(
        graph, [&](std::uint32_t k) { return order[k]; }, [&](std::uint32_t u) { return number[u]; });
    return ordered < kBetter * own ? order : std::vector<std::uint32_t>{};
}

Graph in_order(const Graph& graph, const std::vector<std::uint32_t>& order) {
    const std::vector<std::uint32_t> number = numbers_of(order);
    Graph ordered;
    ordered.n = graph.n;
    ordered.offsets.reserve(graph.offsets.size());
    ordered.offsets.push_back(0);
    ordered.arcs.reserve(graph.arcs.size());
    for (const std::uint32_t u : order) {
        for (std::uint64_t k = graph.offsets[u]; k < graph.offsets[u + 1]; ++k)
            ordered.arcs.push_back({number[graph.arcs[k].to], graph.arcs[k].weight});
        ordered.offsets.push_back(ordered.arcs.size());
    }
    return ordered;
}

PackedRows packed_rows(const Graph& graph, std::uint32_t degree) {
    constexpr std::uint32_t kPack = 8, kMostSlots = 64;
    constexpr double kPacked = 0.98, kMostBytes = 1.5;  // share of the arcs, and of their bytes
    PackedRows rows;
    if (graph.n < kOrderedFrom || !graph.wide.empty() || graph.arcs.empty()) return rows;
    const std::uint32_t head = degree > 0 ? 0 : 1;
    for (const bool ring : {false, true}) {
        std::array<std::uint64_t, kMostSlots + 1> longer{};  // rows that have an arc with this number
        std::vector<std::uint8_t> count(graph.n);
        for (std::uint32_t u = 0; u < graph.n; ++u) {
            std::uint32_t k = 0;
            while (k < std::min(graph.degree(u), kMostSlots - head) &&
                   difference(u, graph.arcs[graph.offsets[u] + k].to, graph.n, ring).fits)
                ++longer[k++];
            count[u] = static_cast<std::uint8_t>(k);
        }
        std::uint64_t packed = 0;
        for (std::uint32_t slots = kPack, k = 0; slots <= kMostSlots; slots += kPack) {
            if (2.0 * slots * graph.n > kMostBytes * 4 * static_cast<double>(graph.arcs.size())) break;
            for (; k < slots - head; ++k) packed += longer[k];
            const bool all = packed == graph.arcs.size();
            if (degree > 0 ? !all : static_cast<double>(packed) < kPacked * static_cast<double>(graph.arcs.size()))
                continue;
            rows.slots = slots;
            rows.ring = ring;
            rows.all = all;
            for (std::uint8_t& one : count) one = static_cast<std::uint8_t>(std::min<std::uint32_t>(one, slots - head));
            rows.count = std::move(count);
            break;
        }
        if (rows.slots > 0) break;
    }
    if (rows.slots == 0) return rows;
    rows.entries.assign(std::size_t{graph.n} * rows.slots, 0);
    for (std::uint32_t u = 0; u < graph.n; ++u) {
        std::uint16_t* const row = rows.entries.data() + std::size_t{u} * rows.slots;
        if (head > 0)
            row[0] = static_cast<std::uint16_t>(2 * rows.count[u] + (rows.count[u] < graph.degree(u) ? 1 : 0));
        for (std::uint32_t k = 0; k < rows.count[u]; ++k)
            row[head + k] = static_cast<std::uint16_t>(
                difference(u, graph.arcs[graph.offsets[u] + k].to, graph.n, rows.ring).value);
    }
    return rows;
}

}  // namespace qapfw::sparse
