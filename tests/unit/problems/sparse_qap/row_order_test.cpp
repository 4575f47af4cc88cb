// SPDX-License-Identifier: Apache-2.0
// Tests the order of vertices for devices, and rows of arcs that are packed as 16-bit differences.
#include "problems/sparse_qap/row_order.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>

#include "problems/sparse_qap/graphs/generators.hpp"

namespace {

using namespace qapfw;
using namespace qapfw::sparse;

/// The ends of a row's arcs, unpacked as device code does it.
std::vector<std::uint32_t> unpacked(const PackedRows& rows, std::uint32_t vertex, std::uint32_t n, bool same_degrees) {
    const std::uint16_t* const row = rows.entries.data() + std::size_t{vertex} * rows.slots;
    std::vector<std::uint32_t> ends;
    for (std::uint32_t k = 0; k < rows.count[vertex]; ++k) {
        const auto difference = static_cast<std::int16_t>(row[k + (same_degrees ? 0 : 1)]);
        ends.push_back(static_cast<std::uint32_t>((std::int64_t{vertex} + difference + n) % n));
    }
    return ends;
}

void check_packed(const Graph& graph, std::uint32_t degree) {
    const PackedRows rows = packed_rows(graph, degree);
    REQUIRE(rows.slots > 0);
    std::uint64_t packed = 0;
    for (std::uint32_t u = 0; u < graph.n; ++u) {
        const std::vector<std::uint32_t> ends = unpacked(rows, u, graph.n, degree > 0);
        packed += ends.size();
        const std::uint32_t head = degree > 0 ? 0 : rows.entries[std::size_t{u} * rows.slots];
        if (degree == 0) REQUIRE(head == 2 * ends.size() + (ends.size() < graph.degree(u) ? 1 : 0));
        for (std::uint32_t k = 0; k < ends.size(); ++k) REQUIRE(ends[k] == graph.arcs[graph.offsets[u] + k].to);
    }
    CHECK(static_cast<double>(packed) > 0.97 * static_cast<double>(graph.arcs.size()));
    CHECK(rows.all == (packed == graph.arcs.size()));
}

}  // namespace

TEST_CASE("rows are put in order where neighbours are far apart, and the graph stays the same") {
    const Graph graph = generate("rgg3:16500");
    const std::vector<std::uint32_t> order = row_order(graph);
    REQUIRE(order.size() == graph.n);
    std::vector<std::uint32_t> number(graph.n, graph.n);
    for (std::uint32_t k = 0; k < graph.n; ++k) number[order[k]] = k;
    CHECK(std::ranges::count(number, graph.n) == 0);
    const Graph ordered = in_order(graph, order);
    double before = 0, after = 0;
    for (std::uint32_t u = 0; u < graph.n; ++u) {
        REQUIRE(ordered.degree(number[u]) == graph.degree(u));
        for (std::uint32_t k = 0; k < graph.degree(u); ++k) {
            const Arc &arc = graph.arcs[graph.offsets[u] + k], &moved = ordered.arcs[ordered.offsets[number[u]] + k];
            REQUIRE(moved.to == number[arc.to]);
            REQUIRE(moved.weight == arc.weight);
            before += std::abs(static_cast<double>(arc.to) - u);
            after += std::abs(static_cast<double>(moved.to) - number[u]);
        }
    }
    CHECK(after < before / 3);
}

TEST_CASE("rows keep their own order where it is good, and in small graphs") {
    CHECK(row_order(generate("torus:30x30x20")).empty());
    CHECK(row_order(generate("rgg3:8000")).empty());
}

TEST_CASE("packed rows have the graph's arcs, around a ring, with and without a common degree") {
    // The indices of two neighbours differ by up to 122500, but by at most 2500 around the ring of all vertices.
    check_packed(generate("torus:50x50x50"), 6);
    check_packed(generate("grid:200x100"), 0);
    const Graph graph = generate("rgg3:16500");
    check_packed(in_order(graph, row_order(graph)), 0);
    CHECK(packed_rows(generate("rgg3:8000"), 0).slots == 0);
    CHECK(packed_rows(generate("regular:100000:4"), 4).slots == 0);  // many differences need more than 16 bits
}
