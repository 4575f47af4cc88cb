// SPDX-License-Identifier: Apache-2.0
// Registry: what is found in which folder, which of two equal components is used, and the message about an unknown
// name.
#include "framework/plugin/registry.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>

#include "qapfw/error.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/unit/framework/plugin/bad_plugins.hpp"

using namespace qapfw::framework;
using namespace qapfw::framework::testing;
using qapfw::test::contains;

namespace {

std::string find_message(const Registry& registry, std::uint32_t kind, const std::string& id) {
    try {
        registry.find(kind, id);
    } catch (const qapfw::Error& error) {
        CHECK(error.kind() == qapfw::ErrorKind::kUsage);
        return error.what();
    }
    return "found";
}

/// The most milliseconds that a trial of eight libraries may take. A sanitizer's shadow memory makes forks much slower.
#if defined(QAPFW_ADDRESS_SANITIZER) || defined(QAPFW_THREAD_SANITIZER)
constexpr double kLongestStart = 5000;
#else
constexpr double kLongestStart = 50;
#endif

}  // namespace

TEST_CASE("a good library gives its components with canonical path and hash") {
    if (bad_plugins_missing()) return;
    const TemporaryFolder folder;
    const auto copy = copy_plugin("fine", folder.path(), "fine");
    std::filesystem::create_directory_symlink(folder.path(), folder.path() / "link");
    const Registry registry = scan({folder.path() / "link"});
    CHECK(registry.refusals().empty());
    REQUIRE(registry.components().size() == 3);
    for (const Component& component : registry.components()) {
        CHECK(component.path == copy);
        CHECK(component.library_hash.size() == 32);
        CHECK(std::string(component.plugin->id) == "qapfw.tests.minimal");
    }
    CHECK(registry.find(QAPFW_KIND_PROBLEM, "minimal").descriptor->kind == QAPFW_KIND_PROBLEM);
}

TEST_CASE("only files that end in .qapfw.so are looked at in a folder") {
    if (bad_plugins_missing()) return;
    const TemporaryFolder folder;
    std::filesystem::copy_file(bad_plugin("fine"), folder.path() / "libfine.so");
    folder.write(".qapfw.so", "no name");
    folder.write("notes.txt", "text");
    const Registry registry = scan({folder.path()});
    CHECK(registry.components().empty());
    CHECK(registry.refusals().empty());
    CHECK(scan({folder.path() / "libfine.so"}).components().size() == 3);
}

TEST_CASE("one library reached by several ways is loaded once") {
    if (bad_plugins_missing()) return;
    const TemporaryFolder folder;
    const auto copy = copy_plugin("fine", folder.folder("a"), "fine");
    std::filesystem::create_symlink(copy, folder.folder("b") / "other.qapfw.so");
    const Registry registry = scan({folder.path() / "b", folder.path() / "a", copy});
    CHECK(registry.components().size() == 3);
    CHECK(registry.refusals().empty());
}

TEST_CASE("of two libraries with one identity, the one in the earlier folder is used and the other refused") {
    if (bad_plugins_missing()) return;
    const TemporaryFolder folder;
    const auto first = copy_plugin("twin", folder.folder("z"), "twin");
    const auto second = copy_plugin("fine", folder.folder("a"), "fine");
    const Registry registry = scan({folder.path() / "z", folder.path() / "a"});
    CHECK(registry.find(QAPFW_KIND_SOLVER, "minimal").path == first);
    REQUIRE(registry.refusals().size() == 1);
    CHECK(registry.refusals()[0].path == second);
    CHECK(registry.refusals()[0].reason == second.string() +
                                               ": the problem \"minimal\", the solver \"minimal\", the improver "
                                               "\"minimal\" must come from one library, found them in " +
                                               first.string() +
                                               " too; that library comes first, so its components are used");
}

TEST_CASE("a clash of one component leaves the others of both libraries usable, and says so") {
    if (bad_plugins_missing()) return;
    const TemporaryFolder folder;
    const auto first = copy_plugin("namesake", folder.folder("first"), "namesake");
    const auto second = copy_plugin("fine", folder.folder("second"), "fine");
    const Registry registry = scan({folder.path() / "first", folder.path() / "second"});
    CHECK(registry.find(QAPFW_KIND_PROBLEM, "minimal").path == second);
    CHECK(registry.find(QAPFW_KIND_SOLVER, "minimal").path == first);
    CHECK(registry.find(QAPFW_KIND_IMPROVER, "minimal").path == second);
    CHECK(registry.find(QAPFW_KIND_PROBLEM, "namesake").path == first);
    REQUIRE(registry.refusals().size() == 1);
    CHECK(registry.refusals()[0].reason ==
          second.string() + ": the solver \"minimal\" must come from one library, found it in " + first.string() +
              " too; that library comes first, so its component is used; the other components of both libraries are "
              "used");
}

TEST_CASE("two libraries with one identity in one folder are both refused, and a search for it names both") {
    if (bad_plugins_missing()) return;
    const TemporaryFolder folder;
    const auto first = copy_plugin("fine", folder.path(), "one");
    const auto second = copy_plugin("twin", folder.path(), "two");
    const Registry registry = scan({folder.path()});
    CHECK(registry.components().empty());
    CHECK(registry.refusals().size() == 2);
    const std::string message = find_message(registry, QAPFW_KIND_PROBLEM, "minimal");
    CHECK(contains(message, first.string() + ": the problem"));
    CHECK(contains(message, second.string() + ": the problem"));
}

TEST_CASE("a FIFO in the place of the list of hashes hangs nothing") {
    if (bad_plugins_missing()) return;
    const TemporaryFolder folder;
    copy_plugin("fine", folder.path(), "fine");
    REQUIRE(mkfifo((folder.path() / kPluginHashes).c_str(), 0600) == 0);
    PluginSearch search;
    search.folders = {folder.path()};
    search.knows_installed = true;
    CHECK(Registry::scan(search).components().size() == 3);
}

TEST_CASE("a library in a folder that everyone may write is refused, sticky or not, unless allowed") {
    if (bad_plugins_missing()) return;
    const TemporaryFolder folder;
    const auto open = folder.folder("open");
    copy_plugin("fine", open, "fine");
    for (const auto mode : {0777, 01777}) {
        std::filesystem::permissions(open, std::filesystem::perms(mode));
        PluginSearch search;
        search.folders = {open};
        const Registry registry = Registry::scan(search);
        REQUIRE(registry.refusals().size() == 1);
        CHECK(contains(registry.refusals()[0].reason,
                       "fine.qapfw.so: " + open.string() + " must not be writable by everyone"));
        search.allow_writable_by_others = true;
        CHECK(Registry::scan(search).components().size() == 3);
    }
}

TEST_CASE("a library that everyone may write is refused") {
    if (bad_plugins_missing()) return;
    const TemporaryFolder folder;
    const auto copy = copy_plugin("fine", folder.path(), "fine");
    std::filesystem::permissions(copy, std::filesystem::perms(0757));
    const Registry registry = scan({folder.path()});
    REQUIRE(registry.refusals().size() == 1);
    CHECK(contains(registry.refusals()[0].reason,
                   copy.string() + " must not be writable by everyone, found permissions 757"));
}

TEST_CASE("a folder that does not exist is a refusal") {
    const Registry registry = scan({"/nonexistent/plugins"});
    REQUIRE(registry.refusals().size() == 1);
    CHECK(registry.refusals()[0].reason ==
          "/nonexistent/plugins: it must be a folder with plugin libraries, found: No such file or directory");
}

TEST_CASE("an unknown name is answered with the nearest names, other kinds and refused libraries") {
    if (bad_plugins_missing()) return;
    const Registry registry = scan({bad_plugin("fine"), bad_plugin("abi_too_old"), bad_plugin("nan_cost")});
    CHECK(contains(find_message(registry, QAPFW_KIND_SOLVER, "minimla"),
                   "no solver plugin is called \"minimla\"; did you mean \"minimal\"?"));
    CHECK(contains(find_message(registry, QAPFW_KIND_SOLVER, "abi_too"), "; refused: "));
    const Registry empty;
    CHECK(find_message(empty, QAPFW_KIND_PROBLEM, "qap") ==
          "no problem plugin is called \"qap\"; no problem plugin was found at all");
}

TEST_CASE("eight libraries are tried and loaded within the time that a start may take") {
    if (bad_plugins_missing()) return;
    const TemporaryFolder folder;
    std::vector<std::filesystem::path> folders;
    for (int k = 0; k < 8; ++k) {
        folders.push_back(folder.folder(std::to_string(k)));
        copy_plugin("fine", folders.back(), "fine");
    }
    auto best = std::chrono::steady_clock::duration::max();
    for (int repeat = 0; repeat < 5; ++repeat) {
        const auto begin = std::chrono::steady_clock::now();
        CHECK(scan(folders).refusals().size() == 7);
        best = std::min(best, std::chrono::steady_clock::now() - begin);
    }
    const double milliseconds = std::chrono::duration<double, std::milli>(best).count();
    MESSAGE("eight trials took " << milliseconds << " ms");
    CHECK(milliseconds < kLongestStart);
}
