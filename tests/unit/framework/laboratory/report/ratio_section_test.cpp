// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <map>
#include <string>
#include <utility>

#include "framework/laboratory/report/asked_sections.hpp"
#include "framework/laboratory/report/exports.hpp"
#include "tests/unit/framework/laboratory/report/sample_runs.hpp"

using namespace qapfw::framework;
using namespace qapfw::framework::laboratory;
using namespace qapfw::testing;

TEST_CASE("a ratio is empty where one of the two, or both, have no hit") {
    std::vector<RunRow> rows;
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        rows.push_back(timed_run("both", "a", seed, 6));
        rows.push_back(timed_run("both", "b", seed, 2, seed > 1));
        rows.push_back(timed_run("first", "a", seed, 6));
        rows.push_back(timed_run("first", "b", seed, 2, false));
        rows.push_back(timed_run("neither", "a", seed, 6, false));
        rows.push_back(timed_run("neither", "b", seed, 2, false));
        rows.push_back(timed_run("second", "a", seed, 6, false));
        rows.push_back(timed_run("second", "b", seed, 2));
    }
    Plan plan;
    plan.study.measure = StudyMeasure::kSeconds;
    const Section section = ratio_section(Results(plan, rows), asked_for("ratio", {{"of", "\"a\""}, {"to", "\"b\""}}));
    const Table& table = section.tables.at(0);
    REQUIRE(table.rows.size() == 6);
    CHECK(number_in(table, 0, "ratio") == doctest::Approx(6 / (8.0 / 3)));
    CHECK(number_in(table, 0, "from") < number_in(table, 0, "to"));
    for (std::size_t row = 1; row < 4; ++row) {
        CAPTURE(text_in(table, row, "instance"));
        for (const char* column : {"ratio", "from", "to"}) CHECK(is_empty(table, row, column));
    }
    CHECK(text_in(table, 4, "instance") == "geometric mean");
    CHECK(number_in(table, 4, "ratio") == doctest::Approx(2.25));
    CHECK(text_in(table, 5, "instance") == "arithmetic mean");
    CHECK(table.note.find("The means leave out 3 rows") != std::string::npos);
    CHECK(table_csv(table).find("a,b,neither,,,,,\n") != std::string::npos);
    CHECK(table_latex(table).find("neither &  &  &  &  &  \\\\") != std::string::npos);
    CHECK(table_markdown(table).find("| neither |  |  |  |  |  |") != std::string::npos);
}

TEST_CASE("a published ratio is the printed one, and means beside each other are of the same instances") {
    std::vector<RunRow> rows;
    Plan plan;
    plan.study.measure = StudyMeasure::kSeconds;
    const double ours[] = {2, 8, 4};
    const char* const instances[] = {"i", "j", "k"};
    for (std::size_t at = 0; at < 3; ++at) {
        for (std::uint64_t seed = 1; seed <= 4; ++seed) {
            rows.push_back(timed_run(instances[at], "a", seed, ours[at]));
            rows.push_back(timed_run(instances[at], "b", seed, 1));
        }
    }
    const auto figures = [&](const std::string& instance, const std::string& algorithm,
                             std::map<std::string, double> values) {
        plan.references.figures.push_back({"paper", instance, algorithm, 10, std::move(values), ""});
    };
    figures("i", "a", {{"seconds_mean", 74.4}, {"ratio:b", 16.7}});
    figures("i", "b", {{"seconds_mean", 4.4}});
    figures("j", "a", {{"seconds_mean", 9}});
    figures("j", "b", {{"seconds_mean", 3}});
    figures("average", "a", {{"ratio:b", 19.2}});
    const Section section = ratio_section(Results(plan, rows), asked_for("ratio", {{"of", "\"a\""}, {"to", "\"b\""}}));
    const Table& table = section.tables.at(0);
    REQUIRE(table.rows.size() == 8);
    CHECK(number_in(table, 0, "published ratio") == 16.7);
    CHECK(text_in(table, 0, "which is") == "printed");
    CHECK(number_in(table, 1, "published ratio") == 3);
    CHECK(text_in(table, 1, "which is") == "divided");
    CHECK(is_empty(table, 2, "published ratio"));
    CHECK(number_in(table, 3, "ratio") == doctest::Approx(4));
    CHECK(number_in(table, 4, "ratio") == doctest::Approx(14.0 / 3));
    CHECK(is_empty(table, 4, "published ratio"));
    CHECK(number_in(table, 6, "ratio") == doctest::Approx(5));
    CHECK(number_in(table, 6, "published ratio") == doctest::Approx(9.85));
    CHECK(text_in(table, 7, "instance") == "average");
    CHECK(number_in(table, 7, "published ratio") == 19.2);
}

TEST_CASE("a figure of others has no ratio to an algorithm of ours without a hit") {
    std::vector<RunRow> rows;
    for (std::uint64_t seed = 1; seed <= 6; ++seed) rows.push_back(timed_run("i", "a", seed, 6, false));
    Plan plan;
    plan.study.measure = StudyMeasure::kSeconds;
    plan.references.figures.push_back({"paper", "i", "a", 10, {{"seconds_mean", 3}}, ""});
    const Table table = reference_section(Results(plan, rows)).tables.at(1);
    for (const char* column : {"ratio", "from", "to"}) CHECK(is_empty(table, 0, column));
}
