// SPDX-License-Identifier: Apache-2.0
// Tests the reader of METIS graphs, which several problems use.
#include "common/metis_reader.hpp"

#include <doctest/doctest.h>

#include <string>

#include "common/sparse_graph.hpp"
#include "common/text_cursor.hpp"
#include "qapfw/error.hpp"

using namespace qapfw;

namespace {

common::MetisGraph read_metis_text(const std::string& text) {
    common::TextCursor cursor(text, "g");
    return common::read_metis(cursor, 1'000'000'000);
}
common::Graph metis_graph(const std::string& text) {
    return common::make_graph(read_metis_text(text).edges, "g");
}
std::string refusal_of_metis(const std::string& text) {
    try {
        metis_graph(text);
    } catch (const Error& error) {
        return error.what();
    }
    return "read";
}

}  // namespace

TEST_CASE("METIS graphs have weights of edges, weights and sizes of vertices, or none of them") {
    CHECK(read_metis_text("3 2\n2\n1 3\n2\n").weights.empty());
    const common::MetisGraph all = read_metis_text("3 2 111\n8 4 2 5\n8 6 1 5 3 7\n8 0 2 7\n\n% the end\n");
    CHECK(all.weights == std::vector<std::int64_t>{4, 6, 0});
    CHECK(all.edges.weight == std::vector<std::int64_t>{5, 5, 7, 7});
    const common::MetisGraph two = read_metis_text("2 1 10 2\n4 9 2\n3 8 1\n");
    CHECK(two.weights_each == 2);
    CHECK(two.weights == std::vector<std::int64_t>{4, 9, 3, 8});
}

TEST_CASE("edges that a METIS file has twice are summed up, and those from a vertex to itself are left out") {
    const common::Graph graph = metis_graph("2 3\n2 2 1\n1 1 2\n");
    CHECK(graph.edges() == 1);
    CHECK(graph.weight(0) == 4);  // two parallel edges, each in both directions
    CHECK(graph.parallel == 1);
    CHECK(graph.loops == 2);
}

TEST_CASE("a wrong METIS graph gives a message, and a false header takes no memory") {
    const auto says = [](const std::string& text, const char* what) {
        const std::string found = refusal_of_metis(text);
        CHECK_MESSAGE(found.find(what) != std::string::npos, found);
    };
    says("", "but the file has none");
    says("1000000000 5\n2\n1\n", "g:1:13: the header promises 1000000000 vertices, but only");
    says("2000000000 5\n2\n1\n", "g:1:1: the number of vertices must be from 1 to 1000000000, found 2000000000");
    says("2 1000000000000\n2\n1\n", "only 5 bytes follow");
    says("2 1 7\n2\n1\n", "g:1:5: fmt must be at most three digits, each 0 or 1");
    says("2 1 1000\n2\n1\n", "g:1:5: fmt must be at most three digits, each 0 or 1");
    says("2 1 0 1 9\n2\n1\n", "more than four numbers");
    says("2 1\n3\n1\n", "g:2:1: a neighbour's number must be from 1 to 2, found 3");
    says("2 1\n2\n\n", "g:3:2: the header promises 2 ends of edges (two for each edge), but the file has 1");
    says("3 2\n2\n1 3\n", "the file has lines for 2");
    says("2 1\n2\n1\n\n1\n", "g:5:1: the header promises 2 vertices, but another line follows the last vertex");
    says("3 2\n2\n1 3\n1\n", "g: vertex 1: the edge to 3 is missing, but at vertex 3 the same edge has the weight 1");
    says("2 1 1\n2 4\n1 5\n",
         "has the weight 4, but at vertex 2 the same edge has the weight 5; each edge must be listed");
    says("2 1 1\n2 -4\n1 -4\n", "g:2:3: the weight of an edge must not be negative in this format, found -4");
    says("2 1 10\n-3 2\n1 1\n", "g:2:1: the weight of a vertex must not be negative in this format, found -3");
    says("2 2\n2\n1\n", "the header promises 4 ends of edges");
    says("2 1 1\n2\n1 1\n", "g:2:2: the weight of an edge was wanted, but the line ends");
    says("2 1\n2 x\n1\n", "found \"x\"");
}
