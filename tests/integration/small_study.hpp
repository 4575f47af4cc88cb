// SPDX-License-Identifier: Apache-2.0
// A study of four cells (pairs of variant and instance) that takes well under a second, and a function that runs
// `qapfw study` in its folder.
#pragma once

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/integration/process.hpp"

namespace qapfw::testing {

inline const char* const kStudy = R"(title = "Small"
seeds = 3
[problem]
plugin = "qap"
[run]
iterations = 2000
threads = 1
[device]
backend = "cpu"
[[instances]]
names = ["tai20a", "tai20b"]
[[algorithms]]
name = "tabu"
set = { algorithm.plugin = "tabu", algorithm.searches = 2 }
[[algorithms]]
name = "random"
set = { algorithm.plugin = "random_restart" }
)";

inline std::string write_study(const TemporaryFolder& folder, std::string text, const std::string& from = "",
                               const std::string& to = "") {
    if (!from.empty()) {
        REQUIRE(text.find(from) != std::string::npos);
        text.replace(text.find(from), from.size(), to);
    }
    return folder.write("small.toml", text).string();
}

inline Ended study(const TemporaryFolder& folder, const std::vector<std::string>& words) {
    std::vector<std::string> arguments{"study"};
    arguments.insert(arguments.end(), words.begin(), words.end());
    return qapfw_run(arguments, {.folder = folder.path().string()});
}

}  // namespace qapfw::testing
