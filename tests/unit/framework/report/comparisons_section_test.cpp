// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <set>

#include "framework/report/asked_sections.hpp"
#include "tests/unit/framework/report/sample_runs.hpp"

using namespace qapfw::framework;
using namespace qapfw::testing;

namespace {

/// Methods over a swept key, and one algorithm that the sweep is not for.
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

TEST_CASE("the pairs that differ are told beside all pairs") {
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
