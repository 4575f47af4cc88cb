// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cmath>

#include "framework/laboratory/report/asked_sections.hpp"
#include "tests/unit/framework/laboratory/report/sample_runs.hpp"
#include "tests/unit/framework/laboratory/statistics/censored_values.hpp"

using namespace qapfw;
using namespace qapfw::framework;
using namespace qapfw::framework::laboratory;
using namespace qapfw::testing;

namespace {

const StudySection kAsked = asked_for("speedup", {{"single", "\"T1\""}, {"parallel", "[\"T30\"]"}, {"p", "[30]"}});

void add(std::vector<RunRow>& rows, const std::string& variant, const std::vector<statistics::TimedRun>& runs) {
    std::uint64_t seed = 0;
    for (const auto& run : runs) rows.push_back(timed_run("i", variant, ++seed, run.seconds, run.hit));
}

Section made(const std::vector<statistics::TimedRun>& ones, const std::vector<statistics::TimedRun>& thirties) {
    std::vector<RunRow> rows;
    add(rows, "T1", ones);
    add(rows, "T30", thirties);
    Plan plan;
    plan.study.measure = StudyMeasure::kSeconds;
    return speedup_section(Results(plan, rows), kAsked);
}

}  // namespace

TEST_CASE("runs that missed count in the times, the gain and the fits of independent runs") {
    const auto& c = statistics::reference::kCensored[0];
    const Section section = made(c.runs, {{0.5, true}, {0.3, true}, {1, false}});
    const Table& table = section.tables.at(0);
    REQUIRE(table.rows.size() == 1);
    CHECK(number_in(table, 0, "T1 s") == doctest::Approx(77.8 / 9));
    CHECK(number_in(table, 0, "Tp s") == doctest::Approx(0.9));
    CHECK(number_in(table, 0, "gain") == doctest::Approx(77.8 / 9 / 0.9));
    CHECK(number_in(table, 0, "gamma shape") == doctest::Approx(c.gamma_ls[0]).epsilon(1e-4));
    CHECK(number_in(table, 0, "gamma scale") == doctest::Approx(c.gamma_ls[1]).epsilon(1e-4));
    CHECK(number_in(table, 0, "shape (ML)") == doctest::Approx(c.gamma_ml[0]).epsilon(1e-4));
    CHECK(number_in(table, 0, "scale (ML)") == doctest::Approx(c.gamma_ml[1]).epsilon(1e-4));
    CHECK(number_in(table, 0, "hits 1") == 9);
    CHECK(number_in(table, 0, "runs 1") == 12);
    CHECK(number_in(table, 0, "hits p") == 2);
    CHECK(number_in(table, 0, "runs p") == 3);
    CHECK(is_empty(table, 0, "std 1"));
    CHECK(is_empty(table, 0, "std p"));
    CHECK(table.note.find("A deviation is empty if a run missed") != std::string::npos);
    // The first plot has a point for each run that hit. It shows no mean, since the mean of all runs is unknown. In the
    // second plot, the measured distribution ends at the fraction of runs that hit, not at 1.
    CHECK(section.plots.at(0).kind == "points");
    CHECK(section.plots.at(0).series.at(0).y.size() == 9);
    CHECK(section.plots.at(0).series.at(0).x.empty());
    const Series& measured = section.plots.at(1).series.at(0);
    CHECK(measured.y.back() == doctest::Approx(0.75));
    CHECK(section.plots.at(1).note.find("9 of 12 runs hit") != std::string::npos);
}

TEST_CASE("where all runs hit the times are means with deviations") {
    const Table table = made({{1, true}, {2, true}, {6, true}}, {{1, true}, {2, true}}).tables.at(0);
    CHECK(number_in(table, 0, "T1 s") == doctest::Approx(3));
    CHECK(number_in(table, 0, "std 1") == doctest::Approx(std::sqrt(7)));
    CHECK(number_in(table, 0, "gain") == doctest::Approx(2));
    CHECK(table.note.find("empty") == std::string::npos);
}

TEST_CASE("what cannot be told without hits is empty, with a message why") {
    const Table no_p = made({{1, true}, {2, true}, {6, true}}, {{1, false}, {2, false}}).tables.at(0);
    CHECK(std::isinf(number_in(no_p, 0, "Tp s")));
    for (const char* column : {"gain", "Delta", "std p"}) CHECK(is_empty(no_p, 0, column));
    CHECK(no_p.note.find("A gain is empty") != std::string::npos);
    const Table no_ones = made({{9, false}, {9, false}}, {{1, true}}).tables.at(0);
    for (const char* column : {"gain", "gamma shape", "shape (ML)", "M(p)", "Delta", "M(p) resampled"})
        CHECK(is_empty(no_ones, 0, column));
    CHECK(no_ones.note.find("A fit by least squares needs three different times") != std::string::npos);
}

TEST_CASE("the M(p) that is drawn from the single runs has a note on its limit") {
    const Table table = made({{1, true}, {2, true}, {6, true}}, {{0.1, true}}).tables.at(0);
    CHECK(number_in(table, 0, "M(p) resampled") == doctest::Approx(1).epsilon(1e-4));
    CHECK(table.note.find("never below the shortest time of a hit") != std::string::npos);
}
