// SPDX-License-Identifier: Apache-2.0
// Runs the files of configs/qap for the papers' algorithms on the CPU for one iteration. reductions_test.cpp runs the
// files for other problems that are solved as QAPs, such as tsp.toml.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/integration/process.hpp"

namespace {

using namespace qapfw::testing;

/// The configurations of the papers' algorithms (cas, the genetic algorithms, tabu), in the order of their names.
std::vector<std::filesystem::path> configurations() {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(QAPFW_SOURCE_DIR "/configs/qap")) {
        const std::string name = entry.path().filename().string();
        const auto begins = [&](const char* prefix) { return name.rfind(prefix, 0) == 0; };
        if (begins("cas-") || begins("ga-") || begins("pga-grid") || begins("tabu-")) files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    return files;
}

/// True if the configuration's instance must be read from a QAPLIB file, since the program cannot generate it.
bool needs_data(const std::string& text) {
    for (const char* instance : {"\"tho40\"", "\"nug30\"", "\"kra30a\"", "\"els19\""}) {
        if (text.find(instance) != std::string::npos) return true;
    }
    return false;
}

}  // namespace

TEST_CASE("every configuration of the papers' algorithms runs") {
    REQUIRE(configurations().size() > 10);
    for (const auto& file : configurations()) {
        const std::string name = file.filename().string(), text = contents(file);
        CAPTURE(name);
        if (needs_data(text) && std::getenv("QAPFW_DATA") == nullptr) {
            MESSAGE("SKIPPED " << name << ": QAPFW_DATA is not set");
            continue;
        }
        std::vector<std::string> arguments{"run",    file.string(), "--iterations",       "1",
                                           "--runs", "1",           "--backend",          "cpu",
                                           "--json", "--set",       "output.record=false"};
        if (text.find("[algorithm.improver]\nplugin = \"tabu\"") != std::string::npos) {
            arguments.insert(arguments.end(), {"--set", "algorithm.improver.iterations=20"});
        }
        const Ended run = qapfw_run(arguments);
        CHECK_MESSAGE(run.code == 0, run.err);
        CHECK(run.out.find("\"best_cost\": ") != std::string::npos);
    }
}
