// SPDX-License-Identifier: Apache-2.0
#include "problems/qap/reductions/clique.hpp"

#include "brute_force.hpp"

using namespace qapfw::qap;

namespace {

/// A graph with the triangle 1 3 5. Vertices 0 and 2 hang on vertex 1, and vertex 4 hangs on vertex 3.
Graph triangle() {
    return test::graph_of(6, {{0, 1}, {1, 2}, {1, 3}, {1, 5}, {3, 4}, {3, 5}});
}

uint32_t largest_clique(const Graph& graph) {
    const std::vector<int64_t> adjacent = graph.matrix(graph.n);
    uint32_t largest = 0;
    for (uint32_t set = 0; set < 1u << graph.n; ++set) {
        bool clique = true;
        for (uint32_t u = 0; u < graph.n; ++u) {
            for (uint32_t v = 0; v < u; ++v) {
                const bool both = (set >> u & 1) != 0 && (set >> v & 1) != 0;
                clique = clique && !(both && adjacent[u * graph.n + v] == 0);
            }
        }
        if (clique) largest = std::max(largest, static_cast<uint32_t>(__builtin_popcount(set)));
    }
    return largest;
}

/// A graph of `n` vertices with random edges, which depend on `seed`.
Graph random_graph(uint32_t n, uint32_t seed) {
    Graph graph;
    graph.n = n;
    uint32_t state = seed;
    for (uint32_t u = 0; u < n; ++u) {
        for (uint32_t v = u + 1; v < n; ++v) {
            state = state * 1664525u + 1013904223u;
            if ((state >> 16) % 2 == 0) graph.edges.push_back({u, v, 1});
        }
    }
    return graph;
}

}  // namespace

TEST_CASE("no clique is larger than the colouring") {
    CHECK(colouring_bound(triangle()) == 3);
    CHECK(colouring_bound(test::graph_of(4, {})) == 1);
    for (uint32_t seed = 1; seed <= 20; ++seed) {
        const Graph graph = random_graph(9, seed);
        CHECK(colouring_bound(graph) >= largest_clique(graph));
    }
}

TEST_CASE("with a free size the least cost is -2 times the size of the largest clique") {
    for (uint32_t seed = 1; seed <= 4; ++seed) {
        const Graph graph = random_graph(5, seed);
        const MaximumClique reduction(graph, std::nullopt);
        if (graph.n + reduction.slots() > 8) continue;  // 9! permutations take too long
        CHECK(test::least_cost(reduction) == -2 * int64_t{largest_clique(graph)});
    }
    CHECK(test::least_cost(MaximumClique(test::graph_of(3, {}), std::nullopt)) == -2);
    CHECK(MaximumClique(triangle(), std::nullopt).sense() == -1);
    CHECK(MaximumClique(triangle(), std::nullopt).divisor() == 2);
}

TEST_CASE("with a given size k the cost is -k^2 + k where the graph has such a clique, and more elsewhere") {
    CHECK(test::least_cost(MaximumClique(triangle(), 2)) == -2);
    CHECK(test::least_cost(MaximumClique(triangle(), 3)) == -6);
    CHECK(test::least_cost(MaximumClique(triangle(), 4)) == -2 * 4);  // four edges: the triangle's three and another
    CHECK(MaximumClique(triangle(), 4).known()->value == -12);
    CHECK(MaximumClique(triangle(), 4).divisor() == 2);
}

TEST_CASE("costs are recounted in the graph, blank vertices aside") {
    const Graph graph = random_graph(12, 5);
    for (const std::optional<uint32_t> size : {std::optional<uint32_t>{}, std::optional<uint32_t>{5}}) {
        const MaximumClique reduction(graph, size);
        const QapMatrices matrices = reduction.matrices();
        for (const test::Permutation& p : test::some_permutations(matrices.n, 50)) {
            CHECK(reduction.recount(p) == evaluate(matrices, p.data()));
            const std::vector<uint32_t> clique = reduction.clique_within(reduction.chosen(p));
            CHECK(reduction.clique_within(clique) == clique);
            if (!size) CHECK(2 * static_cast<int64_t>(clique.size()) >= -reduction.recount(p));
        }
    }
}

TEST_CASE("a clique within thousands of vertices is found at once") {
    const MaximumClique reduction(test::graph_of(4000, {{7, 9}}), 4000);
    std::vector<uint32_t> all(4000);
    for (uint32_t vertex = 0; vertex < all.size(); ++vertex) all[vertex] = vertex;
    CHECK(reduction.clique_within(all) == std::vector<uint32_t>{7, 9});
}

TEST_CASE("the answer is a clique, a part of the chosen vertices where they are none") {
    const MaximumClique reduction(triangle(), 3);
    const test::Permutation clique = {5, 1, 3, 0, 2, 4}, none = {0, 1, 3, 5, 2, 4};
    CHECK(reduction.describe(clique) == "clique of 3 vertices:\n  2 4 6\n");
    CHECK(reduction.file(clique).text == "# clique of 3 vertices\n2\n4\n6\n");
    CHECK(test::contains(reduction.describe(none), "no clique: between the 3 chosen vertices 1 edges are missing"));
    CHECK(test::contains(reduction.describe(none), "clique of 2 vertices:"));
}
