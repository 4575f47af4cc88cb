// SPDX-License-Identifier: Apache-2.0
#include "framework/record/solution_file.hpp"

#include <doctest/doctest.h>

#include "qapfw/error.hpp"

using namespace qapfw;
using namespace qapfw::framework;

TEST_CASE("values come back from the bytes of a solution's file, and its name is its hash") {
    for (const SolutionValues& values :
         {SolutionValues{{3, 1, 2}}, SolutionValues{{70'000, 0}, {}, {1}}, SolutionValues{}}) {
        const std::string bytes = solution_bytes(values), name = solution_file_name(bytes);
        CHECK(is_solution_file(name));
        CHECK(parse_solution_bytes(bytes, name) == values);
    }
    CHECK(!is_solution_file("solution-0123456789abcdeg.bin"));
    CHECK(!is_solution_file("../solution-0123456789abcdef.bin"));
}

TEST_CASE("a solution's file that was changed, cut or renamed is refused") {
    const std::string bytes = solution_bytes({{3, 1, 2}}), name = solution_file_name(bytes);
    std::string changed = bytes;
    changed.back() = static_cast<char>(changed.back() ^ 1);
    const std::string cut = bytes.substr(0, bytes.size() - 2), longer = bytes + "x";
    CHECK_THROWS_AS(parse_solution_bytes(changed, name), Error);
    CHECK_THROWS_AS(parse_solution_bytes(bytes, "solution-0123456789abcdef.bin"), Error);
    CHECK_THROWS_AS(parse_solution_bytes(bytes, "best.bin"), Error);
    for (const std::string& wrong :
         {cut, longer, std::string("QAPFWSL1"), std::string("QAPFWSL1\xff\xff\xff\xff\xff\xff\xff\x00", 16)})
        CHECK_THROWS_AS(parse_solution_bytes(wrong, solution_file_name(wrong)), Error);
}
