// SPDX-License-Identifier: Apache-2.0
#include "problems/qap/reductions/linear_arrangement.hpp"

#include "brute_force.hpp"

using namespace qapfw::qap;

TEST_CASE("the cost is twice the arrangement's length, and known optima are found") {
    const Graph path = test::graph_of(6, {{0, 3}, {1, 3}, {1, 4}, {2, 4}, {2, 5}});
    CHECK(test::least_cost(LinearArrangement(path)) == 2 * 5);
    const Graph cycle = test::graph_of(6, {{0, 1}, {0, 5}, {1, 2}, {2, 3}, {3, 4}, {4, 5}});
    CHECK(test::least_cost(LinearArrangement(cycle)) == 2 * 2 * 5);
    const Graph complete = test::graph_of(4, {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}});
    CHECK(test::least_cost(LinearArrangement(complete)) == 2 * 10);
    const Graph star = test::graph_of(7, {{0, 3}, {1, 3}, {2, 3}, {3, 4}, {3, 5}, {3, 6}});
    CHECK(test::least_cost(LinearArrangement(star)) == 2 * (1 + 2 + 3) * 2);
}

TEST_CASE("weights count") {
    Graph path = test::graph_of(3, {{0, 1}, {0, 2}, {1, 2}});
    path.edges[1].weight = 10;
    CHECK(test::least_cost(LinearArrangement(path)) == 2 * (10 + 1 + 2));
}

TEST_CASE("the answer lists the vertices by position") {
    const LinearArrangement reduction(test::graph_of(3, {{0, 1}, {1, 2}}));
    const test::Permutation p = {2, 0, 1};  // vertex 2 comes first, then 3, then 1
    CHECK(reduction.describe(p) == "arrangement of total edge length 3, the vertices by position:\n  2 3 1\n");
    CHECK(reduction.file(p).text == "# total edge length 3; the vertices by position\n2\n3\n1\n");
}
