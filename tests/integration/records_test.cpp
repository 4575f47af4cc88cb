// SPDX-License-Identifier: Apache-2.0
// Recomputes the cost of each row in docs/records. The cost of a QAP follows from the text of its instance, the cost of
// a layout from the rectangles that the program writes. The program must know the costs that are best known.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/integration/process.hpp"
#include "tests/support/layout_checker.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace qapfw::testing;
using Json = nlohmann::json;
namespace fs = std::filesystem;

namespace {

using Row = std::map<std::string, std::string>;

/// The rows of a list in docs/records; each maps the names of columns to values. A value in quotes, such as the name of
/// a host, may contain commas.
std::vector<Row> rows_of(const std::string& name) {
    std::istringstream list(contents(std::string(QAPFW_SOURCE_DIR) + "/docs/records/" + name));
    std::vector<std::string> columns;
    std::vector<Row> out;
    for (std::string line; std::getline(list, line);) {
        std::vector<std::string> cells(1);
        bool quoted = false;
        for (const char c : line) {
            if (c == '"') quoted = !quoted;
            if (c == ',' && !quoted) cells.emplace_back();
            if (c != '"' && (c != ',' || quoted)) cells.back() += c;
        }
        if (columns.empty()) {
            columns = cells;
            continue;
        }
        REQUIRE(cells.size() == columns.size());
        Row row;
        for (std::size_t k = 0; k < cells.size(); ++k) row[columns[k]] = cells[k];
        out.push_back(row);
    }
    return out;
}

std::vector<std::int64_t> numbers(const std::string& text) {
    std::istringstream in(text);
    std::vector<std::int64_t> out;
    for (std::int64_t number = 0; in >> number;) out.push_back(number);
    return out;
}

/// The file of an instance below the data folder; empty if it is missing.
std::string file_of(const std::string& name) {
    for (const auto& entry : fs::recursive_directory_iterator(std::getenv("QAPFW_DATA"))) {
        if (entry.path().filename() == name) return entry.path().string();
    }
    return {};
}

std::int64_t qap_cost(const std::vector<std::int64_t>& instance, const std::vector<std::int64_t>& location) {
    const auto n = static_cast<std::size_t>(instance.at(0));
    // Number of entries before the matrices: n, and in some files the best-known cost.
    const std::size_t head = instance.size() - 2 * n * n;
    REQUIRE((head == 1 || head == 2));
    const std::int64_t *a = instance.data() + head, *b = a + n * n;
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j)
            sum += a[i * n + j] *
                   b[static_cast<std::size_t>(location[i] - 1) * n + static_cast<std::size_t>(location[j] - 1)];
    }
    return sum;
}

bool has_data() {
    if (std::getenv("QAPFW_DATA") != nullptr) return true;
    MESSAGE("SKIPPED: set QAPFW_DATA to the folder of instances");
    return false;
}

/// A row's layout as a file to start from: its permutation, and the ends of bays or the genes of its tree.
std::string layout_text(const Row& row) {
    const std::string& solution = row.at("solution");
    const std::size_t end = solution.find(';');
    const bool by_trees = row.at("kind") == "slicing";
    Json layout = {{"format", "uaflp-layout-1"}, {"instance", row.at("instance")}};
    layout["permutation"] = numbers(solution.substr(0, end));
    layout[by_trees ? "genes" : "bay_break"] = numbers(solution.substr(end + 1));
    if (by_trees) layout["structure"] = "slicing";
    return layout.dump();
}

/// What an instance (read from JSON) demands of a layout, apart from the cost. Areas may be a little larger, since
/// some plants have more room than their departments need.
OwnersPlan plan_of(const Json& instance) {
    OwnersPlan plan;
    plan.width = instance["plant"]["width"];
    plan.height = instance["plant"]["height"];
    const Json& shapes = instance["shape_constraint"];
    for (std::size_t k = 0; k < instance["areas"].size(); ++k) {
        OwnersPlan::Part part;
        part.name = std::to_string(k + 1);
        part.area = instance["areas"][k];
        part.tolerance = 2e-4;
        const Json& shape = shapes["per_department"][k];
        if (shapes["kind"] == "max_aspect_ratio" && !shape.is_null()) part.aspect = shape;
        plan.parts.push_back(part);
    }
    return plan;
}

/// The sum of flow times distance between the centres of the rectangles.
double layout_cost(const Json& instance, const Json& layout) {
    const std::size_t n = instance["areas"].size();
    std::vector<std::array<double, 2>> centre(n);
    for (const Json& item : layout["departments"]) {
        centre[item["department"].get<std::size_t>() - 1] = {
            item["x"].get<double>() + item["width"].get<double>() / 2,
            item["y"].get<double>() + item["height"].get<double>() / 2};
    }
    const bool euclidean = instance["metric"] == "euclidean";
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
            const double x = std::abs(centre[i][0] - centre[j][0]), y = std::abs(centre[i][1] - centre[j][1]);
            sum += instance["flow"][i][j].get<double>() * (euclidean ? std::hypot(x, y) : x + y);
        }
    }
    return sum;
}

}  // namespace

TEST_CASE("every QAP of docs/records has the cost of its row") {
    if (!has_data()) return;
    const std::vector<Row> rows = rows_of("qap.csv");
    CHECK(rows.size() >= 130);
    for (const Row& row : rows) {
        CAPTURE(row.at("instance"));
        const std::string file = file_of(row.at("instance") + ".dat");
        REQUIRE(!file.empty());
        std::vector<std::int64_t> location = numbers(row.at("solution"));
        CHECK(std::to_string(qap_cost(numbers(contents(file)), location)) == row.at("cost"));
        std::sort(location.begin(), location.end());
        CHECK(std::to_string(location.size()) == row.at("n"));
        for (std::size_t k = 0; k < location.size(); ++k) CHECK(location[k] == static_cast<std::int64_t>(k + 1));
    }
}

TEST_CASE("every layout of docs/records has the cost of its row, by its rectangles") {
    if (!has_data()) return;
    const TemporaryFolder folder;
    const std::vector<Row> rows = rows_of("layouts.csv");
    CHECK(rows.size() >= 40);
    for (const Row& row : rows) {
        CAPTURE(row.at("instance"));
        CAPTURE(row.at("kind"));
        const std::string start = (folder.path() / "start.json").string(),
                          out = (folder.path() / row.at("kind") / row.at("instance")).string();
        std::ofstream(start) << layout_text(row);
        const bool by_trees = row.at("kind") == "slicing";
        std::vector<std::string> arguments = {"solve",
                                              row.at("instance"),
                                              "--initial",
                                              start,
                                              "--iterations",
                                              "1",
                                              "--backend",
                                              "cpu",
                                              "--threads",
                                              "1",
                                              "--out",
                                              out,
                                              "--json",
                                              "--set",
                                              "problem.structure=" + row.at("kind")};
        const std::vector<std::string> bays = {"--algorithm", "random_restart"},
                                       trees = {"--algorithm", "slicing_local_search", "--set", "algorithm.steps=1",
                                                "--set",       "algorithm.searches=1"};
        arguments.insert(arguments.end(), (by_trees ? trees : bays).begin(), (by_trees ? trees : bays).end());
        const Ended run = qapfw_run(arguments);
        REQUIRE_MESSAGE(run.code == 0, run.err);
        const Json result = Json::parse(run.out);
        const double cost = std::stod(row.at("cost"));
        CHECK(result["best_cost"].get<double>() == doctest::Approx(cost).epsilon(1e-12));
        CHECK(result["instance_fingerprint"] == row.at("fingerprint"));
        if (row.at("status") != "above")
            CHECK(result["best_known"].get<double>() == doctest::Approx(cost).epsilon(1e-11));
        const Json instance = Json::parse(contents(file_of(row.at("instance") + ".json")));
        const Json layout = Json::parse(contents(out + "/layout.json"));
        const OwnersPlan plan = plan_of(instance);
        const LayoutChecker checker(plan, layout);
        CHECK(checker.is_packed());
        CHECK(checker.broken() == std::set<std::string>{});
        CHECK(layout_cost(instance, layout) == doctest::Approx(cost).epsilon(1e-9));
    }
}

TEST_CASE("the program knows the values of docs/records, for the same numbers alone") {
    if (!has_data()) return;
    const Ended known = qapfw_run({"instance", "show", "term105_6", "--json"});
    CHECK_MESSAGE(Json::parse(known.out)["best_known_source"].get<std::string>().find("docs/records") == 0, known.out);
    const TemporaryFolder folder;
    std::string text = contents(file_of("tai27e02.dat"));
    text.replace(text.find_last_of("0123456789"), 1, "7");
    const std::string other = (folder.path() / "tai27e02.dat").string();
    std::ofstream(other) << text;
    CHECK(Json::parse(qapfw_run({"instance", "show", other, "--json"}).out)["best_known"].is_null());
}
