// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <set>

#include "framework/laboratory/report/asked_sections.hpp"
#include "tests/unit/framework/laboratory/report/sample_runs.hpp"

using namespace qapfw::framework;
using namespace qapfw::framework::laboratory;
using namespace qapfw::testing;

namespace {

/// Runs of the methods m1, m2 and m3, each with three values of one key. Also runs of the method cas, which lacks this
/// key.
struct Swept {
    Plan plan;
    std::vector<RunRow> rows;

    Swept() {
        for (const char* method : {"m1", "m2", "m3"}) {
            for (const char* rounds : {"2", "4", "8"})
                add(planned_cell("i", method, {{"algorithm.tournament_rounds", "M", rounds}}));
        }
        add(planned_cell("i", "cas"));
    }
    void add(const Cell& cell) {
        plan.cells.push_back(cell);
        for (std::uint64_t seed = 1; seed <= 5; ++seed)
            rows.push_back(timed_run("i", cell.variant(), seed, static_cast<double>(seed)));
    }
    std::set<std::string> pairs() const {
        std::set<std::string> names;
        const Table table = comparisons_section(Results(plan, rows)).tables.at(0);
        for (std::size_t row = 0; row < table.rows.size(); ++row)
            names.insert(text_in(table, row, "first") + " | " + text_in(table, row, "second"));
        return names;
    }
};

}  // namespace

TEST_CASE("every variant of a sweep is compared with the baseline at the same values") {
    Swept swept;
    swept.plan.study.baseline = "m1";
    CHECK(swept.pairs() == std::set<std::string>{"m1 M=2 | m2 M=2", "m1 M=4 | m2 M=4", "m1 M=8 | m2 M=8",
                                                 "m1 M=2 | m3 M=2", "m1 M=4 | m3 M=4", "m1 M=8 | m3 M=8",
                                                 "m1 M=2 | cas", "m1 M=4 | cas", "m1 M=8 | cas"});
    swept.plan.study.baseline = "cas";
    CHECK(swept.pairs().size() == 9);
    swept.plan.study.baseline = "";
    CHECK(swept.pairs().size() == 9);
}

TEST_CASE("the number of differing pairs stands beside the number of all pairs") {
    Plan plan;
    plan.study.measure = StudyMeasure::kSeconds;
    std::vector<RunRow> rows;
    for (std::uint64_t seed = 1; seed <= 9; ++seed) {
        rows.push_back(timed_run("i", "a", seed, 1));
        rows.push_back(timed_run("i", "b", seed, seed <= 7 ? 2 : 1));
    }
    const Table table = comparisons_section(Results(plan, rows)).tables.at(0);
    CHECK(number_in(table, 0, "pairs") == 9);
    CHECK(number_in(table, 0, "that differ") == 7);
    const Table significant =
        significance_section(Results(plan, rows), asked_for("significance", {{"of", "\"a\""}, {"to", "\"b\""}}))
            .tables.at(0);
    CHECK(number_in(significant, 0, "pairs") == 9);
    CHECK(number_in(significant, 0, "that differ") == 7);
}

TEST_CASE("a pair without a verdict is undecided, or has too few runs, and never the same") {
    Plan plan;
    std::vector<RunRow> rows;
    const auto add = [&](const char* instance, std::uint64_t seed, double a, double b) {
        rows.push_back(timed_run(instance, "a", seed, 1));
        rows.back().cost = a;
        rows.push_back(timed_run(instance, "b", seed, 1));
        rows.back().cost = b;
    };
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
        add("decided", seed, 100, 101);
        add("undecided", seed, 100, seed % 2 == 0 ? 101 : 99);
        if (seed <= 5) add("five", seed, 100, 101);
    }
    plan.references.figures = {};
    const Results results(plan, rows);
    const Table pairs = comparisons_section(results).tables.at(0);
    CHECK(text_in(pairs, 0, "first is") == "better");
    CHECK(text_in(pairs, 1, "first is") == "undecided");
    CHECK(text_in(pairs, 2, "first is") == "too few runs");
    const Table claimed =
        significance_section(
            results, asked_for("significance",
                               {{"of", "\"a\""},
                                {"to", "\"b\""},
                                {"published", "[\"undecided: a >> b\", \"five: b >> a\", \"decided: b >> a\"]"}}))
            .tables.at(0);
    REQUIRE(claimed.rows.size() == 4);
    const auto row_of = [&](const std::string& instance, const std::string& theirs) {
        for (std::size_t row = 0; row < claimed.rows.size(); ++row) {
            if (text_in(claimed, row, "instance") == instance && text_in(claimed, row, "theirs") == theirs) return row;
        }
        throw std::out_of_range(instance);
    };
    for (std::size_t row = 0; row < claimed.rows.size(); ++row) {
        CHECK_FALSE(is_empty(claimed, row, "p"));
        CHECK_FALSE(is_empty(claimed, row, "A12"));
    }
    CHECK(text_in(claimed, row_of("decided", "no"), "ours") == "yes");
    CHECK(number_in(claimed, row_of("decided", "no"), "A12") == 0);
    CHECK(text_in(claimed, row_of("decided", "yes"), "ours") == "the reverse");
    CHECK(number_in(claimed, row_of("decided", "yes"), "A12") == 1);
    CHECK(text_in(claimed, row_of("undecided", "yes"), "ours") == "undecided");
    CHECK(text_in(claimed, row_of("five", "yes"), "ours") == "too few runs");
}

TEST_CASE("the signed ranks say which of two is better") {
    Plan plan;
    std::vector<RunRow> rows;
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
        const double base = static_cast<double>(1000 * seed);
        rows.push_back(timed_run("i", "a", seed, 1));
        rows.back().cost = base;
        rows.push_back(timed_run("i", "b", seed, 1));
        // b costs more in all pairs except one; in this pair b costs less than all other runs.
        rows.back().cost = seed == 12 ? 500 : base + 1;
    }
    const Table table = comparisons_section(Results(plan, rows)).tables.at(0);
    CHECK(number_in(table, 0, "A12") > 0.5);
    CHECK(text_in(table, 0, "first is") == "better");
}

TEST_CASE("independent runs are compared by their rank sum, whatever their seeds") {
    Plan plan;
    plan.study.own_seeds = true;
    std::vector<RunRow> rows;
    const auto add = [&](const char* instance, const char* algorithm, std::vector<double> costs) {
        std::uint64_t seed = 0;
        for (const double cost : costs) {
            rows.push_back(timed_run(instance, algorithm, ++seed, 1));
            rows.back().cost = cost;
        }
    };
    add("decided", "a", {10, 11, 12, 13, 14, 15});
    add("decided", "b", {12.5, 16, 17, 18, 19, 20});
    add("three", "a", {1, 2, 3});
    add("three", "b", {4, 5, 6, 7});
    add("two", "a", {1, 2});
    add("two", "b", {4, 5, 6, 7});
    const Results results(plan, rows);
    const Section section = comparisons_section(results);
    CHECK(section.text.find("rank sum test, two-sided: each algorithm has seeds of its own") != std::string::npos);
    CHECK(section.text.find("Fewer than 4 runs of each") != std::string::npos);
    const Table& table = section.tables.at(0);
    CHECK(text_in(table, 0, "test") == "rank sum");
    CHECK(is_empty(table, 0, "pairs"));
    CHECK(number_in(table, 1, "runs of first") == 3);
    CHECK(number_in(table, 1, "runs of second") == 4);
    // scipy.stats.mannwhitneyu([10, 11, 12, 13, 14, 15], [12.5, 16, 17, 18, 19, 20], method="exact"): 3, 0.01515...
    CHECK(number_in(table, 0, "p") == doctest::Approx(0.015151515151515152));
    CHECK(number_in(table, 0, "A12") == doctest::Approx(3.0 / 36));
    CHECK(text_in(table, 0, "first is") == "better");
    CHECK(text_in(table, 1, "first is") == "too few runs");  // the smallest possible p is 2 / 35
    CHECK(text_in(table, 2, "first is") == "too few runs");
    const Table claimed =
        significance_section(results, asked_for("significance", {{"of", "\"b\""}, {"to", "\"a\""}})).tables.at(0);
    REQUIRE(claimed.rows.size() == 1);
    CHECK(text_in(claimed, 0, "better") == "a");
    CHECK(number_in(claimed, 0, "A12") == doctest::Approx(3.0 / 36));
}

TEST_CASE("published runs have no seeds, so they are not paired") {
    Plan plan;
    std::vector<RunRow> rows;
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
        rows.push_back(timed_run("i", "ours", seed, 1));
        rows.back().cost = static_cast<double>(seed);
        rows.push_back(timed_run("i", "theirs", seed, 1));
        // Each of the paper's costs is 0.5 above one of ours. But among all runs, the paper's ranks are hardly worse.
        rows.back().cost = static_cast<double>(seed) + 0.5;
        rows.back().source = "paper";
    }
    const Table table = comparisons_section(Results(plan, rows)).tables.at(0);
    CHECK(text_in(table, 0, "test") == "rank sum");
    CHECK(text_in(table, 0, "first is") == "undecided");
}

TEST_CASE("all that share the best summary of an instance are named, and none where nothing was found") {
    Plan plan;
    plan.study.measure = StudyMeasure::kSeconds;
    const std::vector<RunRow> rows{timed_run("i", "a", 1, 2),        timed_run("i", "b", 1, 2),
                                   timed_run("i", "c", 1, 3),        timed_run("j", "a", 1, 3, false),
                                   timed_run("j", "b", 1, 3, false), timed_run("j", "c", 1, 3, false)};
    const Table table = summary_section(Results(plan, rows)).tables.at(1);
    CHECK(text_in(table, 0, "best algorithm") == "a, b");
    CHECK(text_in(table, 1, "best algorithm") == "none");
}
