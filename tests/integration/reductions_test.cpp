// SPDX-License-Identifier: Apache-2.0
// Other problems solved as QAPs, from the shipped configurations to the answer in the record.
#include <doctest/doctest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "tests/integration/process.hpp"

using namespace qapfw::testing;
using Json = nlohmann::json;

namespace {

const std::string kConfigs = std::string(QAPFW_SOURCE_DIR) + "/configs/qap/";

/// Runs a shipped configuration on two threads into the folder r of `place`.
Json solve(const TemporaryFolder& place, const std::string& config, std::vector<std::string> more = {}) {
    std::vector<std::string> arguments = {"run", kConfigs + config, "--json",   "--threads", "2", "--backend",
                                          "cpu", "--out",           place / "r"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Ended run = qapfw_run(arguments);
    INFO(run.err);
    REQUIRE(run.code == 0);
    CHECK(qapfw_run({"verify", place / "r"}).code == 0);
    return Json::parse(run.out);
}

/// The integers at the beginning of each line. A line that begins with a word or # has none.
std::vector<int> numbers_of(const std::string& text) {
    std::vector<int> out;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        for (int number = 0; words >> number;) out.push_back(number);
    }
    return out;
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> out;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) out.push_back(line);
    return out;
}

/// The edges of a DIMACS file.
std::set<std::pair<int, int>> edges_of(const std::string& file) {
    std::set<std::pair<int, int>> out;
    for (const std::string& line : lines_of(contents(kConfigs + "instances/" + file))) {
        std::istringstream words(line);
        char kind = 0;
        int u = 0, v = 0;
        if (line.front() == 'e' && words >> kind >> u >> v) out.insert({u, v});
    }
    return out;
}

}  // namespace

TEST_CASE("the grid's shortest tour is found and recorded as a TSPLIB tour") {
    const TemporaryFolder place;
    const Json result = solve(place, "tsp.toml");
    CHECK(result["best_cost"] == 300);
    CHECK(result["target_reached"] == true);
    const std::string tour = contents(place / "r/grid5x6.tour");
    CHECK(tour.find("TOUR_SECTION\n1\n") != std::string::npos);
    CHECK(tour.find("COMMENT : length 300\n") != std::string::npos);
    std::vector<int> cities = numbers_of(tour.substr(tour.find("TOUR_SECTION\n")));
    REQUIRE(cities.size() == 31);
    CHECK(cities.back() == -1);
    CHECK(std::set<int>(cities.begin(), cities.end() - 1).size() == 30);
}

TEST_CASE("ulysses16 of TSPLIB is solved to its optimum 6859") {
    const TemporaryFolder place;
    const std::string file = place.write(
        "ulysses16.tsp",
        "NAME: ulysses16.tsp\nTYPE: TSP\nCOMMENT: Odyssey of Ulysses (Groetschel/Padberg)\nDIMENSION: 16\n"
        "EDGE_WEIGHT_TYPE: GEO\nDISPLAY_DATA_TYPE: COORD_DISPLAY\nNODE_COORD_SECTION\n"
        "1 38.24 20.42\n2 39.57 26.15\n3 40.56 25.32\n4 36.26 23.12\n5 33.48 10.54\n6 37.56 12.19\n7 38.42 13.11\n"
        "8 37.52 20.44\n9 41.23 9.10\n10 41.17 13.05\n11 36.08 -5.21\n12 38.47 15.13\n13 38.15 15.35\n"
        "14 37.51 15.17\n15 35.49 14.32\n16 39.36 19.56\nEOF\n");
    CHECK(solve(place, "tsp.toml", {"--set", "problem.instance=" + file, "--target", "6859"})["best_cost"] == 6859);
}

TEST_CASE("the planted clique is found, with a free and with a given size") {
    const std::set<std::pair<int, int>> edges = edges_of("planted12.clq");
    for (const bool free_size : {true, false}) {
        const TemporaryFolder place;
        std::vector<std::string> more;
        if (!free_size) more = {"--set", "problem.clique_size=12", "--target", "best-known"};
        const Json result = solve(place, "clique.toml", more);
        CHECK(result["best_cost"] == (free_size ? 12 : 66));
        const std::vector<int> clique = numbers_of(contents(place / "r/clique.txt"));
        REQUIRE(clique.size() == 12);
        for (std::size_t i = 0; i < clique.size(); ++i) {
            for (std::size_t j = 0; j < i; ++j) CHECK(edges.count({clique[j], clique[i]}) == 1);
        }
    }
}

TEST_CASE("the mesh is cut into halves by 5 edges") {
    const TemporaryFolder place;
    CHECK(solve(place, "partition.toml")["best_cost"] == 5);
    const std::vector<int> parts = numbers_of(contents(place / "r/partition.txt"));
    REQUIRE(parts.size() == 30);
    CHECK(std::count(parts.begin(), parts.end(), 1) == 15);
    int cut = 0;
    for (const auto& [u, v] : edges_of("mesh5x6.col")) {
        cut += parts[static_cast<std::size_t>(u - 1)] != parts[static_cast<std::size_t>(v - 1)] ? 1 : 0;
    }
    CHECK(cut == 5);
}

TEST_CASE("two meshes are packed") {
    const TemporaryFolder place;
    CHECK(solve(place, "packing.toml")["best_cost"] == 0);
    CHECK(contents(place / "r/packing.txt").find("# 0 shared edges") == 0);
    CHECK(numbers_of(contents(place / "r/packing.txt")).size() == 60);
}

TEST_CASE("the recorded arrangement has the length that the result states") {
    const TemporaryFolder place;
    const Json result = solve(place, "linear-arrangement.toml", {"--iterations", "2000"});
    const std::vector<int> order = numbers_of(contents(place / "r/arrangement.txt"));
    REQUIRE(std::set<int>(order.begin(), order.end()).size() == 30);
    std::vector<int> position(31, 0);
    for (std::size_t k = 0; k < order.size(); ++k) position[static_cast<std::size_t>(order[k])] = static_cast<int>(k);
    int length = 0;
    for (const auto& [u, v] : edges_of("mesh5x6.col")) {
        length += std::abs(position[static_cast<std::size_t>(u)] - position[static_cast<std::size_t>(v)]);
    }
    CHECK(result["best_cost"] == length);
    CHECK(length < 200);  // numbered row by row: 5 * 5 edges of length 1 and 4 * 6 edges of length 6, 169 in all
}

TEST_CASE("eight queens are placed and drawn") {
    const TemporaryFolder place;
    CHECK(solve(place, "queens.toml")["best_cost"] == 0);
    const std::vector<std::string> lines = lines_of(contents(place / "r/board.txt"));
    REQUIRE(lines.size() == 9);
    CHECK(lines[0] == "8 queens on 8 x 8 squares, none attacks another:");
    std::set<std::size_t> files, rising, falling;
    for (std::size_t rank = 1; rank <= 8; ++rank) {
        const std::size_t file = lines[rank].find('Q');
        REQUIRE(file != std::string::npos);
        files.insert(file / 2);
        rising.insert(rank + file / 2);
        falling.insert(8 + rank - file / 2);
    }
    CHECK((files.size() == 8 && rising.size() == 8 && falling.size() == 8));
}

TEST_CASE("away from a terminal the answer is one line") {
    const Ended run = qapfw_run({"run", kConfigs + "queens.toml", "--threads", "2", "--set", "output.record=false"});
    REQUIRE_MESSAGE(run.code == 0, run.err);
    CHECK(run.out.find("\nanswer       8 queens on 8 x 8 squares, none attacks another\n") != std::string::npos);
}

TEST_CASE("a knight's tour of 6 x 6 squares is found and drawn") {
    const TemporaryFolder place;
    CHECK(solve(place, "knights-tour.toml")["best_cost"] == 0);
    const std::string text = contents(place / "r/board.txt");
    const std::vector<int> steps = numbers_of(text.substr(text.find('\n') + 1));
    REQUIRE(steps.size() == 36);
    std::vector<std::pair<int, int>> square(36);
    for (int k = 0; k < 36; ++k)
        square[static_cast<std::size_t>(steps[static_cast<std::size_t>(k)] - 1)] = {k / 6, k % 6};
    for (std::size_t k = 0; k < 36; ++k) {
        const auto [row, column] = square[k];
        const auto [next_row, next_column] = square[(k + 1) % 36];
        CHECK(std::abs(row - next_row) * std::abs(column - next_column) == 2);
    }
}

TEST_CASE("any solver works on a board that a configuration names") {
    for (const std::string solver : {"cas", "ga_distributed", "ga_independent", "pga_grid", "random_restart"}) {
        CAPTURE(solver);
        const Ended run =
            qapfw_run({"run", kConfigs + "queens.toml", "--set", "algorithm.plugin=" + solver, "--iterations", "5",
                       "--json", "--set", "output.record=false", "--backend", "cpu"});
        INFO(run.err);
        CHECK(run.code == 0);
        CHECK(Json::parse(run.out)["best_cost"].get<int>() >= 0);
    }
}

TEST_CASE("wrong keys and files end a run with a message and a code") {
    const TemporaryFolder place;
    const auto refused = [&](const std::vector<std::string>& more, const std::string& words) {
        std::vector<std::string> arguments = {"run", kConfigs + "partition.toml", "--set", "output.record=false"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const Ended run = qapfw_run(arguments);
        INFO(run.err);
        CHECK(run.code == 2);
        CHECK(run.err.find(words) != std::string::npos);
    };
    refused({"--set", "problem.reduction=travelling"}, "one of \"none\", \"tsp\", \"linear_arrangement\"");
    refused({"--set", "problem.part=2"}, "problem.part");
    refused({"--set", "problem.parts=0"}, "problem.parts");
    refused({"--set", "problem.parts=31"}, "problem.parts is 31, but it must be from 1 to 30, the number of vertices");
    refused({"--set", "problem.clique_size=3"}, "problem.clique_size is given, but it is only for");
    refused({"--set", "problem.reduction=tsp"}, "problem.parts is given, but it is only for");
    const std::string broken = place.write("broken.col", "p edge 4 2\ne 1 2\ne 2 9\n");
    refused({"--set", "problem.instance=" + broken}, broken + ":3:5: a vertex is \"9\", it must be from 1 to 4");
    refused({"--set", "problem.instance=queens0"}, "there is no such file");
}
