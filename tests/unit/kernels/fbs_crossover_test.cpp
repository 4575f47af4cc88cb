// SPDX-License-Identifier: Apache-2.0
#include "qapfw/kernels/fbs_crossover.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "tests/unit/kernels/fbs_individual.hpp"

using namespace qapfw::kernels;
using namespace qapfw::kernels::test;

TEST_CASE("PMX worked by hand") {
    Individual a({0, 1, 2, 3, 4}, {0, 1, 0, 0});
    Individual b({4, 2, 0, 1, 3}, {1, 0, 0, 1});
    Individual child(5);
    std::uint16_t scratch[5];
    fbs_pmx(child.view(), a.view(), b.view(), scratch, 5, {1, 3}, kFbsBitsByPosition);
    // PMX exchanges departments 1 and 2 of a, then departments 1 (now at position 2) and 0.
    CHECK(child.perm == std::vector<std::uint16_t>{1, 2, 0, 3, 4});
    CHECK(child.bits == std::vector<std::uint8_t>{0, 0, 0, 0});
    fbs_pmx(child.view(), a.view(), b.view(), scratch, 5, {1, 3}, kFbsBitsByDepartment);
    CHECK(child.perm == std::vector<std::uint16_t>{1, 2, 0, 3, 4});
    CHECK(child.bits == std::vector<std::uint8_t>{1, 0, 0, 0});  // department 1 brings its bit from position 1 of a
}

TEST_CASE("PMX position by position, as a warp makes it, equals PMX by swaps") {
    for (const std::uint32_t n : {1u, 2u, 5u, 40u}) {
        std::vector<std::uint16_t> scratch(n);
        for (std::uint32_t trial = 0; trial < 100; ++trial) {
            Individual a = random_individual(n, 2 * trial), b = random_individual(n, 2 * trial + 1);
            const FbsSegment segment = fbs_draw_segment(draw4(7, 0, trial, 2, 0), n);
            for (const FbsBitInheritance mode : {kFbsBitsByPosition, kFbsBitsByDepartment}) {
                Individual expected(n), child(n);
                fbs_pmx_by_exchanges(expected.view(), a.view(), b.view(), scratch.data(), n, segment, mode);
                fbs_pmx_by_positions(child.view(), a.view(), b.view(), scratch.data(), n, segment, mode, ThreadGroup{});
                CHECK(child.perm == expected.perm);
                CHECK(child.bits == expected.bits);
            }
        }
    }
}

TEST_CASE("OX worked by hand") {
    Individual a({0, 1, 2, 3, 4}, {0, 1, 0, 0});
    Individual b({4, 2, 0, 1, 3}, {1, 0, 1, 1});
    Individual child(5);
    std::uint16_t scratch[5];
    fbs_ox(child.view(), a.view(), b.view(), scratch, 5, {1, 3}, kFbsBitsByPosition);
    CHECK(child.perm == std::vector<std::uint16_t>{1, 2, 0, 3, 4});  // filled from position 3 on with 3, 4 and 1
    CHECK(child.bits == std::vector<std::uint8_t>{0, 0, 1, 0});
    fbs_ox(child.view(), a.view(), b.view(), scratch, 5, {1, 3}, kFbsBitsByDepartment);
    CHECK(child.bits == std::vector<std::uint8_t>{1, 0, 1, 0});
}

TEST_CASE("children are valid, hold b's segment, and each bit comes from where it should") {
    for (const std::uint32_t n : {1u, 2u, 3u, 10u, 33u, 120u}) {
        std::vector<std::uint16_t> scratch(n);
        for (std::uint32_t trial = 0; trial < 200; ++trial) {
            Individual a = random_individual(n, 2 * trial);
            Individual b = random_individual(n, 2 * trial + 1);
            const FbsSegment segment = fbs_draw_segment(draw4(7, 0, trial, 2, 0), n);
            REQUIRE(segment.begin <= segment.end);
            REQUIRE(segment.end < n);
            for (const bool ox : {false, true}) {
                for (const FbsBitInheritance mode : {kFbsBitsByPosition, kFbsBitsByDepartment}) {
                    Individual child(n);
                    if (ox)
                        fbs_ox(child.view(), a.view(), b.view(), scratch.data(), n, segment, mode);
                    else
                        fbs_pmx(child.view(), a.view(), b.view(), scratch.data(), n, segment, mode);
                    REQUIRE(child.valid());
                    for (size_t k = 0; k < n; ++k) {
                        const bool inside = k >= segment.begin && k < segment.end;
                        if (inside) CHECK(child.perm[k] == b.perm[k]);
                        if (k + 1 == n) continue;
                        const size_t source = mode == kFbsBitsByPosition || inside ? k : a.position(child.perm[k]);
                        CHECK(child.bit(k) == (inside ? b : a).bit(source));
                    }
                }
            }
        }
    }
}

TEST_CASE("equal parents have an equal child") {
    Individual a = random_individual(40, 1);
    Individual b = a;
    Individual child(40);
    std::uint16_t scratch[40];
    for (std::uint32_t trial = 0; trial < 50; ++trial) {
        const FbsSegment segment = fbs_draw_segment(draw4(7, 0, trial, 2, 0), 40);
        fbs_pmx(child.view(), a.view(), b.view(), scratch, 40, segment, kFbsBitsByDepartment);
        CHECK(child.perm == a.perm);
        CHECK(child.bits == a.bits);
        fbs_ox(child.view(), a.view(), b.view(), scratch, 40, segment, kFbsBitsByDepartment);
        CHECK(child.perm == a.perm);
        CHECK(child.bits == a.bits);
    }
}
