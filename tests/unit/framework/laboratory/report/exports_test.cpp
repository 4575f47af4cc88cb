// SPDX-License-Identifier: Apache-2.0
#include "framework/laboratory/report/exports.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <set>

#include "framework/laboratory/report/report.hpp"
#include "framework/record/atomic_file.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace qapfw::framework;
using namespace qapfw::framework::laboratory;

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
    CHECK(latex.find("a\\textbar{}b, c & 1235 \\\\") != std::string::npos);
    CHECK(table_markdown(small_table()).find("| a\\|b, c | 1235 |") != std::string::npos);
}

TEST_CASE("texts of several lines are paragraphs in LaTeX, which can continue on the next page") {
    const Table table{
        "t", "T", "", {{"a", true}, {"configuration", true}}, {{std::string("x"), std::string("k = 1\nj = 2")}}};
    const std::string latex = table_latex(table);
    CHECK(latex.find("tabular") == std::string::npos);  // a tabular cannot continue on the next page
    CHECK(latex.find("\\paragraph{x}\\mbox{}\n\n{\\small\\raggedright\\noindent\n\\texttt{k = 1}\\newline\n\\texttt{j "
                     "= 2}\\par}\n") != std::string::npos);
}

TEST_CASE("text from users' files stays text in every format") {
    Table table = small_table();
    table.title = "T\n\\input{/etc/passwd}\r\\immediate";
    table.note = "# <b>bold</b>\n[here](javascript:x)";
    table.rows = {{std::string("=HYPERLINK(\"x\")"), -1.5},
                  {std::string("<img src=x onerror=alert(1)>"), -2.0},
                  {std::string("[5pt] \\end{tabular}"), 3.0}};
    const std::string latex = table_latex(table), markdown = table_markdown(table), csv = table_csv(table);
    CHECK(latex.find("% T \\input{/etc/passwd} \\immediate\n") == 0);
    CHECK(latex.find("{[}5pt{]} \\textbackslash{}end\\{tabular\\} & 3 \\\\") != std::string::npos);
    CHECK(latex.find("\\end{tabular}") == latex.rfind("\\end{tabular}"));
    CHECK(csv.find("\n\"'=HYPERLINK(\"\"x\"\")\",-1.5\n") != std::string::npos);
    CHECK(csv.find(",-2\n") != std::string::npos);
    CHECK(markdown.find('<') == markdown.find("<br>"));
    CHECK(markdown.find("### T<br>") == 0);
    CHECK(markdown.find("| &lt;img src=x onerror=alert(1)&gt; |") != std::string::npos);
    CHECK(markdown.find("\n\\# &lt;b&gt;bold&lt;/b&gt; \\[here\\](javascript:x)\n") != std::string::npos);
}

TEST_CASE("algorithms and instances with like names have files of their own") {
    const qapfw::test::TemporaryFolder place;
    std::vector<RunRow> rows;
    const std::vector<std::string> algorithms{
        "T+1", "T 1", "T_1", "t_1", "a\nb", std::string(300, 'x') + "1", std::string(300, 'x') + "2"};
    const std::vector<std::string> instances{"工場", "病院", "ü", "é", "../up", "i\"j"};
    for (const std::string& algorithm : algorithms) {
        for (const std::string& instance : instances) rows.push_back(run(instance, algorithm, 1, 100));
    }
    write_ioh(rows, Folder(place.path()));
    std::set<std::string> told;
    std::size_t folders = 0, data = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(place.path())) {
        folders += entry.is_directory() && entry.path().parent_path() == place.path() ? 1U : 0U;
        data += entry.path().extension() == ".dat" ? 1U : 0U;
        if (entry.path().extension() == ".info") told.insert(read_file(entry.path()));
    }
    CHECK(folders == algorithms.size());
    CHECK(data == rows.size());
    CHECK(told.size() == rows.size());
    for (const std::string& text : told) CHECK(std::count(text.begin(), text.end(), '\n') == 3);
}

TEST_CASE("tables and plots with like names have files of their own") {
    const qapfw::test::TemporaryFolder place;
    ReportData report;
    for (const char* id : {"heat a b", "heat_a_b", "heat/a/b", "heat a b"}) {
        Section section;
        section.tables.push_back(small_table());
        section.tables.back().id = id;
        section.plots.emplace_back();
        section.plots.back().id = id;
        report.sections.push_back(section);
    }
    write_exports(report, {}, place.path());
    for (const char* kind : {"tables", "plots"}) {
        std::size_t files = 0;
        for (const auto& entry : std::filesystem::directory_iterator(place.path() / kind))
            files += entry.path().extension() == ".csv" ? 1U : 0U;
        CHECK(files == 4);
    }
}

TEST_CASE("a page keeps all its parts, whatever its texts say") {
    Plan plan;
    plan.study.title = "@DATA@ @SCRIPT@ <b>";
    plan.study.notes = {"see @SCRIPT@ and @UPLOT@, @STYLE@ @LICENCE@ @TITLE@"};
    const std::string page = report_page(make_report({plan, {run("i", "@SCRIPT@", 1, 100)}, {}, ".", {}}));
    plan.study.notes = {"x"};
    plan.study.title = "t";
    const std::string plain = report_page(make_report({plan, {run("i", "a", 1, 100)}, {}, ".", {}}));
    const auto scripts_of = [](const std::string& text) { return text.substr(text.rfind("<script>")); };
    CHECK(scripts_of(page) == scripts_of(plain));
    CHECK(scripts_of(page).size() > 10000);
    CHECK(page.find("<title>@DATA@ @SCRIPT@ &lt;b&gt;</title>") != std::string::npos);
    CHECK(page.find("see @SCRIPT@ and @UPLOT@, @STYLE@ @LICENCE@ @TITLE@") != std::string::npos);
}

TEST_CASE("the page's policy lets its own scripts run and nothing else") {
    const Plan plan;
    const std::string page = report_page(make_report({plan, {}, {}, ".", {}}));
    const std::size_t begin = page.find("content=\"default-src 'none'");
    REQUIRE(begin != std::string::npos);
    const std::string policy = page.substr(begin, page.find('>', begin) - begin);
    CHECK(policy.find("unsafe") == std::string::npos);
    CHECK(policy.find("form-action 'none'") != std::string::npos);
    CHECK(policy.find("base-uri 'none'") != std::string::npos);
    std::size_t hashes = 0;
    for (std::size_t at = policy.find("'sha256-"); at != std::string::npos; at = policy.find("'sha256-", at + 1))
        ++hashes;
    CHECK(hashes == 3);
}

TEST_CASE("a record's drawing is an image of the page, never a part of it") {
    const qapfw::test::TemporaryFolder place;
    const std::string drawing =
        "<?xml version=\"1.0\"?><svg xmlns=\"x\"></svg><img src=\"data:,\" OnError=\"attacked()\">";
    std::filesystem::create_directories(place.path() / "r");
    write_atomically(place.path() / "r/layout.svg", drawing, Durability::kProcess);
    write_atomically(place.path() / "r/no.svg", "text", Durability::kProcess);
    const Plan plan;
    RunRow row = run("i", "a", 1, 100);
    row.folder = "r";
    const ReportData report = make_report({plan, {row}, {}, place.path(), {}});
    const std::string page = report_page(report);
    CHECK(page.find("attacked") == std::string::npos);
    CHECK(page.find("\"image\":\"data:image/svg+xml;base64,PD94bWwg") != std::string::npos);
    std::size_t drawings = 0;
    for (const Section& section : report.sections) drawings += section.drawings.size();
    CHECK(drawings == 1);
}

TEST_CASE("numbers are rounded to the digits asked for, and whole ones have no fraction") {
    CHECK(number_text(12, 3) == "12");
    CHECK(number_text(0.123456, 3) == "0.123");
    CHECK(number_text(1234.567, 6) == "1234.57");
    CHECK(number_text(0.00001234, 3) == "1.23e-05");
    CHECK(number_text(-0.0, 3) == "0");
    CHECK(number_text(12.5, 9) == "12.5");
    CHECK(number_text(0.5, 5) == "0.5");
    CHECK(number_text(1200.0, 9) == "1200");
    CHECK(with_deviation(12.5, 1.5) == "12.5 ± 1.5");
    CHECK(with_deviation(6203.432, 12.3456) == "6203.4 ± 12.3");
    CHECK(with_deviation(3151152.4, 1234.5) == "3151152 ± 1234");
    CHECK(with_deviation(0.123456, 0.0312) == "0.1235 ± 0.0312");
    CHECK(with_deviation(3.25, 0) == "3.25 ± 0");
}

TEST_CASE("a report of few runs, one run or none contains no invalid number") {
    for (int count = 0; count < 4; ++count) {
        Plan plan;
        plan.study.title = "A </script> study & more";
        std::vector<RunRow> rows;
        for (int k = 0; k < count; ++k)
            rows.push_back(run("i" + std::to_string(k / 2), k % 2 == 0 ? "a" : "b", 1, 100 + k));
        const std::string page = report_page(make_report({plan, rows, {}, ".", {}}));
        CHECK(page.find("NaN") == page.rfind("NaN"));  // the plot library contains the word once
        const std::size_t begin = page.find("id=\"data\">");
        const std::string data = page.substr(begin, page.find("</script>", begin) - begin);
        CHECK(data.find("nan") == std::string::npos);
        CHECK(data.find("A \\u003c/script\\u003e study") != std::string::npos);
        CHECK(data.size() > 100);
    }
}

TEST_CASE(
    "a report has the ranking, comparisons, published figures with verdicts, and published runs as an algorithm") {
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
        better = better || (std::get<std::string>(row[1]) == "good" && std::get<std::string>(row.back()) == "better");
    CHECK(better);
    CHECK_FALSE(section("Times to targets").plots.empty());
    CHECK_FALSE(section("Convergence").plots.empty());
}
