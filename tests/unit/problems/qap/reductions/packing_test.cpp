// SPDX-License-Identifier: Apache-2.0
#include "problems/qap/reductions/packing.hpp"

#include "brute_force.hpp"

using namespace qapfw::qap;

namespace {

const std::vector<std::pair<uint32_t, uint32_t>> kCycle5 = {{0, 1}, {0, 4}, {1, 2}, {2, 3}, {3, 4}};
const std::vector<std::pair<uint32_t, uint32_t>> kStar5 = {{0, 1}, {0, 2}, {0, 3}, {0, 4}};

}  // namespace

TEST_CASE("the cost is twice the number of shared edges, 0 exactly where a packing exists") {
    const Graph cycle = test::graph_of(5, kCycle5);  // the complement of a cycle of 5 is a cycle too
    CHECK(test::least_cost(GraphPacking(cycle, cycle)) == 0);
    const Graph star =
        test::graph_of(5, kStar5);  // a star's centre is adjacent to all vertices, so two stars share an edge
    CHECK(test::least_cost(GraphPacking(star, star)) == 2);
    CHECK(test::least_cost(GraphPacking(star, cycle)) == 2 * 2);
    CHECK(test::least_cost(GraphPacking(cycle, test::graph_of(5, {}))) == 0);
}

TEST_CASE("the smaller graph is filled up") {
    const Graph star = test::graph_of(5, kStar5);
    const Graph edge = test::graph_of(2, {{0, 1}});
    const GraphPacking small_first(edge, star), small_second(star, edge);
    CHECK(small_first.size() == 5);
    CHECK(test::least_cost(small_first) == 0);
    CHECK(test::least_cost(small_second) == 0);
}

TEST_CASE("the answer maps vertices and names shared edges") {
    const GraphPacking reduction(test::graph_of(3, {{0, 1}}), test::graph_of(3, {{1, 2}}));
    const test::Permutation packed = {0, 1, 2}, shared = {2, 1, 0};
    CHECK(test::contains(reduction.describe(packed), "a packing: no edge is shared\n"));
    CHECK(reduction.file(packed).text ==
          "# 0 shared edges; each line: vertex of the first graph, vertex of the second\n1 1\n2 2\n3 3\n");
    CHECK(test::contains(reduction.describe(shared), "no packing: 1 edges of the first graph are shared"));
    CHECK(test::contains(reduction.file(shared).text, "# shared: 1 2\n"));
}
