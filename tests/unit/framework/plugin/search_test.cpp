// SPDX-License-Identifier: Apache-2.0
// Tests which folders of plugins are trusted (this depends on who may write there), and the default folders of plugins.
#include "framework/plugin/search.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>

#include "tests/support/environment_variable.hpp"
#include "tests/unit/framework/plugin/bad_plugins.hpp"

using namespace qapfw::framework;
using namespace qapfw::framework::testing;
using qapfw::test::EnvironmentVariable;

TEST_CASE("a link in a folder that others may write is not trusted, whatever it points to") {
    const TemporaryFolder folder;
    const auto file = folder.write("right.qapfw.so", "x");
    const auto open = folder.folder("open");
    std::filesystem::create_symlink(file, open / "link.qapfw.so");
    std::filesystem::permissions(open, std::filesystem::perms(0777));
    PluginSearch search;
    search.folders = {open};
    std::vector<Refusal> refusals;
    const auto candidates = find_candidates(search, refusals);
    REQUIRE(candidates.size() == 1);
    CHECK(candidates[0].path == file);
    CHECK(distrust(candidates[0]).find(open.string() + " must not be writable") != std::string::npos);
}

TEST_CASE("a folder below one that others may write is not trusted, below one with the sticky bit it is") {
    const TemporaryFolder folder;  // in /tmp, which everyone may write but which has the sticky bit
    const auto open = folder.folder("open");
    const auto file = folder.write("open/mine/deep/a.qapfw.so", "x");
    PluginSearch search;
    search.folders = {file.parent_path()};
    std::vector<Refusal> refusals;
    CHECK(distrust(find_candidates(search, refusals).at(0)).empty());
    std::filesystem::permissions(open, std::filesystem::perms(0777));
    CHECK(distrust(find_candidates(search, refusals).at(0)).find(open.string() + " must not be writable by everyone") !=
          std::string::npos);
    std::filesystem::permissions(open, std::filesystem::perms(01777));
    CHECK(distrust(find_candidates(search, refusals).at(0)).empty());
    if (geteuid() == 0) {
        REQUIRE(chown(open.c_str(), 12345, 0) == 0);
        CHECK(distrust(find_candidates(search, refusals).at(0)).find("above it, must be owned by root") !=
              std::string::npos);
    }
}

TEST_CASE("a dangling link is a refusal") {
    const TemporaryFolder folder;
    std::filesystem::create_symlink("nowhere", folder.path() / "link.qapfw.so");
    PluginSearch search;
    search.folders = {folder.path()};
    std::vector<Refusal> refusals;
    CHECK(find_candidates(search, refusals).empty());
    REQUIRE(refusals.size() == 1);
    CHECK(refusals[0].reason.find("it must be a regular file, found a link to no file") != std::string::npos);
}

TEST_CASE("the environment's folders come first, then the user's, in the order given") {
    const TemporaryFolder folder;
    const auto mine = folder.folder("data/qapfw/plugins-2");
    const EnvironmentVariable path("QAPFW_PLUGIN_PATH", "/first::/second:");
    const EnvironmentVariable data("XDG_DATA_HOME", (folder.path() / "data").string());
    const auto folders = default_plugin_folders();
    REQUIRE(folders.size() >= 3);
    CHECK(folders[0] == "/first");
    CHECK(folders[1] == "/second");
    CHECK(folders[2] == mine);
}
