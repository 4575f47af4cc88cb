// SPDX-License-Identifier: Apache-2.0
#include "problems/sparse_qap/graphs/graph_reader.hpp"

#include <doctest/doctest.h>

#include <string>

#include "problems/sparse_qap/graphs/generators.hpp"
#include "problems/sparse_qap/graphs/graph_writer.hpp"
#include "problems/sparse_qap/graphs/number_table.hpp"
#include "qapfw/error.hpp"

using namespace qapfw;
using namespace qapfw::sparse;

namespace {

Graph read(const std::string& text, GraphFormat format, bool directed = false) {
    return read_graph_text(text, "g", format, directed).graph;
}

std::string refusal(const std::string& text, GraphFormat format) {
    try {
        read(text, format);
    } catch (const Error& error) {
        return error.what();
    }
    return "read";
}

std::int64_t weight_between(const Graph& graph, std::uint32_t u, std::uint32_t v) {
    for (std::uint64_t k = graph.offsets[u]; k < graph.offsets[u + 1]; ++k) {
        if (graph.arcs[k].to == v) return graph.weight(k);
    }
    return 0;
}

}  // namespace

TEST_CASE("METIS graphs are read with and without weights of edges and vertices") {
    const Graph plain = read("% a triangle with a tail\n4 4\n2 3\n1 3\n1 2 4\n3\n", GraphFormat::kMetis);
    CHECK(plain.n == 4);
    CHECK(plain.edges() == 4);
    CHECK(weight_between(plain, 0, 1) == 2);  // 1 in each direction
    CHECK(weight_between(plain, 0, 3) == 0);
    CHECK_FALSE(plain.directed);
    const Graph edges = read("3 2 1\n2 5\n1 5 3 7\n2 7\n", GraphFormat::kMetis);
    CHECK(weight_between(edges, 1, 2) == 14);
    const Graph both = read("3 2 011\n9 2 5\n9 1 5 3 7\n9 2 7\n", GraphFormat::kMetis);
    CHECK(weight_between(both, 0, 1) == 10);
    CHECK(read("3 1 10\n4 2\n4 1\n4\n", GraphFormat::kMetis).degree(2) == 0);
}

TEST_CASE("Scotch graphs are read with base 0 and 1") {
    const Graph zero = read("0\n3 4\n0 010\n1 5 1\n2 5 0 7 2\n1 7 1\n", GraphFormat::kScotch);
    CHECK(weight_between(zero, 0, 1) == 10);
    CHECK(weight_between(zero, 2, 1) == 14);
    const Graph one = read("0\n3 4\n1 000\n1 2\n2 1 3\n1 2\n", GraphFormat::kScotch);
    CHECK(weight_between(one, 1, 2) == 2);
}

TEST_CASE("MatrixMarket files are read, general ones as flows one way") {
    const std::string head = "%%MatrixMarket matrix coordinate ";
    const Graph symmetric = read(head + "pattern symmetric\n3 3 3\n2 1\n3 2\n1 1\n", GraphFormat::kMatrixMarket);
    CHECK(weight_between(symmetric, 0, 1) == 2);
    CHECK(symmetric.loops == 1);
    const Graph general = read(head + "integer general\n3 3 3\n1 2 4\n2 1 3\n2 3 -1\n", GraphFormat::kMatrixMarket);
    CHECK(general.directed);
    CHECK(weight_between(general, 0, 1) == 7);
    CHECK(weight_between(general, 2, 1) == -1);
    CHECK(read(head + "real general\n2 2 1\n1 2 3.0\n", GraphFormat::kMatrixMarket).edges() == 1);
    CHECK(refusal(head + "real general\n2 2 1\n1 2 3.5\n", GraphFormat::kMatrixMarket).find("until they are whole") !=
          std::string::npos);
}

TEST_CASE("lists of edges are read with numbers and names, both ways or one way") {
    const Graph numbers = read("u,v,w\n1,2,5\n2,3,7\n", GraphFormat::kEdgeList);
    CHECK(numbers.n == 3);
    CHECK(weight_between(numbers, 0, 1) == 10);
    const Graph directed = read("0 1 5\n1 0 6\n", GraphFormat::kEdgeList, true);
    CHECK(weight_between(directed, 0, 1) == 11);
    const Graph names = read("from;to;flow\npress;\"saw\";3\nsaw;lathe;4\nsaw;press;1\n", GraphFormat::kEdgeList);
    CHECK(names.names == std::vector<std::string>{"press", "saw", "lathe"});
    CHECK(weight_between(names, 0, 1) == 8);
    CHECK(names.parallel == 1);
}

TEST_CASE("a table of flows is read with names or without, and a 0 gives no edge") {
    for (const char* text : {"0,0,5,0\n0,0,7,0\n1,0,0,0\n0,0,0,0\n", "4\n0 0 5 0\n0 0 7 0\n1 0 0 0\n0 0 0 0\n",
                             "x,a,b,c,d\na,0,0,5,0\nb,0,0,7,0\nc,1,0,0,0\nd,0,0,0,0\n"}) {
        CHECK(looks_like_table(text));
        const Graph table = read(text, GraphFormat::kTable);
        CHECK(table.n == 4);
        CHECK(table.edges() == 2);
        CHECK(table.directed);
        CHECK(weight_between(table, 2, 0) == 6);
        CHECK(weight_between(table, 1, 2) == 7);
        CHECK(table.names.size() == (text[0] == 'x' ? 4 : 0));
    }
    for (const char* text : {"1,2,3\n2,3,4\n", "from,to\na,b\n", "a\nb\n", ""}) CHECK_FALSE(looks_like_table(text));
    CHECK(refusal("0,1,2,3\n1,0,1,1.5\n", GraphFormat::kTable).find("g:2:7: a flow was wanted, a whole number") == 0);
    CHECK(refusal("0,1,2,3\n1,0,1,1\n", GraphFormat::kTable).find("a square table of flows was wanted") !=
          std::string::npos);
}

TEST_CASE("names of a list of edges may hold blanks and, between quotes, separators") {
    const std::string text = "from,to\nproc 0,\"a, b\"\nproc 0,5\"\" pipe\n";
    CHECK(has_edges(text));
    CHECK(read(text, GraphFormat::kEdgeList).names == std::vector<std::string>{"proc 0", "a, b", "5\" pipe"});
    CHECK(read("\"a;b\";c;3\n", GraphFormat::kEdgeList).names == std::vector<std::string>{"a;b", "c"});
}

TEST_CASE("one separator separates the cells of all lines, and a number must fill its cell") {
    const auto names = [](const std::string& text) { return read(text, GraphFormat::kEdgeList).names; };
    const std::vector<std::string> stores{"a", "b, cold", "c"};
    CHECK(names("from;to;w\na;b, cold;3\nb, cold;c;4\n") == stores);
    CHECK(names("from\tto\tw\na\tb, cold\t3\nb, cold\tc\t4\n") == stores);
    CHECK(names("# one; two\na|b, cold|3\nb, cold|c|4\n") == stores);
    CHECK(read("1 2 3\t\n2 3 4\n", GraphFormat::kEdgeList).n == 3);  // a tab at the end separates nothing
    CHECK(refusal("a,b,1 234\n", GraphFormat::kEdgeList).find("g:1:5: the weight of an edge was wanted") == 0);
    CHECK(refusal("a,b,477 trips\n", GraphFormat::kEdgeList).find("g:1:5: the weight of an edge was wanted") == 0);
    CHECK(refusal("a;b;12,5\nb;c;3\n", GraphFormat::kEdgeList).find("g:1:5: the weight of an edge was wanted") == 0);
    CHECK(refusal("0;5;2\n1;0;1 2\n2;1;0\n", GraphFormat::kTable).find("g:2:5: a flow was wanted") == 0);
}

TEST_CASE("a first line is a header only if it cannot be an edge") {
    const auto edges = [](const std::string& text) { return read(text, GraphFormat::kEdgeList).edges(); };
    CHECK(edges("a,b\nb,c\n") == 2);       // the name b occurs in another line too, so the first line is an edge
    CHECK(edges("from,to\nto,x\n") == 1);  // "from" and "to" are usual in headers: only the second line is an edge
    const ReadGraph told = read_graph_text("x,y\na,b\nb,c\n", "g", GraphFormat::kEdgeList, false);
    CHECK(told.graph.edges() == 2);
    CHECK(told.remarks.front().find("\"x\" and \"y\", is taken for a header") != std::string::npos);
    for (const char* weight : {"nan", "4.5", "99999999999999999999", "x"}) {
        const std::string wrong = refusal(std::string("1,2,") + weight + "\n2,3,4\n", GraphFormat::kEdgeList);
        CHECK_MESSAGE(wrong.find("g:1:5: the weight of an edge was wanted") == 0, wrong);
    }
}

TEST_CASE("a list of edges keeps names and vertices without edges") {
    const Graph graph = read("x,x,0\n\"a, b\",c,2\n", GraphFormat::kEdgeList);
    CHECK(graph.loops == 0);
    const std::string text = graph_text(graph, GraphFormat::kEdgeList);
    CHECK(text == "from,to,weight\nx,x,0\n\"a, b\",c,2\n");
    const std::string numbers = graph_text(read("4 1\n\n3\n2\n\n", GraphFormat::kMetis), GraphFormat::kEdgeList);
    CHECK(read(numbers, GraphFormat::kEdgeList).n == 4);
}

TEST_CASE("a format is known by the name, or by the first lines of a text without one") {
    using enum GraphFormat;
    CHECK(graph_format("a.graph", "") == kMetis);
    CHECK(graph_format("a.GRF.gz", "") == kScotch);
    CHECK(graph_format("a.graph", "%%MatrixMarket matrix") == kMatrixMarket);
    CHECK(graph_format("input", "% mesh\n8 12 1\n2 3\n") == kMetis);
    CHECK(graph_format("input", "0\n3 4\n0 000\n") == kScotch);
    CHECK(graph_format("input", "u,v,w\n1,2,3\n") == kEdgeList);
    for (const char* edges : {"u,v,w\n1,2,3\n", "a b\nb c\n", "1 2 0.5\n", "# x\n\"a\";\"b\";2\n"})
        CHECK(has_edges(edges));
    for (const char* others : {"", "Dear all,\n", "# a, 1\nseed = 1\nplugin = \"qap\"\n", "1,2,3,4\n", "from,to,flow\n",
                               "name,x,y\nA,b,c\n"})
        CHECK_MESSAGE(!has_edges(others), others);
    CHECK(graph_format("input", "12\n0 1 2\n") == kUnknown);
    CHECK(graph_format("input", "some words, no numbers\n") == kUnknown);
}

TEST_CASE("weights beyond 32 bits are kept") {
    const Graph wide = read("0,1,5\n1,2,5000000000\n0,2,1\n", GraphFormat::kEdgeList);
    CHECK(weight_between(wide, 0, 1) == 10);
    CHECK(weight_between(wide, 1, 2) == 10'000'000'000);
    CHECK(weight_between(wide, 2, 0) == 2);
}

TEST_CASE("a wrong graph gives a message, and a false header takes no memory") {
    using enum GraphFormat;
    const auto says = [](const std::string& text, GraphFormat format, const char* what) {
        const std::string found = refusal(text, format);
        CHECK_MESSAGE(found.find(what) != std::string::npos, found);
    };
    says("1000000000 5\n2\n1\n", kMetis, "g:1:13: the header promises 1000000000 vertices, but only");
    says("2 1\n2\n\n", kMetis, "the header promises 2 ends of edges (two for each edge), but the file has 1");
    says("0\n1000000000 4\n0 000\n", kScotch, "1000000000 vertices");
    says("0\n2 2\n0 020\n", kScotch, "digits 0 or 1");
    says("%%MatrixMarket matrix array real general\n2 2\n", kMatrixMarket, "matrix coordinate");
    says("%%MatrixMarket matrix coordinate real general\n2 3 1\n1 1 1\n", kMatrixMarket, "2 rows and 3 columns");
    says("%%MatrixMarket matrix coordinate pattern general\n9 9 99999999999\n1 1\n", kMatrixMarket, "entries");
    says("0,1,2\n0,2000000000,1\n", kEdgeList, "far more than 2 edges can need");
    says("0,1,2,3,4\n", kEdgeList, "found 5 cells");
    says("0,1,2\n1,2,x\n", kEdgeList, "g:2:5: the weight of an edge was wanted");
    says("-1,2,3\n1,2,3\n", kEdgeList, "g:1:1: vertices are numbered from 0 or 1, or have names; found -1");
    says("3 2\n2\n1 x\x01y\n2\n", kMetis,
         "g:3:3: a neighbour's number was wanted, a whole number of at most 64 bits; "
         "found \"x\\x01y\"");
    says("%%MatrixMarket matrix coordinate integer general\n2 2 1\n1 2 3 4\n", kMatrixMarket, "g:3:7: an entry");
    says("0,1,9223372036854775807\n", kEdgeList, "beyond 64 bits");
}

TEST_CASE("generated graphs are the same every time and of the size that their name says") {
    CHECK(generate("grid:4x3").edges() == 17);
    CHECK(generate("torus:4x4x4").edges() == 192);
    const Graph regular = generate("regular:100:6");
    for (std::uint32_t u = 0; u < 100; ++u) CHECK(regular.degree(u) == 6);
    for (const char* name : {"rgg2:2000", "rgg3:2000"}) {
        const Graph graph = generate(name);
        CHECK(graph.n == 2000);
        CHECK(graph.edges() > 6000);
        CHECK(graph.edges() < 9000);
        CHECK(generate(name).arcs[77].to == graph.arcs[77].to);
        CHECK(generate(std::string(name) + ":2").edges() != graph.edges());
    }
    CHECK(generate("powerlaw:500").edges() > 1900);
    CHECK_THROWS_WITH_AS(generate("regular:5:5"), doctest::Contains("vertices times degree must be even"), Error);
    CHECK_THROWS_WITH_AS(generate("grid:99999x99999"), doctest::Contains("vertices"), Error);
    CHECK_THROWS_WITH_AS(generate("rgg2:x"), doctest::Contains("a whole number of at least 0 was wanted, found \"x\""),
                         Error);
}
