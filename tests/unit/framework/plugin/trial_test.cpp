// SPDX-License-Identifier: Apache-2.0
// try_libraries: many children at a time, results in order, nothing left behind.
#include "framework/plugin/trial.hpp"

#include <doctest/doctest.h>
#include <sys/wait.h>

#include "tests/unit/framework/plugin/bad_plugins.hpp"

using namespace qapfw::framework;
using namespace qapfw::framework::testing;

namespace {

std::size_t open_files() {
    const std::filesystem::directory_iterator files("/proc/self/fd");
    return static_cast<std::size_t>(std::distance(begin(files), end(files)));
}

}  // namespace

TEST_CASE("more libraries than children at a time are all tried, and their results keep their order") {
    if (bad_plugins_missing()) return;
    std::vector<std::filesystem::path> libraries;
    for (int k = 0; k < 40; ++k) libraries.push_back(bad_plugin(k % 2 == 0 ? "fine" : "abi_too_old"));
    const auto results = try_libraries(libraries, std::chrono::seconds(20));
    REQUIRE(results.size() == 40);
    for (std::size_t k = 0; k < 40; ++k) {
        CHECK(results[k].refusal.empty() == (k % 2 == 0));
        CHECK(results[k].identities.size() == (k % 2 == 0 ? 3U : 0U));
    }
}

TEST_CASE("trials leave neither children nor open files behind") {
    if (bad_plugins_missing()) return;
    const std::size_t before = open_files();
    try_libraries({bad_plugin("fine"), bad_plugin("crashing_constructor"), bad_plugin("hanging_constructor")},
                  std::chrono::milliseconds(200));
    CHECK(open_files() == before);
    siginfo_t ended{};  // another test's plugin may have left a child of its own that still runs
    const int found = waitid(P_ALL, 0, &ended, WEXITED | WNOHANG | WNOWAIT);
    CHECK((found == -1 || ended.si_pid == 0));
}

TEST_CASE("no libraries need no trial") {
    CHECK(try_libraries({}, std::chrono::seconds(1)).empty());
}
