// SPDX-License-Identifier: Apache-2.0
// try_libraries uses one child process if all libraries pass. If one of several libraries does not pass, each is
// tried again in a child of its own. Results have the order of the libraries, and no child or open file is left behind.
#include "framework/plugin/trial.hpp"

#include <doctest/doctest.h>
#include <pthread.h>
#include <sys/wait.h>

#include <string>

#include "tests/unit/framework/plugin/bad_plugins.hpp"

using namespace qapfw::framework;
using namespace qapfw::framework::testing;

namespace {

std::size_t open_files() {
    const std::filesystem::directory_iterator files("/proc/self/fd");
    return static_cast<std::size_t>(std::distance(begin(files), end(files)));
}

/// The number of children that a call of try_libraries forks.
int children_for(const std::vector<std::filesystem::path>& libraries) {
    static int forks = 0;
    static const int registered = pthread_atfork(
        nullptr, [] { ++forks; }, nullptr);
    REQUIRE(registered == 0);
    forks = 0;
    try_libraries(libraries, std::chrono::seconds(20));
    return forks;
}

}  // namespace

TEST_CASE("libraries that can all be used share a child, and if one cannot, each gets its own") {
    if (bad_plugins_missing()) return;
    CHECK(children_for({bad_plugin("fine")}) == 1);
    CHECK(children_for({bad_plugin("fine"), bad_plugin("lying_cost"), bad_plugin("nan_cost")}) == 1);
    for (const char* bad : {"abi_too_old", "crashing_constructor", "exiting_constructor", "garbage_constructor"}) {
        CAPTURE(bad);
        CHECK(children_for({bad_plugin(bad)}) == 1);
        CHECK(children_for({bad_plugin("fine"), bad_plugin(bad), bad_plugin("nan_cost")}) == 4);
    }
}

TEST_CASE("a library is judged beside others as it is alone") {
    if (bad_plugins_missing()) return;
    std::vector<std::filesystem::path> libraries;
    for (const char* name : {"fine", "abi_too_old", "nan_cost", "crashing_constructor", "exiting_constructor",
                             "garbage_constructor", "text_file", "truncated", "borrowed_symbol", "throwing_create"}) {
        libraries.push_back(bad_plugin(name));
    }
    const auto beside = try_libraries(libraries, std::chrono::seconds(20));
    REQUIRE(beside.size() == libraries.size());
    for (std::size_t k = 0; k < libraries.size(); ++k) {
        CAPTURE(libraries[k].string());
        const auto alone = try_libraries({libraries[k]}, std::chrono::seconds(20));
        CHECK(beside[k].refusal == alone.front().refusal);
        CHECK(beside[k].identities == alone.front().identities);
    }
    const auto good = try_libraries({libraries[0], libraries[2], libraries[9]}, std::chrono::seconds(20));
    CHECK(good[0].identities == beside[0].identities);
    CHECK(good[1].identities == beside[2].identities);
    CHECK(good[2].identities == beside[9].identities);
}

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
    siginfo_t ended{};
    const int found = waitid(P_ALL, 0, &ended, WEXITED | WNOHANG | WNOWAIT);
    CHECK((found == -1 || ended.si_pid == 0));  // no child, or one that still runs, left by another test's plugin
}

TEST_CASE("an empty list of libraries needs no trial") {
    CHECK(try_libraries({}, std::chrono::seconds(1)).empty());
}
