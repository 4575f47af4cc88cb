// SPDX-License-Identifier: Apache-2.0
// docs/records: each solution has the cost that the table says, and that is below the best known before.
#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

#include "tests/integration/process.hpp"

using namespace qapfw::testing;
using Json = nlohmann::json;

namespace {

struct Record {
    std::string problem, instance, file;
    double cost, before;
    bool by_trees;
};

/// The rows of the table: | instance (of what) | cost | best known before | [solution](file) | command |
std::vector<Record> records() {
    const std::regex row(R"(\| (\S+) \(([^)]*)\) \| ([0-9.]+) \| ([0-9.]+) \| \[[^\]]*\]\(([^)]+)\) \| .*)");
    std::istringstream page(contents(std::string(QAPFW_SOURCE_DIR) + "/docs/records/README.md"));
    std::vector<Record> out;
    std::smatch found;
    for (std::string line; std::getline(page, line);) {
        if (!std::regex_match(line, found, row)) continue;
        out.push_back({found[2].str().rfind("QAP", 0) == 0 ? "qap" : "uaflp", found[1], found[5], std::stod(found[3]),
                       std::stod(found[4]), found[2] == "slicing trees"});
    }
    return out;
}

/// The cost of the solution, evaluated as the first of a run.
Json started_from(const Record& record) {
    std::vector<std::string> arguments = {
        "run",
        "--set",
        "problem.plugin=" + record.problem,
        "--set",
        "problem.instance=" + record.instance,
        "--set",
        "problem.initial=" + std::string(QAPFW_SOURCE_DIR) + "/docs/records/" + record.file,
        "--set",
        "output.record=false",
        "--iterations",
        "1",
        "--backend",
        "cpu",
        "--threads",
        "1",
        "--json"};
    const std::vector<std::string> others = {"--set", "algorithm.plugin=random_restart"},
                                   trees = {"--set", "algorithm.plugin=slicing_local_search",
                                            "--set", "algorithm.steps=1",
                                            "--set", "algorithm.searches=1"};
    arguments.insert(arguments.end(), (record.by_trees ? trees : others).begin(),
                     (record.by_trees ? trees : others).end());
    const Ended run = qapfw_run(arguments);
    REQUIRE_MESSAGE(run.code == 0, run.err);
    return Json::parse(run.out);
}

}  // namespace

TEST_CASE("every solution of docs/records has the cost of its row, below the best known before") {
    if (std::getenv("QAPFW_DATA") == nullptr) {
        MESSAGE("SKIPPED: set QAPFW_DATA to the folder of instances");
        return;
    }
    const std::vector<Record> all = records();
    using Files = std::filesystem::directory_iterator;
    const auto files = std::distance(Files(std::string(QAPFW_SOURCE_DIR) + "/docs/records"), Files());
    CHECK(static_cast<std::size_t>(files) == all.size() + 1);  // README.md has a row for each of the others
    for (const Record& record : all) {
        CAPTURE(record.instance);
        const Json result = started_from(record);
        CHECK(result["best_cost"].get<double>() == doctest::Approx(record.cost).epsilon(2e-8));
        CHECK(result["best_known"].get<double>() == doctest::Approx(record.before).epsilon(1e-6));
        CHECK(record.cost < record.before);
    }
}
