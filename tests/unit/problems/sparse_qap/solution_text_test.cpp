// SPDX-License-Identifier: Apache-2.0
#include "problems/sparse_qap/solution_text.hpp"

#include <doctest/doctest.h>

#include "qapfw/error.hpp"
#include "sparse_test_data.hpp"

using namespace qapfw;
using namespace qapfw::sparse;
using sparse::test::target_of;

namespace {

using Locations = std::vector<std::uint32_t>;

std::string wrong_mapping(const std::string& text) {
    try {
        read_locations(text, generate("grid:3"), target_of("grid:4"));
    } catch (const Error& error) {
        return error.what();
    }
    return "read";
}

}  // namespace

TEST_CASE("mappings are read as lists, as Scotch's pairs and as CSV with names") {
    const Graph graph = generate("grid:3");
    const Target target = target_of("grid:4");
    CHECK(read_locations("2\n0\n3\n", graph, target) == Locations{2, 0, 3, 1});
    CHECK(read_locations("2\n0\n1\n# free\n3\n", graph, target) == Locations{2, 0, 1, 3});
    CHECK(read_locations("3\n0\t2\n2\t3\n1\t0\n", graph, target) == Locations{2, 0, 3, 1});
    CHECK(read_locations("3\n0\n1\n", graph, target) ==
          Locations{3, 0, 1, 2});  // a plain list: its first number is a location, not the size
    CHECK(read_locations("facility,location\n1,3\n3,4\n2,1\n", graph, target) == Locations{2, 0, 3, 1});
    CHECK(read_locations("4 17\n3 1\n4 2\n", graph, target) == Locations{2, 0, 3, 1});  // in QAPLIB's form
    CHECK(read_locations("3 0\n3 1 4\n", graph, target) == Locations{2, 0, 3, 1});
    CHECK(read_locations("facility,location\n2,4\n", graph, target) ==
          Locations{0, 3, 1, 2});  // the other vertices get the free locations
    Graph named = graph;
    named.names = {"a", "b", "c"};
    const Target points = target_of("points:q.csv,l1", {{"q.csv", "x,0,0\ny,1,0\nz,2,0\n"}});
    CHECK(read_locations("b,z\na,y\nc,x\n", named, points) == Locations{1, 2, 0});
    named.names[1] = "b, 2\"";
    CHECK(read_locations("\"b, 2\"\"\",z\r\na,y\r\nc, x\r\n", named, points) == Locations{1, 2, 0});
}

TEST_CASE("a mapping that cannot be is refused with a message") {
    const auto says = [](const std::string& text, const char* what) {
        const std::string found = wrong_mapping(text);
        CHECK_MESSAGE(found.find(what) != std::string::npos, found);
    };
    says("0\n1\n", "locations of 3 vertices were wanted, found 2");
    says("0\n1\n1\n", "location 1 (counted from 0) is taken twice");
    says("0\n1\n4\n", "there are locations 0 to 3, found 4");
    says("4 0\n1 2 3 5\n", "the mapping:2:7: a location's number must be from 1 to 4, found 5");
    says("4 0\n1 2 3 4 4\n", "4 locations were wanted, but more numbers follow");
    says("4 0\n1 2\n", "locations of 3 vertices were wanted, found 2");
    says("0\n1\nx\n", "found \"x\"");
    says("1,1\n2,2\n9,3\n", "the mapping:3:1: \"9\" is no vertex");
    says("1,1\n2,2,2\n", "a line \"vertex,location\" was wanted, found 3 cells");
    says("0 0\n3 1\n", "there are vertices 0 to 2, found 3");
    says("0\n1\n2\n3\n3\n", "at most 4 lines with one number were wanted, one for each location");
}
