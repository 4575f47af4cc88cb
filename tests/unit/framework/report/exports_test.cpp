// SPDX-License-Identifier: Apache-2.0
#include "framework/report/exports.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "framework/report/report.hpp"

using namespace qapfw::framework;

namespace {

Table small_table() {
    return {"t",
            "A table",
            "a note",
            {{"name", true}, {"value_1", false, 4}},
            {{std::string("a|b, c"), 1234.5678},
             {std::string("x"), std::numeric_limits<double>::infinity()},
             {std::string("none"), std::monostate{}}}};
}

RunRow run(const std::string& instance, const std::string& algorithm, std::uint64_t seed, double cost) {
    RunRow row;
    row.instance = instance;
    row.variant = row.algorithm = algorithm;
    row.seed = seed;
    row.cost = cost;
    row.best_known = 100;
    row.gap = (cost - 100) / 100;
    row.hit = cost <= 100;
    row.seconds = 1.0 + static_cast<double>(seed);
    row.iterations = 10;
    row.evaluations = 50;
    row.n = 9;
    row.trace = {{0.1, 10, cost + 20}, {0.5, 40, cost}};
    return row;
}

}  // namespace

TEST_CASE("tables are written as CSV, LaTeX and Markdown with what each format needs escaped") {
    CHECK(table_csv(small_table()) == "name,value_1\n\"a|b, c\",1234.5678\nx,Inf\nnone,\n");
    const std::string latex = table_latex(small_table());
    CHECK(latex.find("value\\_1") != std::string::npos);
    CHECK(latex.find("$\\infty$") != std::string::npos);
    CHECK(latex.find("a|b, c & 1235 \\\\") != std::string::npos);
    CHECK(table_markdown(small_table()).find("| a\\|b, c | 1235 |") != std::string::npos);
}

TEST_CASE("numbers are short for people, and infinite and whole ones are themselves") {
    CHECK(number_text(12, 3) == "12");
    CHECK(number_text(0.123456, 3) == "0.123");
    CHECK(number_text(1234.567, 6) == "1234.57");
    CHECK(number_text(0.00001234, 3) == "1.23e-05");
    CHECK(number_text(-0.0, 3) == "0");
}

TEST_CASE("a report of few runs, one run or none is made without a number that is none") {
    for (int count = 0; count < 4; ++count) {
        Plan plan;
        plan.study.title = "A </script> study & more";
        std::vector<RunRow> rows;
        for (int k = 0; k < count; ++k)
            rows.push_back(run("i" + std::to_string(k / 2), k % 2 == 0 ? "a" : "b", 1, 100 + k));
        const std::string page = report_page(make_report({plan, rows, {}, ".", {}}));
        CHECK(page.find("NaN") == page.rfind("NaN"));  // the plot library mentions it
        const std::size_t begin = page.find("id=\"data\">");
        const std::string data = page.substr(begin, page.find("</script>", begin) - begin);
        CHECK(data.find("nan") == std::string::npos);
        CHECK(data.find("A <\\/script> study") != std::string::npos);
        CHECK(data.size() > 100);
    }
}

TEST_CASE("a report has the ranking, comparisons, figures of others with verdicts, and their runs as an algorithm") {
    Plan plan;
    plan.study.title = "t";
    std::vector<RunRow> rows;
    for (const char* instance : {"i", "j", "k"}) {
        for (std::uint64_t seed = 1; seed <= 10; ++seed) {
            rows.push_back(run(instance, "good", seed, 100 + static_cast<double>(seed % 3)));
            rows.push_back(run(instance, "bad", seed, 120 + static_cast<double>(seed % 4)));
        }
    }
    plan.references.figures.push_back({"paper", "i", "good", 10, {{"cost_mean", 90}}, "too good"});
    plan.references.runs.push_back({"others", "i", "theirs", 1, 150.0, 1.0, {}, {}, {}});
    const ReportData report = make_report({plan, rows, {}, ".", {}});
    const std::string json = report_json(report);
    CHECK(json.find("theirs (others)") != std::string::npos);
    CHECK(json.find("too good") != std::string::npos);
    CHECK(json.find("\"worse\"") != std::string::npos);
    const auto section = [&](const std::string& title) {
        for (const Section& one : report.sections) {
            if (one.title == title) return one;
        }
        return Section{};
    };
    const Table pairs = section("Comparisons").tables.at(0);
    bool better = false;
    for (const auto& row : pairs.rows)
        better = better || (std::get<std::string>(row[1]) == "good" && std::get<std::string>(row[9]) == "better");
    CHECK(better);
    CHECK_FALSE(section("Times to targets").plots.empty());
    CHECK_FALSE(section("Convergence").plots.empty());
}
