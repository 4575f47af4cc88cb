// SPDX-License-Identifier: Apache-2.0
#include "problems/sparse_qap/row_order.hpp"

#include <algorithm>
#include <limits>

namespace qapfw::sparse {
namespace {

/// Least number of vertices with which another order of the vertices, or packed rows, make the search faster.
/// docs/guides/write-device-code.md has this number too.
constexpr std::uint32_t kOrderedFrom = 0x4000;
/// The greatest number of entries of a packed row, and the number of entries that one read fetches.
constexpr std::uint32_t kMostSlots = 64, kPack = 8;

/// Returns the position of each vertex in `order`, counted from 0.
std::vector<std::uint32_t> numbers_of(const std::vector<std::uint32_t>& order) {
    std::vector<std::uint32_t> number(order.size());
    for (std::uint32_t k = 0; k < order.size(); ++k) number[order[k]] = k;
    return number;
}

/// Estimates from samples of 128 consecutive vertices how far their neighbours are scattered in memory. A piece is
/// eight vertices with consecutive numbers. Counts for each sample the pieces that contain neighbours of its vertices.
/// Returns the sum of these counts, divided by the number of arcs of the samples.
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

/// Difference of two numbers; on a ring, counted along the shorter way. `fits`: the difference fits 16 bits.
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

/// An arc fits if the difference of its two vertices fits 16 bits. Returns for each row the number of arcs before the
/// first one that does not fit, but at most `most`.
std::vector<std::uint8_t> fitting_arcs(const Graph& graph, std::uint32_t most, bool ring) {
    std::vector<std::uint8_t> count(graph.n);
    for (std::uint32_t u = 0; u < graph.n; ++u) {
        const std::uint32_t limit = std::min(graph.degree(u), most);
        std::uint32_t k = 0;
        while (k < limit && difference(u, graph.arcs[graph.offsets[u] + k].to, graph.n, ring).fits) ++k;
        count[u] = static_cast<std::uint8_t>(k);
    }
    return count;
}

/// Returns the number of entries per row: the least multiple of kPack that is enough for 98 % of the arcs, or for all
/// arcs if `all` is true. Returns 0 if such rows would take more than 1.5 times the memory of the arcs, or if no number
/// up to kMostSlots is enough.
std::uint32_t slots_for(const Graph& graph, const std::vector<std::uint8_t>& fitting, std::uint32_t head, bool all) {
    constexpr double kNearly = 0.98, kMostBytes = 1.5;
    const auto arcs = static_cast<double>(graph.arcs.size());
    for (std::uint32_t slots = kPack; slots <= kMostSlots; slots += kPack) {
        if (2.0 * slots * graph.n > kMostBytes * 4 * arcs) break;
        std::uint64_t packed = 0;
        for (const std::uint8_t one : fitting) packed += std::min<std::uint32_t>(one, slots - head);
        if (all ? packed == graph.arcs.size() : static_cast<double>(packed) >= kNearly * arcs) return slots;
    }
    return 0;
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
    PackedRows rows;
    if (graph.n < kOrderedFrom || !graph.wide.empty() || graph.arcs.empty()) return rows;
    const std::uint32_t head = degree > 0 ? 0 : 1;
    for (const bool ring : {false, true}) {
        if (rows.slots > 0) break;
        rows.ring = ring;
        rows.count = fitting_arcs(graph, kMostSlots - head, ring);
        rows.slots = slots_for(graph, rows.count, head, degree > 0);
    }
    if (rows.slots == 0) return {};
    rows.all = true;
    rows.entries.assign(std::size_t{graph.n} * rows.slots, 0);
    for (std::uint32_t u = 0; u < graph.n; ++u) {
        const std::uint32_t count = std::min<std::uint32_t>(rows.count[u], rows.slots - head);
        const bool longer = count < graph.degree(u);
        rows.count[u] = static_cast<std::uint8_t>(count);
        rows.all = rows.all && !longer;
        std::uint16_t* const row = rows.entries.data() + std::size_t{u} * rows.slots;
        if (head > 0) row[0] = static_cast<std::uint16_t>(2 * count + (longer ? 1 : 0));
        for (std::uint32_t k = 0; k < count; ++k)
            row[head + k] = static_cast<std::uint16_t>(
                difference(u, graph.arcs[graph.offsets[u] + k].to, graph.n, rows.ring).value);
    }
    return rows;
}

}  // namespace qapfw::sparse
