// SPDX-License-Identifier: Apache-2.0
#include "framework/laboratory/report/report.hpp"

#include <algorithm>

#include "tests/unit/framework/laboratory/report/sample_runs.hpp"

using namespace qapfw::framework::laboratory;
using qapfw::testing::timed_run;

TEST_CASE("the head says how many runs a combination has, and of how many the figures of others are made") {
    Plan plan;
    const auto head = [&](const std::vector<RunRow>& rows) {
        const ReportData report = make_report({plan, rows, {}, ".", {}});
        const auto fact = std::find_if(report.facts.begin(), report.facts.end(), [](const std::string& text) {
            return text.find("of each combination") != std::string::npos;
        });
        return fact == report.facts.end() ? std::string() : *fact;
    };
    CHECK(head({}).empty());
    std::vector<RunRow> rows{timed_run("i", "a", 1, 1), timed_run("i", "a", 2, 1), timed_run("j", "a", 1, 1),
                             timed_run("j", "a", 2, 1)};
    CHECK(head(rows) == "2 runs of each combination");
    rows.pop_back();
    StudyReference paper;
    paper.name = "paper2010";
    plan.study.references.push_back(paper);
    CHECK(head(rows) == "1 to 2 runs of each combination");
    plan.references.figures.push_back({"paper2010", "i", "a", 30, {}, ""});
    plan.references.figures.push_back({"another", "i", "a", 7, {}, ""});
    CHECK(head(rows) == "1 to 2 runs of each combination; each figure of paper2010 is computed from 30 runs");
}
