// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "qapfw/kernels/permutation_operators.hpp"
#include "qapfw/kernels/random_permutation.hpp"

namespace {

using namespace qapfw::kernels;
using Genome = std::vector<std::uint16_t>;

Genome identity(std::uint32_t n) {
    Genome p(n);
    std::iota(p.begin(), p.end(), std::uint16_t{0});
    return p;
}

Genome random_genome(std::uint32_t n, std::uint32_t individual) {
    Genome p = identity(n);
    shuffle(p.data(), static_cast<const std::uint16_t*>(nullptr), n, 17, 0, individual, 1);
    return p;
}

bool is_permutation(Genome p) {
    std::sort(p.begin(), p.end());
    return p == identity(static_cast<std::uint32_t>(p.size()));
}

Genome pmx_of(const Genome& first, const Genome& second, Cuts cuts) {
    Genome child = first;
    pmx(child.data(), second.data(), cuts, static_cast<std::uint32_t>(first.size()));
    return child;
}

Genome pmx_with_inverse_of(const Genome& first, const Genome& second, Cuts cuts) {
    Genome child = first, where(first.size());
    for (std::uint16_t k = 0; k < first.size(); ++k) where[child[k]] = k;
    pmx_with_inverse(child.data(), second.data(), where.data(), cuts);
    for (std::uint16_t k = 0; k < first.size(); ++k) CHECK(where[child[k]] == k);
    return child;
}

Genome ox_of(const Genome& first, const Genome& second, Cuts cuts) {
    const auto n = static_cast<std::uint32_t>(first.size());
    Genome child(n, 999);
    std::vector<std::uint8_t> taken(n);
    order_crossover(child.data(), first.data(), second.data(), taken.data(), cuts, n, n);
    return child;
}

Genome mox_of(const Genome& first, const Genome& second, std::uint32_t cut) {
    const auto n = static_cast<std::uint32_t>(first.size());
    Genome child(n, 999);
    std::vector<std::uint8_t> taken(n);
    modified_order_crossover(child.data(), first.data(), second.data(), taken.data(), cut, n, n);
    return child;
}

/// PMX as Fig. 7 of Tsutsui and Fujimoto, CEC 2010, prints it, statement by statement.
Genome figure_7(const Genome& parent1, const Genome& parent2, std::uint32_t cut1, std::uint32_t cut2) {
    Genome child = parent1;
    for (std::uint32_t i = cut1; i < cut2; i++) {
        for (std::uint32_t j = 0; j < child.size(); j++) {
            if (parent2[i] == child[j]) {
                const std::uint16_t tmp = child[i];
                child[i] = child[j];
                child[j] = tmp;
                break;
            }
        }
    }
    return child;
}

const std::vector<std::uint32_t> kSizes = {1, 2, 3, 4, 5, 7, 16, 33, 100, 257};

}  // namespace

TEST_CASE("PMX equals the printed code of the 2010 paper, and its inverse form equals both") {
    for (const std::uint32_t n : kSizes) {
        for (std::uint32_t k = 0; k < 40; ++k) {
            const Genome first = random_genome(n, 2 * k), second = random_genome(n, 2 * k + 1);
            const Cuts cuts = draw_cuts(draw(3, k, n, 2, 0), draw(3, k, n, 2, 1), n);
            const Genome child = pmx_of(first, second, cuts);
            CHECK(is_permutation(child));
            CHECK(child == figure_7(first, second, cuts.first, cuts.second));
            CHECK(child == pmx_with_inverse_of(first, second, cuts));
            for (std::uint32_t i = cuts.first; i < cuts.second; ++i) CHECK(child[i] == second[i]);
        }
    }
}

TEST_CASE("PMX of a small example") {
    CHECK(pmx_of({0, 1, 2, 3, 4}, {4, 3, 1, 0, 2}, {1, 3}) == Genome{0, 3, 1, 2, 4});
    CHECK(pmx_of({0, 1, 2, 3, 4}, {4, 3, 1, 0, 2}, {2, 2}) == Genome{0, 1, 2, 3, 4});
    CHECK(pmx_of({0, 1, 2, 3, 4}, {4, 3, 1, 0, 2}, {0, 5}) == Genome{4, 3, 1, 0, 2});
}

TEST_CASE("order crossover of small examples") {
    // The child has elements 2 and 3 of the first parent at positions 2 and 3. The second parent, read from position 4
    // on, is 5 0 1 4 3 2. Without elements 2 and 3 it is 5 0 1 4.
    CHECK(ox_of({0, 1, 2, 3, 4, 5}, {1, 4, 3, 2, 5, 0}, {2, 4}) == Genome{1, 4, 2, 3, 5, 0});
    // The segment ends at the genome's end: filling starts at position 0.
    CHECK(ox_of({0, 1, 2, 3, 4, 5}, {5, 4, 3, 2, 1, 0}, {4, 6}) == Genome{3, 2, 1, 0, 4, 5});
    CHECK(ox_of({0, 1, 2}, {2, 0, 1}, {1, 1}) == Genome{2, 0, 1});
}

TEST_CASE("order crossovers give permutations that keep what they promise, for all sizes") {
    for (const std::uint32_t n : kSizes) {
        for (std::uint32_t k = 0; k < 40; ++k) {
            const Genome first = random_genome(n, 2 * k), second = random_genome(n, 2 * k + 1);
            const Cuts cuts = draw_cuts(draw(4, k, n, 2, 0), draw(4, k, n, 2, 1), n);
            const Genome child = ox_of(first, second, cuts);
            CHECK(is_permutation(child));
            for (std::uint32_t i = cuts.first; i < cuts.second; ++i) CHECK(child[i] == first[i]);
            const Genome left = mox_of(first, second, cuts.first);
            CHECK(is_permutation(left));
            CHECK(std::equal(left.begin(), left.begin() + cuts.first, first.begin()));
            Genome order;  // the first parent's elements from the cut on, in the order of the second parent
            for (const std::uint16_t v : second) {
                if (std::find(first.begin(), first.begin() + cuts.first, v) == first.begin() + cuts.first) {
                    order.push_back(v);
                }
            }
            CHECK(Genome(left.begin() + cuts.first, left.end()) == order);
        }
    }
}

TEST_CASE("modified order crossover of a small example") {
    CHECK(mox_of({0, 1, 2, 3, 4}, {4, 3, 1, 0, 2}, 2) == Genome{0, 1, 4, 3, 2});
}

TEST_CASE("cuts are in ascending order and every cut from 0 to n - 1 occurs") {
    std::vector<int> seen(5, 0);
    for (std::uint32_t k = 0; k < 500; ++k) {
        const Cuts cuts = draw_cuts(draw(5, k, 0, 2, 0), draw(5, k, 0, 2, 1), 5);
        CHECK(cuts.first <= cuts.second);
        REQUIRE(cuts.second < 5);
        ++seen[cuts.first];
        ++seen[cuts.second];
    }
    for (const int count : seen) CHECK(count > 100);
}

TEST_CASE("exchange mutation exchanges exactly two positions, each pair about as often") {
    Genome alone = identity(1);
    exchange_mutation(alone.data(), 7, 9, 1);
    CHECK(alone == identity(1));
    std::vector<int> pairs(16, 0);
    for (std::uint32_t k = 0; k < 1200; ++k) {
        Genome p = identity(4);
        exchange_mutation(p.data(), draw(6, k, 0, 2, 0), draw(6, k, 0, 2, 1), 4);
        CHECK(is_permutation(p));
        std::vector<std::size_t> moved;
        for (std::size_t i = 0; i < 4; ++i) {
            if (p[i] != i) moved.push_back(i);
        }
        REQUIRE(moved.size() == 2);
        ++pairs[4 * moved[0] + moved[1]];
    }
    for (std::size_t i = 0; i < 4; ++i) {
        for (std::size_t j = i + 1; j < 4; ++j) {
            CHECK(pairs[4 * i + j] > 140);  // expected 200, standard deviation 13
            CHECK(pairs[4 * i + j] < 260);
        }
    }
}

TEST_CASE("transposition reverses one stretch") {
    for (const std::uint32_t n : kSizes) {
        for (std::uint32_t k = 0; k < 40; ++k) {
            const std::uint32_t w0 = draw(8, k, n, 2, 0), w1 = draw(8, k, n, 2, 1);
            Genome p = random_genome(n, k), expected = p;
            transposition(p.data(), w0, w1, n);
            const auto [low, high] = std::minmax({below(w0, n), below(w1, n)});
            std::reverse(expected.begin() + low, expected.begin() + high + 1);
            CHECK(p == expected);
        }
    }
}

TEST_CASE("with fixed positions all operators leave these alone and work as on the movable part") {
    const std::vector<std::uint16_t> free = {1, 2, 4, 6, 7};
    const auto n = static_cast<std::uint32_t>(free.size());
    for (std::uint32_t k = 0; k < 60; ++k) {
        Genome first = identity(8), second = first;  // positions 0, 3 and 5 keep the elements 0, 3 and 5
        shuffle(first.data(), free.data(), n, 1, 0, 2 * k, 1);
        shuffle(second.data(), free.data(), n, 1, 0, 2 * k + 1, 1);
        const Cuts cuts = draw_cuts(draw(9, k, 0, 2, 0), draw(9, k, 0, 2, 1), n);
        std::vector<std::uint8_t> taken(8);
        using Free = FreeGenome<std::uint16_t>;
        const Free one{first.data(), free.data()}, other{second.data(), free.data()};
        Genome by_pmx = first, by_ox = first, by_mox = first, mutated = first, reversed = first;
        pmx(Free{by_pmx.data(), free.data()}, other, cuts, n);
        order_crossover(Free{by_ox.data(), free.data()}, one, other, taken.data(), cuts, n, 8);
        modified_order_crossover(Free{by_mox.data(), free.data()}, one, other, taken.data(), cuts.first, n, 8);
        exchange_mutation(Free{mutated.data(), free.data()}, draw(9, k, 1, 2, 0), draw(9, k, 1, 2, 1), n);
        transposition(Free{reversed.data(), free.data()}, draw(9, k, 1, 2, 0), draw(9, k, 1, 2, 1), n);
        for (const Genome& p : {by_pmx, by_ox, by_mox, mutated, reversed}) {
            CHECK(is_permutation(p));
            for (const std::size_t fixed : {0u, 3u, 5u}) CHECK(p[fixed] == fixed);
        }
        for (std::uint32_t i = cuts.first; i < cuts.second; ++i) {
            CHECK(by_pmx[free[i]] == second[free[i]]);
            CHECK(by_ox[free[i]] == first[free[i]]);
        }
    }
}
