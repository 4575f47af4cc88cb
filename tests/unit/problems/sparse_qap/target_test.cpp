// SPDX-License-Identifier: Apache-2.0
#include "problems/sparse_qap/targets/target.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <set>

#include "qapfw/error.hpp"
#include "sparse_test_data.hpp"

using namespace qapfw;
using namespace qapfw::sparse;
using sparse::test::target_of;

namespace {

std::string refusal_of(const std::string& spec, const std::map<std::string, std::string>& files = {}) {
    try {
        target_of(spec, files);
    } catch (const Error& error) {
        return error.what();
    }
    return "understood";
}

}  // namespace

TEST_CASE("distances on grids and tori are sums over the sides") {
    const Target grid = target_of("grid:64x64");
    CHECK(grid.n() == 4096);
    CHECK(grid.distance(0, 4095) == 126);
    CHECK(grid.distance(5 + 64 * 7, 9 + 64 * 2) == 9);
    const Target torus = target_of("torus:10x10x10");
    CHECK(torus.distance(0, 9) == 1);
    CHECK(torus.distance(0, 5 + 50 + 500) == 15);
    CHECK(target_of("torus:256x256").distance(0, 255 + 256 * 128) == 129);
    CHECK(target_of("torus:1000x3").distance(0, 600 + 1000 * 2) == 401);
    CHECK(target_of("grid:32768x2").distance(0, 65535) == 32768);
}

TEST_CASE("distances on hypercubes, trees and among points") {
    CHECK(target_of("hypercube:10").distance(0b1100110011, 0b0100110000) == 3);
    const Target tree = target_of("tree:4:8:8/1:10:100");
    CHECK(tree.n() == 256);
    CHECK(tree.distance(0, 0) == 0);
    CHECK(tree.distance(0, 3) == 1);
    CHECK(tree.distance(0, 4) == 10);
    CHECK(tree.distance(31, 32) == 100);
    CHECK(target_of("tree:256:256/1:2").n() == 65536);
    const std::map<std::string, std::string> files{{"p.csv", "name,x,y\nA,0,0\nB,3,4\nC,-1.5,0\n"}};
    CHECK(target_of("points:p.csv,l1", files).distance(0, 1) == 7);
    const Target points = target_of("points:p.csv,l2,10", files);
    CHECK(points.distance(0, 1) == 50);
    CHECK(points.distance(1, 2) == 60);  // root of 45^2 + 40^2, rounded
    CHECK(points.names()[1] == "B");
}

TEST_CASE("distances of a table and of a graph") {
    CHECK(target_of("dense:t.txt", {{"t.txt", "0 1 5\n1 0 2\n5 2 0\n"}}).distance(0, 2) == 5);
    CHECK(target_of("dense:t.txt", {{"t.txt", "3\n0,1,5\n1,0,2\n5,2,0\n"}}).distance(1, 2) == 2);
    const std::vector<std::string> names{"hall 1", "b"};
    CHECK(target_of("dense:t.csv", {{"t.csv", "x,hall 1,b\r\nhall 1,0,4\r\nb,4.0,0\r\n"}}).names() == names);
    CHECK(target_of("dense:t.csv", {{"t.csv", "hall 1;b\n0;4\n4;0\n"}}).names() == names);
    CHECK(target_of("dense:t.csv", {{"t.csv", "\xEF\xBB\xBFhall 1,0,4\nb,4,0\n"}}).names() == names);
    CHECK(target_of("graph:g.csv", {{"g.csv", "hall 1,b,3\n"}}).names() == names);
    CHECK(target_of("points:p.csv,l1", {{"p.csv", "\"hall 1\",0,0\nb,1,1\n"}}).names() == names);
    CHECK(target_of("graph:g.graph", {{"g.graph", "4 3\n2\n1 3\n2 4\n3\n"}}).distance(0, 3) == 3);
    CHECK(target_of("graph:g.graph", {{"g.graph", "3 3 1\n2 5 3 9\n1 5 3 1\n1 9 2 1\n"}}).distance(0, 2) == 6);
}

TEST_CASE("locations near each one are other ones, and the nearest of a lattice") {
    for (const Target& target : sparse::test::all_targets()) {
        if (target.is_tree()) continue;
        for (std::uint32_t a = 0; a < target.n(); ++a) {
            for (std::uint32_t k = 0; k < target.near_count(); ++k) {
                const std::uint32_t b = target.near()[a * target.near_count() + k];
                REQUIRE(b < target.n());
                if (target.spec().starts_with("torus:4x5x4")) CHECK(target.distance(a, b) == 1);
            }
        }
    }
}

TEST_CASE("a wrong target gives a message") {
    const auto says = [](const std::string& spec, const char* what,
                         const std::map<std::string, std::string>& files = {}) {
        const std::string found = refusal_of(spec, files);
        CHECK_MESSAGE(found.find(what) != std::string::npos, found);
    };
    says("", "a target was wanted, such as grid:64x64");
    says("ring:5", "\"ring\" is no kind of target; known: grid:64x64");
    says("grid:5xx5", "sides such as 10x10x10 were wanted, found \"\"");
    says("grid:0x5", "found \"0\"");
    says("torus:4294967296x4294967296", "more than 16777216 locations");
    says("torus:65536x2", "at most 8 sides are possible if none is longer than 256, and at most 4");
    says("hypercube:64", "a dimension from 1 to 20 was wanted, found \"64\"");
    says("tree:4:8:8/1:10", "found 3 sizes and 2 costs");
    says("tree:4:8:8", "sizes and costs with \"/\" between");
    says("tree:4:8/10:1", "at least the cost before it");
    says("points:p.csv", "points:FILE.csv,l1", {{"p.csv", "0,0\n"}});
    says("points:p.csv,l1,-1", "a scale above 0", {{"p.csv", "0,0\n"}});
    says("points:p.csv,l1", "p.csv:2:3: two coordinates were wanted", {{"p.csv", "0,0\n1,x\n"}});
    says("dense:t.txt", "a square table of distances was wanted, found 3 numbers", {{"t.txt", "0 1 2\n"}});
    says("dense:t.txt", "t.txt:2:3: a distance was wanted, a whole number; found \"x\"", {{"t.txt", "0 1\n1 x\n"}});
    says("dense:t.txt", "found \"0.5\"; multiply all distances until they are whole", {{"t.txt", "0 0.5\n1 0\n"}});
    says("dense:t.csv", "row 1 is \"b\", but column 1 is \"a\"", {{"t.csv", "x,a,b\nb,0,1\na,1,0\n"}});
    says("points:p.csv,l1", ":1:1: two coordinates were wanted, found \"nan\"", {{"p.csv", "nan,nan\n1,2\n"}});
    says("dense:t.txt", "the same both ways", {{"t.txt", "0 1\n2 0\n"}});
    says("graph:g.mtx",
         "the same both ways, but some edges have another weight in the other direction; problem qap takes",
         {{"g.mtx", "%%MatrixMarket matrix coordinate integer general\n2 2 2\n1 2 3\n2 1 4\n"}});
    says("dense:t.txt", "to itself must be 0", {{"t.txt", "1 1\n1 0\n"}});
    says("graph:g.graph", "no path leads from vertex 1 to vertex 3", {{"g.graph", "3 1\n2\n1\n\n"}});
}
