// SPDX-License-Identifier: Apache-2.0
#include "framework/problem/encoding.hpp"

#include <doctest/doctest.h>

#include <cstring>

#include "qapfw/error.hpp"
#include "qapfw/sdk/encoding.hpp"

using namespace qapfw::framework;
using qapfw::sdk::Encoding;

TEST_CASE("patterns name the kinds of the segments, and lists of patterns are whole words") {
    const Encoding both = Encoding::permutation_and_bays(5);
    CHECK(encoding_pattern(both.c_encoding()) == "permutation+bays");
    CHECK(accepts_encoding("permutation permutation+bays", "permutation+bays"));
    CHECK_FALSE(accepts_encoding("permutation", "permutation+bays"));
    CHECK_FALSE(accepts_encoding("permutation+bays", "permutation"));
    CHECK(accepts_encoding(nullptr, "permutation"));
}

TEST_CASE("values go into a solution and come out again, with zeros in the padding") {
    const Encoding both = Encoding::permutation_and_bays(5);
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

TEST_CASE("invalid solutions are reported with their first defect") {
    const Encoding both = Encoding::permutation_and_bays(3);
    const qapfw_encoding encoding = both.c_encoding();
    SolutionBuffer solution(encoding.solution_bytes);
    const auto defect = [&](const SolutionValues& values) {
        store_values(encoding, values, solution.data());
        return solution_defect(encoding, solution.data());
    };
    CHECK(defect({{0, 1, 1}, {0, 0}}) ==
          "not a valid solution: permutation 0: 1 appears twice, the second time at position 2");
    CHECK(defect({{0, 3, 1}, {0, 0}}) ==
          "not a valid solution: permutation 0: position 1 holds 3, which must be below 3");
    CHECK(defect({{0, 2, 1}, {0, 2}}) == "not a valid solution: bays 1: bit 1 is 2, wanted 0 or 1");
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
    CHECK(defect_with([&] { segment.element_bytes = 4; }).empty());
    CHECK_FALSE(defect_with([&] { segment.element_bytes = 1; }).empty());
    CHECK_FALSE(defect_with([&] { segment.offset = 8; }).empty());
    CHECK_FALSE(defect_with([&] { segment.length = 70000; }).empty());
    CHECK_FALSE(defect_with([&] { segment.length = 9; }).empty());
    CHECK_FALSE(defect_with([&] { wrong.solution_bytes = 10; }).empty());
    wrong.segment_count = 0;
    CHECK_FALSE(encoding_defect(wrong).empty());
}

TEST_CASE("segments of any kinds, lengths and order hold their elements") {
    const Encoding all = Encoding().add_bits(5).add_permutation32(3).add_values({3, 1, 300}).add_values(2, 70000);
    const qapfw_encoding encoding = all.c_encoding();
    CHECK(encoding_defect(encoding).empty());
    CHECK(encoding_pattern(encoding) == "bits+permutation32+values+values");
    const SolutionValues values = {{1, 0, 0, 1, 1}, {2, 0, 1}, {2, 0, 299}, {69999, 65536}};
    SolutionBuffer solution(encoding.solution_bytes);
    store_values(encoding, values, solution.data());
    CHECK(solution_values(encoding, solution.data()) == values);
    CHECK(solution_defect(encoding, solution.data()).empty());
    const auto defect = [&](std::size_t segment, std::vector<std::uint32_t> wrong) {
        SolutionValues changed = values;
        changed[segment] = std::move(wrong);
        store_values(encoding, changed, solution.data());
        return solution_defect(encoding, solution.data());
    };
    CHECK(defect(2, {2, 1, 299}) == "not a valid solution: values 2: position 1 holds 1, which must be below 1");
    CHECK(defect(3, {69999, 70000}) ==
          "not a valid solution: values 3: position 1 holds 70000, which must be below 70000");
    CHECK(defect(1, {2, 2, 1}) ==
          "not a valid solution: permutation32 1: 2 appears twice, the second time at position 1");
    const Encoding copy = all;  // copies share the bounds
    CHECK(copy.c_encoding().segments[2].bounds == encoding.segments[2].bounds);
    CHECK(encoding_pattern(Encoding::permutation(65537).c_encoding()) == "permutation32");
}

TEST_CASE("counts say how many elements hold each value") {
    const Encoding counted = Encoding().add_bits(4, 1).add_counted_values({1, 0, 2});
    const qapfw_encoding encoding = counted.c_encoding();
    CHECK(encoding_defect(encoding).empty());
    CHECK(encoding_pattern(encoding) == "counted_bits+counted_values");
    SolutionBuffer solution(encoding.solution_bytes);
    qapfw::sdk::base_solution(encoding, solution.data());
    CHECK(solution_values(encoding, solution.data()) == SolutionValues{{0, 0, 0, 1}, {0, 2, 2}});
    store_values(encoding, {{1, 0, 0, 1}, {0, 2, 2}}, solution.data());
    CHECK(solution_defect(encoding, solution.data()) ==
          "not a valid solution: counted_bits 0: 2 positions hold value 0, wanted 3 positions");
}

TEST_CASE("elements of every segment may be fixed") {
    const Encoding both = Encoding().add_permutation(2).add_values(2, 9);
    const std::uint8_t mask[4] = {0, 0, 0, 1};
    SolutionBuffer fixed(32), solution(32);
    store_values(both.c_encoding(), {{0, 1}, {3, 4}}, fixed.data());
    const qapfw_encoding encoding = both.c_encoding(mask, fixed.data());
    store_values(encoding, {{1, 0}, {8, 4}}, solution.data());
    CHECK(solution_defect(encoding, solution.data()).empty());
    store_values(encoding, {{1, 0}, {8, 5}}, solution.data());
    CHECK(solution_defect(encoding, solution.data()) == "values 1: position 1 is fixed to 4, found 5");
}

TEST_CASE("segments that do not fit are refused with a message") {
    const auto defect_of = [](Encoding encoding, auto change) {
        qapfw_encoding c = encoding.c_encoding();
        std::vector<qapfw_segment> segments(c.segments, c.segments + c.segment_count);
        change(segments.back());
        c.segments = segments.data();
        return encoding_defect(c);
    };
    const Encoding values = Encoding().add_bits(20).add_values(3, 5);
    CHECK(defect_of(values, [](qapfw_segment& s) { s.bound = 0; }) == "segment 1: `bound` is 0");
    CHECK(defect_of(values, [](qapfw_segment& s) { s.bound = 257; }) ==
          "segment 1: the bound of position 0 is 257, too large for elements of 1 bytes");
    CHECK(defect_of(values, [](qapfw_segment& s) { s.offset = 16; }) ==
          "segment 1: starts at byte 16, wanted 32: segments follow each other at multiples of 16");
    CHECK(defect_of(values, [](qapfw_segment& s) { s.length = 17; }) ==
          "segment 1: ends beyond the solution's 48 bytes");
    CHECK(defect_of(Encoding().add_values({2, 0}), [](qapfw_segment&) {}) == "segment 0: the bound of position 1 is 0");
    CHECK(defect_of(Encoding().add_bits(5), [](qapfw_segment& s) { s.bound = 2; }) ==
          "segment 0: only a segment of values can have bounds");
    CHECK(defect_of(Encoding().add_bits(5, 2), [](qapfw_segment& s) { s.length = 4; }) ==
          "segment 0: its counts sum up to 5, but must sum up to its length 4");
    const auto room = [](std::vector<std::int64_t> weights, std::vector<std::int64_t> capacities) {
        return encoding_defect(Encoding().add_values(std::move(weights), std::move(capacities)).c_encoding());
    };
    CHECK(room({3, 4}, {4, 3}).empty());
    CHECK(room({3, 5}, {4, 4}) == "segment 0: the weight of position 1 is 5, above the greatest capacity 4");
    CHECK(room({3, 3, 3}, {4, 4}) == "segment 0: the weights sum up to 9, more than the capacities, which sum up to 8");
    CHECK(defect_of(Encoding::permutation_and_bays(5), [](qapfw_segment& s) { s.length = 3; }) ==
          "bays need exactly two segments: a permutation of n elements of 2 bytes, then n - 1 bay bits");
}
