// SPDX-License-Identifier: Apache-2.0
#include "framework/problem/encoding.hpp"

#include <doctest/doctest.h>

#include <cstring>

#include "qapfw/error.hpp"
#include "qapfw/sdk/encoding.hpp"

using namespace qapfw::framework;
using qapfw::sdk::Encoding;

TEST_CASE("patterns name the kinds of the segments, and lists of patterns are whole words") {
    const Encoding both = Encoding::permutation_and_bits(5, 4);
    CHECK(encoding_pattern(both.c_encoding()) == "permutation+bits");
    CHECK(accepts_encoding("permutation permutation+bits", "permutation+bits"));
    CHECK_FALSE(accepts_encoding("permutation", "permutation+bits"));
    CHECK_FALSE(accepts_encoding("permutation+bits", "permutation"));
    CHECK(accepts_encoding(nullptr, "permutation"));
}

TEST_CASE("values go into a solution and come out again, with zeros in the padding") {
    const Encoding both = Encoding::permutation_and_bits(5, 4);
    const qapfw_encoding encoding = both.c_encoding();
    const SolutionValues values = {{4, 2, 0, 1, 3}, {1, 0, 0, 1}};
    SolutionBuffer solution(encoding.solution_bytes);
    std::memset(solution.data(), 0xFF, encoding.solution_bytes);
    store_values(encoding, values, solution.data());
    CHECK(solution_values(encoding, solution.data()) == values);
    CHECK(solution_defect(encoding, solution.data()).empty());
    CHECK(static_cast<const unsigned char*>(solution.data())[10] == 0);
    CHECK(static_cast<const unsigned char*>(solution.data())[encoding.solution_bytes - 1] == 0);
}

TEST_CASE("invalid solutions are told by their first defect") {
    const Encoding both = Encoding::permutation_and_bits(3, 2);
    const qapfw_encoding encoding = both.c_encoding();
    SolutionBuffer solution(encoding.solution_bytes);
    const auto defect = [&](const SolutionValues& values) {
        store_values(encoding, values, solution.data());
        return solution_defect(encoding, solution.data());
    };
    CHECK(defect({{0, 1, 1}, {0, 0}}) ==
          "not a valid solution: permutation 0: 1 appears twice, the second time at position 2");
    CHECK(defect({{0, 3, 1}, {0, 0}}) == "not a valid solution: permutation 0: position 1 holds 3 of 3");
    CHECK(defect({{0, 2, 1}, {0, 2}}) == "not a valid solution: bits 1: bit 1 holds 2");
    CHECK_THROWS_AS(store_values(encoding, {{0, 1}, {0, 0}}, solution.data()), qapfw::Error);
    CHECK_THROWS_AS(store_values(encoding, {{0, 1, 2}}, solution.data()), qapfw::Error);
    CHECK_THROWS_AS(store_values(encoding, {{0, 1, 65536}, {0, 0}}, solution.data()), qapfw::Error);
}

TEST_CASE("a fixed position that moved is a defect") {
    const Encoding three = Encoding::permutation(3);
    const std::uint8_t mask[3] = {0, 1, 0};
    const std::uint16_t fixed[8] = {0, 2, 1};
    const qapfw_encoding encoding = three.c_encoding(mask, fixed);
    SolutionBuffer solution(encoding.solution_bytes);
    store_values(encoding, {{1, 2, 0}}, solution.data());
    CHECK(solution_defect(encoding, solution.data()).empty());
    store_values(encoding, {{2, 1, 0}}, solution.data());
    CHECK(solution_defect(encoding, solution.data()) == "position 1 is fixed to 2, found 1");
}

TEST_CASE("declarations that break the layout are refused") {
    const Encoding three = Encoding::permutation(3);
    const qapfw_encoding right = three.c_encoding();
    CHECK(encoding_defect(right).empty());
    qapfw_segment segment = right.segments[0];
    qapfw_encoding wrong = right;
    wrong.segments = &segment;
    const auto defect_with = [&](auto change) {
        segment = right.segments[0];
        wrong.solution_bytes = right.solution_bytes;
        change();
        return encoding_defect(wrong);
    };
    CHECK_FALSE(defect_with([&] { segment.kind = 7; }).empty());
    CHECK_FALSE(defect_with([&] { segment.element_bytes = 4; }).empty());
    CHECK_FALSE(defect_with([&] { segment.offset = 8; }).empty());
    CHECK_FALSE(defect_with([&] { segment.length = 70000; }).empty());
    CHECK_FALSE(defect_with([&] { segment.length = 9; }).empty());
    CHECK_FALSE(defect_with([&] { wrong.solution_bytes = 10; }).empty());
    wrong.segment_count = 0;
    CHECK_FALSE(encoding_defect(wrong).empty());
}
