// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "framework/laboratory/report/asked_sections.hpp"
#include "tests/unit/framework/laboratory/report/sample_runs.hpp"

using namespace qapfw::framework;
using namespace qapfw::framework::laboratory;
using namespace qapfw::testing;

TEST_CASE("quality and time have the speed-up, and means of ours and theirs over the instances") {
    Plan plan;
    std::vector<RunRow> rows;
    const auto add = [&](const char* instance, const char* algorithm, double cost, double seconds) {
        rows.push_back(timed_run(instance, algorithm, 1, seconds));
        rows.back().cost = cost;
    };
    add("F40", "CPU", 110, 8);
    add("F40", "gpu", 100, 2);
    add("F60", "CPU", 100, 10);
    add("F60", "gpu", 100, 1);
    const auto theirs = [&](const char* instance, double nq, double nt) {
        plan.references.figures.push_back(
            {"paper", instance, "gpu", 10, {{"statistic:NQ", nq}, {"statistic:NT", nt}}, ""});
    };
    theirs("F40", 1.01, 0.25);
    theirs("F60", 1.03, 0.05);
    const Section section =
        asked_section(Results(plan, rows), asked_for("quality_time", {{"cpu", "\"CPU\""}, {"gpu", "[\"gpu\"]"}}));
    const Table& table = section.tables.at(0);
    REQUIRE(table.rows.size() == 3);
    CHECK(number_in(table, 0, "NQ") == doctest::Approx(1.1));
    CHECK(number_in(table, 0, "1 / NT") == doctest::Approx(4));
    CHECK(number_in(table, 1, "their 1 / NT") == doctest::Approx(20));
    CHECK(text_in(table, 2, "instance") == "arithmetic mean");
    CHECK(number_in(table, 2, "NQ") == doctest::Approx(1.05));
    CHECK(number_in(table, 2, "1 / NT") == doctest::Approx(7));
    CHECK(number_in(table, 2, "their 1 / NT") == doctest::Approx(12));
    CHECK(number_in(table, 2, "their NQ") == doctest::Approx(1.02));
    CHECK(is_empty(table, 2, "their QTR"));
    CHECK(is_empty(table, 2, "Q second"));
    REQUIRE(section.plots.size() == 4);
    CHECK(section.plots[3].y == "PQI [%]");
    CHECK(section.plots[3].series.at(0).y.at(0) == doctest::Approx(100 * 10.0 / 110));
}
