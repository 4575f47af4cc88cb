// SPDX-License-Identifier: Apache-2.0
#include "problems/qap/reductions/graph.hpp"
#include "tests/unit/problems/qap/support.hpp"

using namespace qapfw::qap;

namespace {

Graph read_graph(const std::string& text) {
    return read_dimacs(text, "g");
}

}  // namespace

TEST_CASE("a DIMACS edge list is read, comments and blank lines aside") {
    const Graph graph = read_graph("c a path\nc\n\np edge 4 3\ne 2 1\ne 2 3\nc in between\n  e   4\t3\r\n");
    CHECK(graph.n == 4);
    CHECK_FALSE(graph.weighted);
    REQUIRE(graph.edges.size() == 3);
    CHECK((graph.edges[0].u == 0 && graph.edges[0].v == 1));
    CHECK((graph.edges[2].u == 2 && graph.edges[2].v == 3));
    CHECK(graph.matrix(4) == std::vector<int64_t>{0, 1, 0, 0, 1, 0, 1, 0, 0, 1, 0, 1, 0, 0, 1, 0});
    CHECK(graph.matrix(5)[4 * 5 + 4] == 0);
    CHECK(graph.summary() == "4 vertices, 3 edges");
    CHECK(read_graph("p col 2 0").edges.empty());
}

TEST_CASE("edges may have weights") {
    const Graph graph = read_graph("p edge 3 2\ne 1 2 7\ne 2 3\n");
    CHECK(graph.weighted);
    CHECK(graph.edges[0].weight == 7);
    CHECK(graph.edges[1].weight == 1);
    CHECK(graph.matrix(3)[1] == 7);
}

TEST_CASE("a file may list each edge in both directions and state either number") {
    for (const char* stated : {"2", "4"}) {
        const Graph graph = read_graph(std::string("p edge 3 ") + stated + "\ne 1 2\ne 3 2\ne 2 1\ne 2 3\n");
        CHECK(graph.edges.size() == 2);
    }
    CHECK_REFUSED(read_graph("p edge 3 3\ne 1 2\ne 2 1\ne 2 3\n"), "g:3:1: ", "2 1 is listed in both directions");
    CHECK_REFUSED(read_graph("p edge 3 4\ne 1 2 5\ne 2 1 6\n"), "g:3:1: ", "has weight 6, but 5 in line 2");
}

TEST_CASE("texts that are not edge lists are refused with the position") {
    CHECK_REFUSED(read_graph(""), "g:1:1: ", "\"p edge N M\" was wanted");
    CHECK_REFUSED(read_graph("c nothing else\n"), "g:2:1: ", "the text ends");
    CHECK_REFUSED(read_graph("e 1 2\n"), "g:1:1: ", "before the edges");
    CHECK_REFUSED(read_graph("p edge 3\n"), "g:1:1: ", "numbers of vertices and of edges");
    CHECK_REFUSED(read_graph("p sp 3 1\n"), "g:1:1: ", "\"p edge N M\"");
    CHECK_REFUSED(read_graph("p edge 3 0\np edge 3 0\n"), "g:2:1: ", "a second time");
    CHECK_REFUSED(read_graph("p edge three 0\n"), "g:1:8: ", "\"three\" is not a number");
    CHECK_REFUSED(read_graph("p edge 0 0\n"), "g:1:8: ", "from 1 to 16384");
    CHECK_REFUSED(read_graph("p edge 16385 0\n"), "g:1:8: ", "from 1 to 16384");
    CHECK_REFUSED(read_graph("p edge 3 -1\n"), "g:1:10: ", "the number of edges is \"-1\"");
    CHECK_REFUSED(read_graph("2 1\n0 1\n"), "g:1:1: ", "begins with c, p or e");
}

TEST_CASE("wrong edges are refused with their place") {
    CHECK_REFUSED(read_graph("p edge 3 1\ne 1\n"), "g:2:1: ", "the number of words after the e is 1");
    CHECK_REFUSED(read_graph("p edge 3 1\ne 1 2 3 4\n"), "g:2:1: ", "the number of words after the e is 4");
    CHECK_REFUSED(read_graph("p edge 3 1\ne 1 x\n"), "g:2:5: ", "\"x\" is not a number");
    CHECK_REFUSED(read_graph("p edge 3 1\ne 1 4\n"), "g:2:5: ", "a vertex is \"4\", it must be from 1 to 3");
    CHECK_REFUSED(read_graph("p edge 3 1\ne 0 1\n"), "g:2:3: ", "from 1 to 3");
    CHECK_REFUSED(read_graph("p edge 3 1\ne 1 2.5\n"), "g:2:5: ", "a vertex was wanted");
    CHECK_REFUSED(read_graph("p edge 3 1\ne 2 2\n"), "g:2:5: ", "a loop");
    CHECK_REFUSED(read_graph("p edge 3 1\ne 1 2 0\n"), "g:2:7: ", "the weight of an edge is \"0\"");
    CHECK_REFUSED(read_graph("p edge 3 1\ne 1 2 99999999999999999999\n"), "g:2:7: ", "the weight of an edge");
    CHECK_REFUSED(read_graph("p edge 3 2\ne 1 2\ne 1 2\n"), "g:3:1: ", "is listed already in line 2");
    CHECK_REFUSED(read_graph("p edge 3 3\ne 1 2\ne 2 1\ne 1 2\n"), "g:4:1: ", "is listed already in line 2");
}

TEST_CASE("a wrong number of edges, as in a truncated file, is refused") {
    CHECK_REFUSED(read_graph("p edge 3 2\ne 1 2\n"), "g:1:10: ", "2 edges are stated here, but the text lists 1");
    CHECK_REFUSED(read_graph("p edge 3 1\ne 1 2\ne 2 3\n"), "g:1:10: ", "lists 2");
}
