// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>

#include "tests/unit/framework/laboratory/report/sample_runs.hpp"

using namespace qapfw::framework;
using namespace qapfw::framework::laboratory;
using namespace qapfw::testing;

namespace {

/// Runs of three algorithms. The first is the fastest on every instance.
std::vector<RunRow> ordered_runs(int instances) {
    std::vector<RunRow> rows;
    for (int k = 0; k < instances; ++k) {
        for (std::uint64_t seed = 1; seed <= 3; ++seed) {
            double seconds = 1;
            for (const char* variant : {"a", "b", "c"})
                rows.push_back(timed_run("i" + std::to_string(k), variant, seed, seconds++));
        }
    }
    return rows;
}

}  // namespace

TEST_CASE("algorithms without any run are left out of the ranks, with a message") {
    Plan plan;
    plan.study.measure = StudyMeasure::kSeconds;
    for (const char* algorithm : {"a", "b", "c", "two GPUs"}) plan.cells.push_back(planned_cell("i0", algorithm));
    const auto rows = ordered_runs(4);
    const Section section = summary_section(Results(plan, rows));
    const Table& ranking = section.tables.at(0);
    REQUIRE(ranking.rows.size() == 3);
    for (std::size_t row = 0; row < 3; ++row)
        CHECK(number_in(ranking, row, "mean rank") == static_cast<double>(row + 1));
    CHECK(ranking.note == "Algorithms without runs are left out: two GPUs.");
    REQUIRE(section.plots.size() == 1);
    CHECK(section.plots[0].series.size() == 3);
}

TEST_CASE("the summary says which costs are better where costs are maximised") {
    Plan plan;
    plan.study.measure = StudyMeasure::kCost;
    plan.cells.push_back(planned_cell("i0", "a"));
    auto rows = ordered_runs(1);
    CHECK(summary_section(Results(plan, rows)).text.find("smaller is better.") != std::string::npos);
    for (RunRow& row : rows) row.sense = -1;
    CHECK(summary_section(Results(plan, rows)).text.find("larger where costs are maximised.") != std::string::npos);
}

TEST_CASE("where all instances rank alike the p value is the chance of that and not 0") {
    Plan plan;
    plan.study.measure = StudyMeasure::kSeconds;
    const auto note = [&](int instances) {
        const auto rows = ordered_runs(instances);
        return summary_section(Results(plan, rows)).plots.at(0).note;
    };
    CHECK(note(3).find("all instances rank the algorithms alike; by chance this has the probability 0.0278.") !=
          std::string::npos);
    CHECK(note(30).find("the probability < 1e-16.") != std::string::npos);
    CHECK(note(30).find("probability 0.") == std::string::npos);
}

TEST_CASE("the gap of runs that the time limit cut is not compared with that of whole budgets") {
    Plan plan;
    plan.study.measure = StudyMeasure::kBudget;
    for (const char* algorithm : {"a", "b", "c"}) plan.cells.push_back(planned_cell("i0", algorithm, {}, 100));
    auto rows = ordered_runs(1);
    for (RunRow& row : rows) row.stop_reason = "iterations";
    const Table whole = summary_section(Results(plan, rows)).tables.at(0);
    CHECK(std::none_of(whole.columns.begin(), whole.columns.end(),
                       [](const Column& column) { return column.name == "cut runs"; }));
    for (RunRow& row : rows) {
        if (row.variant == "b" && row.seed == 2) row.stop_reason = "time_limit";
    }
    const Table cut = summary_section(Results(plan, rows)).tables.at(0);
    for (std::size_t row = 0; row < 3; ++row) {
        const bool b = text_in(cut, row, "algorithm") == "b";
        CHECK(is_empty(cut, row, "mean gap %") == b);
        CHECK(number_in(cut, row, "cut runs") == (b ? 1 : 0));
    }
    CHECK(cut.note.find("has no mean gap") != std::string::npos);
    plan.references.figures.push_back({"paper", "i0", "b", 10, {{"seconds_mean", 9}, {"gap_mean", 1}}, "as printed"});
    const Table beside = reference_section(Results(plan, rows)).tables.at(1);
    CHECK(is_empty(beside, 0, "our gap %"));
    CHECK(text_in(beside, 0, "note") == "as printed; the time limit ended 1 of 3 runs early, so our gap is not shown");
    plan.study.measure = StudyMeasure::kCost;  // the gap is left out only if the measure is kBudget
    CHECK_FALSE(is_empty(summary_section(Results(plan, rows)).tables.at(0), 1, "mean gap %"));
}
