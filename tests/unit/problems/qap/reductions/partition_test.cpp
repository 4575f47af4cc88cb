// SPDX-License-Identifier: Apache-2.0
#include "problems/qap/reductions/partition.hpp"

#include "brute_force.hpp"

using namespace qapfw::qap;

namespace {

/// Two triangles that one edge joins; a seventh vertex hangs on the first triangle.
Graph dumbbell() {
    return test::graph_of(7, {{0, 2}, {0, 4}, {1, 3}, {1, 5}, {2, 4}, {3, 4}, {3, 5}, {4, 6}});
}

/// The least cut over all ways to divide the vertices into parts of these sizes.
int64_t least_cut(const Graph& graph, std::vector<uint32_t> sizes) {
    std::vector<uint32_t> part;
    for (uint32_t k = 0; k < sizes.size(); ++k) part.insert(part.end(), sizes[k], k);
    int64_t least = INT64_MAX;
    do {
        int64_t cut = 0;
        for (const Edge& edge : graph.edges) cut += part[edge.u] == part[edge.v] ? 0 : edge.weight;
        least = std::min(least, cut);
    } while (std::next_permutation(part.begin(), part.end()));
    return least;
}

}  // namespace

TEST_CASE("parts of n vertices differ by at most one") {
    CHECK(equal_parts(7, 3) == std::vector<uint32_t>{3, 2, 2});
    CHECK(equal_parts(6, 3) == std::vector<uint32_t>{2, 2, 2});
    CHECK(equal_parts(3, 1) == std::vector<uint32_t>{3});
}

TEST_CASE("the cost is twice the cut, and its optimum the least cut") {
    Graph weighted = dumbbell();
    weighted.edges[5].weight = 9;  // the edge between the triangles
    for (const Graph& graph : {dumbbell(), weighted}) {
        for (const std::vector<uint32_t>& sizes : {equal_parts(7, 2), equal_parts(7, 3), {1, 6}, {5, 2}, {7}}) {
            CHECK(test::least_cost(GraphPartition(graph, sizes)) == 2 * least_cut(graph, sizes));
        }
    }
    CHECK(least_cut(dumbbell(), {4, 3}) == 1);
}

TEST_CASE("the thesis' form, -1 within the parts, differs by twice the number of edges") {
    const Graph graph = dumbbell();
    const GraphPartition reduction(graph, {4, 3});
    QapMatrices thesis = reduction.matrices();
    for (std::size_t i = 0; i < 7; ++i) {
        for (std::size_t j = 0; j < 7; ++j) thesis.a[i * 7 + j] = i != j && thesis.a[i * 7 + j] == 0 ? -1 : 0;
    }
    const auto edges = static_cast<int64_t>(graph.edges.size());
    for (const test::Permutation& p : test::some_permutations(7, 20)) {
        CHECK(reduction.recount(p) == evaluate(thesis, p.data()) + 2 * edges);
    }
}

TEST_CASE("the answer lists the parts") {
    const GraphPartition reduction(test::graph_of(4, {{0, 2}, {1, 3}}), {2, 2});
    const test::Permutation p = {3, 1, 0, 2};
    CHECK(reduction.describe(p) ==
          "partition with a cut of 0\npart 1, 2 vertices:\n  2 4\npart 2, 2 vertices:\n  1 3\n");
    CHECK(reduction.file(p).text == "# cut 0; the lines below give the parts of vertices 1, 2, ...\n2\n1\n2\n1\n");
}
