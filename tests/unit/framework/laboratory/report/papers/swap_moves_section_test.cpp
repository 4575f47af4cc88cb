// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "framework/laboratory/report/asked_sections.hpp"
#include "tests/unit/framework/laboratory/report/sample_runs.hpp"

using namespace qapfw::framework;
using namespace qapfw::framework::laboratory;
using namespace qapfw::testing;

TEST_CASE("moves of a swap neighbourhood are those of the printed table") {
    const Plan plan;
    const std::vector<RunRow> rows;
    const Results results(plan, rows);
    const Section section = asked_section(results, asked_for("swap_moves", {{"sizes", "[40, 80, 200]"}}));
    const Table& table = section.tables.at(0);
    CHECK(number_in(table, 0, "moves n(n-1)/2") == 780);
    CHECK(number_in(table, 0, "in O(1): (n-2)(n-3)/2") == 703);
    CHECK(number_in(table, 1, "in O(n): 2n-3") == 157);
    CHECK(number_in(table, 2, "in O(1): (n-2)(n-3)/2") == 19503);
    CHECK(cell_text(value_in(table, 0, "share in O(n)"), table.columns.back()) == "0.099");
    CHECK_THROWS_WITH(asked_section(results, asked_for("swap_moves", {{"sizes", "[2]"}})),
                      doctest::Contains("\"sizes\" must be whole numbers from 3 on, found 2"));
}
