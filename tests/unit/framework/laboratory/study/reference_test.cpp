// SPDX-License-Identifier: Apache-2.0
#include "framework/laboratory/study/reference.hpp"

#include <doctest/doctest.h>

#include "framework/laboratory/study/csv.hpp"
#include "qapfw/error.hpp"

using namespace qapfw::framework;
using namespace qapfw::framework::laboratory;

namespace {

References read(const std::string& text) {
    References references;
    parse_reference(text, {"r.csv", "paper", 30, ""}, references);
    return references;
}

std::string reference_refusal(const std::string& text) {
    try {
        read(text);
    } catch (const qapfw::Error& error) {
        return error.what();
    }
    return "taken";
}

}  // namespace

TEST_CASE("lines of figures and lines of runs are told apart") {
    const References ratios = read("instance,algorithm,seconds_min,ratio:GPU\ni,CPU,0.5,16.7\naverage,CPU,,19.2\n");
    CHECK(ratios.figures.at(0).figures.at("ratio:GPU") == 16.7);
    CHECK(ratios.figures.at(0).figures.at("seconds_min") == 0.5);
    CHECK(ratios.figures.at(1).figures.at("ratio:GPU") == 19.2);
    const References figures =
        read("# a comment\ninstance,algorithm,seconds_mean,hits,note\ntai25b,GPU,0.21,30,\"a, b\"\n");
    REQUIRE(figures.figures.size() == 1);
    CHECK(figures.figures[0].runs == 30);
    CHECK(figures.figures[0].figures.at("seconds_mean") == 0.21);
    CHECK(figures.figures[0].figures.at("hits") == 30);
    CHECK(figures.figures[0].note == "a, b");
    const References runs = read("instance,algorithm,run,cost,seconds,hit\r\nx,y,1,5,0.5,1\r\nx,y,2,,0.7,0\r\n");
    REQUIRE(runs.runs.size() == 2);
    CHECK(*runs.runs[0].cost == 5);
    CHECK_FALSE(runs.runs[1].cost);
    CHECK(*runs.runs[1].hit == false);
}

TEST_CASE("a mistake in published results is reported with its line") {
    CHECK(reference_refusal("") == "r.csv:1: the file holds no line with the columns' names");
    CHECK(reference_refusal("instance,cost_mean\n") ==
          "r.csv:1: the column \"algorithm\" is missing; the file has: instance, cost_mean");
    CHECK(reference_refusal("instance,algorithm,note\n").find("a column with results is missing") != std::string::npos);
    CHECK(reference_refusal("instance,algorithm,cost_meen\n") ==
          "r.csv:1: unknown column \"cost_meen\"; did you mean cost_mean or cost_min or cost_best?");
    CHECK(reference_refusal("# c\ninstance,algorithm,cost_mean\na,b,x\n") ==
          "r.csv:3: cost_mean must be a number, found \"x\"");
    CHECK(reference_refusal("instance,algorithm,cost_mean\na,b\n") ==
          "r.csv:2: 3 fields are wanted as in line 1, found 2");
    CHECK(reference_refusal("instance,algorithm,cost_mean\n,b,1\n") ==
          "r.csv:2: instance and algorithm must not be empty");
    CHECK(reference_refusal("instance,algorithm,note\na,b,\"open\n") == "r.csv:2: a quote is not closed");
}

TEST_CASE("fields that need quotes get them and read back") {
    const std::vector<std::string> fields{"a,b", "say \"x\"", "two\nlines", "plain", ""};
    CHECK(parse_csv(csv_line(fields), "x")[0].fields == fields);
}
