// SPDX-License-Identifier: Apache-2.0
#include "qapfw/kernels/fbs_mutation.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <vector>

#include "tests/unit/kernels/fbs_individual.hpp"

using namespace qapfw::kernels;
using namespace qapfw::kernels::test;

namespace {

template <class Check>
void for_random(Check check) {
    for (const std::uint32_t n : {2u, 3u, 9u, 40u}) {
        for (std::uint32_t trial = 0; trial < 200; ++trial) {
            check(random_individual(n, trial), draw4(5, trial, n, 3, 0));
        }
    }
}

}  // namespace

TEST_CASE("a swap moves two departments and no bit") {
    for_random([](const Individual& before, const Philox4& words) {
        Individual after = before;
        CHECK(fbs_mutate_swap(after.view(), after.size(), words.word[0], words.word[1]));
        CHECK(after.valid());
        CHECK(after.bits == before.bits);
        size_t different = 0;
        for (size_t k = 0; k < before.perm.size(); ++k) different += before.perm[k] != after.perm[k] ? 1u : 0u;
        CHECK(different == 2);
    });
}

TEST_CASE("an insertion moves one department and keeps the others' order") {
    for_random([](const Individual& before, const Philox4& words) {
        Individual after = before;
        CHECK(fbs_mutate_insert(after.view(), after.size(), words.word[0], words.word[1]));
        CHECK(after.valid());
        CHECK(after.bits == before.bits);
        bool one_moved = false;
        for (const std::uint16_t d : before.perm) {
            std::vector<std::uint16_t> a = before.perm;
            std::vector<std::uint16_t> b = after.perm;
            std::erase(a, d);
            std::erase(b, d);
            one_moved = one_moved || (a == b && before.perm != after.perm);
        }
        CHECK(one_moved);
    });
}

TEST_CASE("a flip changes one bit, a border shift moves one by one position") {
    for_random([](const Individual& before, const Philox4& words) {
        Individual flipped = before;
        CHECK(fbs_mutate_flip_bit(flipped.view(), flipped.size(), words.word[0]));
        size_t different = 0;
        for (size_t k = 0; k < before.bits.size(); ++k) different += before.bits[k] != flipped.bits[k] ? 1u : 0u;
        CHECK(different == 1);
        Individual shifted = before;
        const bool moved = fbs_mutate_shift_border(shifted.view(), shifted.size(), words.word[0], words.word[1]);
        CHECK(shifted.perm == before.perm);
        CHECK(bays_of(shifted).size() == bays_of(before).size());
        CHECK(moved == (shifted.bits != before.bits));
        if (!moved) return;
        std::vector<size_t> changed;
        for (size_t k = 0; k < before.bits.size(); ++k) {
            if (before.bits[k] != shifted.bits[k]) changed.push_back(k);
        }
        REQUIRE(changed.size() == 2);
        CHECK(changed[1] == changed[0] + 1);
    });
}

TEST_CASE("swapping two bays moves them as a whole") {
    for_random([](const Individual& before, const Philox4& words) {
        Individual after = before;
        const bool changed = fbs_mutate_swap_bays(after.view(), after.size(), words.word[0], words.word[1]);
        auto expected = bays_of(before);
        CHECK(changed == (expected.size() > 1));
        if (!changed) return;
        std::uint32_t i = 0;
        std::uint32_t j = 0;
        draw_two(words.word[0], words.word[1], static_cast<std::uint32_t>(expected.size()), i, j);
        std::swap(expected[i], expected[j]);
        CHECK(bays_of(after) == expected);
    });
}

TEST_CASE("reversals turn one stretch or one bay around and keep the bits") {
    for_random([](const Individual& before, const Philox4& words) {
        Individual after = before;
        CHECK(fbs_mutate_reverse_segment(after.view(), after.size(), words.word[0], words.word[1]));
        CHECK(after.valid());
        CHECK(after.bits == before.bits);
        size_t first = 0;
        while (after.perm[first] == before.perm[first]) ++first;
        size_t last = before.perm.size() - 1;
        while (after.perm[last] == before.perm[last]) --last;
        for (size_t k = first; k <= last; ++k) CHECK(after.perm[k] == before.perm[first + last - k]);

        Individual turned = before;
        fbs_mutate_reverse_bay(turned.view(), turned.size(), words.word[0]);
        const auto old_bays = bays_of(before);
        const auto new_bays = bays_of(turned);
        REQUIRE(old_bays.size() == new_bays.size());
        const std::uint32_t chosen = below(words.word[0], static_cast<std::uint32_t>(old_bays.size()));
        for (size_t b = 0; b < old_bays.size(); ++b) {
            auto expected = old_bays[b];
            if (b == chosen) std::reverse(expected.begin(), expected.end());
            CHECK(new_bays[b] == expected);
        }
    });
}

TEST_CASE("mutations are drawn by weight and every result is valid") {
    std::map<bool, int> bit_moves;
    for (std::uint32_t trial = 0; trial < 4000; ++trial) {
        const Individual before = random_individual(30, trial % 50);
        Individual after = before;
        fbs_mutate(after.view(), 30,
                   FbsMutationWeights{.swap = 3,
                                      .insert = 0,
                                      .flip_bit = 1,
                                      .shift_border = 0,
                                      .reverse_segment = 0,
                                      .swap_bays = 0,
                                      .reverse_bay = 0},
                   draw4(9, trial, 0, 4, 0));
        CHECK(after.valid());
        ++bit_moves[after.perm == before.perm];
    }
    CHECK(bit_moves[true] > 850);
    CHECK(bit_moves[true] < 1150);
    for (std::uint32_t n = 1; n <= 40; ++n) {
        Individual s = random_individual(n, n);
        for (std::uint32_t trial = 0; trial < 200; ++trial) {
            fbs_mutate(s.view(), n, FbsMutationWeights{.reverse_bay = 5}, draw4(9, trial, n, 4, 0));
            CHECK(s.valid());
        }
    }
}

TEST_CASE("random solutions are valid, repeat, and have about the asked number of bays") {
    double total = 0;
    for (std::uint32_t index = 0; index < 300; ++index) {
        const Individual s = random_individual(100, index);
        CHECK(s.valid());
        CHECK(s == random_individual(100, index));
        total += static_cast<double>(bays_of(s).size());
    }
    CHECK(total / 300 > 10.2);  // expected: 1 + 99 * 10 / 100 = 10.9 bays
    CHECK(total / 300 < 11.6);
}
