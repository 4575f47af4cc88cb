// SPDX-License-Identifier: Apache-2.0
// Loading and hashing one library.
#include "framework/plugin/library.hpp"

#include <doctest/doctest.h>

#include "qapfw/error.hpp"
#include "tests/unit/framework/plugin/bad_plugins.hpp"

using namespace qapfw::framework;
using namespace qapfw::framework::testing;

TEST_CASE("the hash is xxh3-128 and depends on every byte") {
    const TemporaryFolder folder;
    // The hash of an empty file comes from the xxHash library's own tests.
    CHECK(hash_file(folder.write("empty", "")) == "99aa06d3014798d86001c324468d497f");
    std::string text(3'000'000, 'x');
    const std::string before = hash_file(folder.write("text", text));
    text.back() = 'y';
    CHECK(hash_file(folder.write("text", text)) != before);
    CHECK_THROWS_AS(hash_file(folder.path() / "missing"), qapfw::Error);
}

TEST_CASE("a loaded library stays: its descriptor has one address however often it is loaded") {
    if (bad_plugins_missing()) return;
    const auto path = std::filesystem::canonical(bad_plugin("fine"));
    const qapfw_plugin& first = load_library(path);
    CHECK(&load_library(path) == &first);
    CHECK(std::string(first.magic) == "qapfw-plugin");
}

TEST_CASE("the loader's reason comes without the file's name and without the frame around it") {
    const TemporaryFolder folder;
    const auto path = folder.write("text.so", std::string(5000, 'x'));
    CHECK_THROWS_WITH_AS(load_library(path),
                         "it must be a shared library that loads with all its symbols, found: invalid ELF header",
                         qapfw::Error);
}
