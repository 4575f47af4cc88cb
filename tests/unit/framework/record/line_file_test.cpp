// SPDX-License-Identifier: Apache-2.0
#include "framework/record/line_file.hpp"

#include <doctest/doctest.h>

#include "qapfw/error.hpp"
#include "tests/unit/framework/plugin/bad_plugins.hpp"
#include "tests/unit/framework/record/full_disk.hpp"

using namespace qapfw::framework;
using qapfw::framework::testing::FullDisk;
using qapfw::framework::testing::TemporaryFolder;

TEST_CASE("lines that could not be written come with the next one, and none is left half written") {
    const TemporaryFolder place;
    const auto path = place.path() / "t.jsonl";
    LineFile lines;
    lines.open(Folder(place.path()), "t.jsonl", 0);
    lines.append("first");
    {
        const FullDisk full(9);
        CHECK_THROWS_AS(lines.append("second"), qapfw::Error);
        CHECK(read_file(path) == "first\n");
    }
    lines.append("third");
    CHECK(read_file(path) == "first\nsecond\nthird\n");
    CHECK(lines.size() == 19);
}

TEST_CASE("a line file goes on after the whole lines within the bytes that are kept") {
    const TemporaryFolder place;
    const auto path = place.write("t.jsonl", "aa\nbb\ncc\nd");
    for (const auto& [keep, expected] : {std::pair{6, "aa\nbb\nx\n"}, std::pair{5, "aa\nx\n"},
                                         std::pair{99, "aa\nbb\ncc\nx\n"}, std::pair{0, "x\n"}}) {
        place.write("t.jsonl", "aa\nbb\ncc\nd");
        LineFile lines;
        lines.open(Folder(place.path()), "t.jsonl", static_cast<std::uint64_t>(keep));
        CHECK(lines.hash() == hash_of_lines(read_file(path)));
        lines.append("x");
        CHECK(read_file(path) == expected);
    }
}
