// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "framework/laboratory/report/asked_sections.hpp"
#include "tests/unit/framework/laboratory/report/sample_runs.hpp"

using namespace qapfw::framework;
using namespace qapfw::framework::laboratory;
using namespace qapfw::testing;

namespace {

/// Ten runs of which six hit, after 8, 10, 12, 14, 50 and 60 iterations.
std::vector<RunRow> ten_runs() {
    std::vector<RunRow> rows;
    const double iterations[] = {8, 10, 12, 14, 50, 60};
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        const bool hit = seed <= 6;
        rows.push_back(timed_run("els19", "A", seed, 2 * static_cast<double>(seed), hit));
        rows.back().iterations = 100;
        rows.back().iterations_to_best = hit ? iterations[seed - 1] : 5;
    }
    return rows;
}

StudySection iterations_layout() {
    return asked_for("layout", {{"figure", "\"iterations_median\""}, {"columns", "{ \"20n\" = \"A\" }"}});
}

const Table& table_of(const Section& section, const std::string& id) {
    for (const Table& table : section.tables) {
        if (table.id == id) return table;
    }
    throw std::out_of_range("no table " + id);
}

}  // namespace

TEST_CASE("a printed table and the table beside others' figures say the same of runs that miss") {
    Plan plan;
    plan.study.measure = StudyMeasure::kIterations;
    plan.references.figures.push_back(
        {"thesis", "els19", "A", 10, {{"iterations_median", 12}, {"iterations_mad", 2}}, ""});
    const auto rows = ten_runs();
    const Results results(plan, rows);
    // The median of ten runs. Four runs missed and were longer than all that hit, so the median is between the fifth
    // and the sixth.
    const Section layout = layout_section(results, iterations_layout());
    CHECK(text_in(layout.tables.at(0), 0, "20n [iterations]") == "55 ± 46, 6 of 10 hit");
    CHECK(text_in(layout.tables.at(0), 0, "20n [iterations], theirs") == "12 ± 2");
    CHECK(layout.tables.at(0).note.find(kRuleForMisses) != std::string::npos);
    const Section reference = reference_section(results);
    const Table& beside = table_of(reference, "references");
    CHECK(number_in(beside, 0, "ours") == 55);
    CHECK(number_in(beside, 0, "our MAD") == 46);
    CHECK(number_in(beside, 0, "their MAD") == 2);
    CHECK(text_in(beside, 0, "unit") == "iterations");
    CHECK(is_empty(beside, 0, "our std"));
    CHECK(reference.text.find(kRuleForMisses) != std::string::npos);
}

TEST_CASE("where half of the runs miss there is no median of the iterations") {
    Plan plan;
    plan.study.measure = StudyMeasure::kIterations;
    auto rows = ten_runs();
    rows[5].hit = false;
    const Results results(plan, rows);
    CHECK(text_in(layout_section(results, iterations_layout()).tables.at(0), 0, "20n [iterations]") ==
          "none, 5 of 10 hit");
    CHECK(std::isinf(results.summary(*results.find("els19", "A"))));
}

TEST_CASE("a study of times has spreads of times, in seconds") {
    Plan plan;
    plan.study.measure = StudyMeasure::kSeconds;
    plan.references.figures.push_back({"paper", "els19", "A", 10, {{"seconds_mean", 9}, {"seconds_std", 1}}, ""});
    std::vector<RunRow> rows;
    for (std::uint64_t seed = 1; seed <= 5; ++seed)
        rows.push_back(timed_run("els19", "A", seed, 2 * static_cast<double>(seed)));
    const Results results(plan, rows);
    const Section section = reference_section(results);
    const Table& beside = table_of(section, "references");
    CHECK(text_in(beside, 0, "unit") == "s");
    CHECK(number_in(beside, 0, "our std") == doctest::Approx(3.1623).epsilon(1e-4));
    CHECK(number_in(beside, 0, "ours, hits alone") == 6);
    CHECK(number_in(beside, 0, "our MAD") == 2);
}

TEST_CASE("medians with infinite values are those of all values") {
    const double infinite = std::numeric_limits<double>::infinity();
    CHECK(median_with_misses(std::vector<double>{1, 3, infinite}) == 3);
    CHECK(deviation_with_misses(std::vector<double>{1, 3, infinite}) == 2);
    CHECK(std::isinf(median_with_misses(std::vector<double>{1, infinite})));
    CHECK(std::isinf(deviation_with_misses(std::vector<double>{1, infinite})));
    CHECK(std::isinf(median_with_misses({})));
    CHECK(deviation_with_misses(std::vector<double>{4}) == 0);
}

TEST_CASE("times of the hits stand beside the published ones, and the time of all runs for each hit apart") {
    Plan plan;
    plan.study.measure = StudyMeasure::kSeconds;
    plan.references.figures.push_back(
        {"cec",
         "tai25b",
         "A",
         30,
         {{"hits", 6}, {"seconds_mean", 0.07}, {"seconds_min", 0.05}, {"seconds_max", 0.1}},
         ""});
    std::vector<RunRow> rows{timed_run("tai25b", "A", 1, 0.5), timed_run("tai25b", "A", 2, 1.5),
                             timed_run("tai25b", "A", 3, 10, false), timed_run("kra30b", "A", 1, 10, false)};
    const Results results(plan, rows);
    const Table table =
        layout_section(results, asked_for("layout", {{"figure", "\"seconds_hits\""}, {"columns", "{ \"x\" = \"A\" }"}}))
            .tables.at(0);
    CHECK(number_in(table, 0, "x: hits") == 2);
    CHECK(number_in(table, 0, "x: hits, theirs") == 6);
    CHECK(number_in(table, 0, "x: mean [s]") == 1);
    CHECK(number_in(table, 0, "x: mean [s], theirs") == 0.07);
    CHECK(number_in(table, 0, "x: min [s]") == 0.5);
    CHECK(number_in(table, 0, "x: max [s], theirs") == 0.1);
    CHECK(number_in(table, 0, "x: std [s]") == doctest::Approx(0.70711).epsilon(1e-4));
    CHECK_THROWS(value_in(table, 0, "x: std [s], theirs"));
    CHECK(number_in(table, 0, "x: ERT [s]") == 6);
    CHECK(number_in(table, 1, "x: hits") == 0);
    CHECK(is_empty(table, 1, "x: mean [s]"));
    CHECK(is_empty(table, 1, "x: ERT [s]"));
    const Section reference = reference_section(results);
    const Table& beside = table_of(reference, "references");
    CHECK(number_in(beside, 0, "ours") == 6);  // 12 s for two hits, so 6 s for each
    CHECK(number_in(beside, 0, "ours, hits alone") == 1);
    const Section instances = instances_section(results);
    const Table& all = table_of(instances, "results");
    CHECK(number_in(all, 0, "hits' mean s") == 1);
    CHECK(number_in(all, 0, "hits' max s") == 1.5);
    CHECK(is_empty(all, 1, "hits' mean s"));
    CHECK(number_in(all, 0, "ERT s") == 6);
}

TEST_CASE("times and errors of a whole budget are those of the printed table, and runs that were cut follow its rule") {
    Plan plan;
    plan.study.measure = StudyMeasure::kBudget;
    plan.cells.push_back(planned_cell("i", "a", {}, 100));
    std::vector<RunRow> rows;
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        rows.push_back(timed_run("i", "a", seed, 2));
        rows.back().gap = 0.01 * static_cast<double>(seed);
        rows.back().iterations = 100;
    }
    rows.back().stop_reason = "time_limit";
    rows.back().iterations = 50;
    plan.references.figures.push_back({"paper", "i", "a", 10, {{"gap_mean", 0.29}}, ""});
    const auto cell = [&](const char* figure, const char* column) {
        const Section section = asked_section(
            Results(plan, rows),
            asked_for("layout", {{"figure", "\"" + std::string(figure) + "\""}, {"columns", "{ A = \"a\" }"}}));
        return text_in(section.tables.at(0), 0, column);
    };
    CHECK(cell("seconds_mean", "A [s]") == "2.67 ± 1.15");  // the run cut short halfway counts 4 s, twice its 2 s
    CHECK(cell("gap_mean", "A [%]") == "1.5 ± 0.707");      // the run that was cut short has no value
    CHECK(cell("gap_mean", "A [%], theirs") == "0.29");
}
