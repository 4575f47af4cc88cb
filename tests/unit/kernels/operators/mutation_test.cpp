// SPDX-License-Identifier: Apache-2.0
#include "qapfw/kernels/operators/mutation.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "qapfw/kernels/random_permutation.hpp"
#include "tests/unit/kernels/fbs_individual.hpp"

using namespace qapfw::kernels;
using namespace qapfw::kernels::test;

namespace {

constexpr std::uint32_t kMutationSizes[] = {1, 2, 3, 12, 100, 300};

Mutation mutation_number(std::uint32_t k) {
    return static_cast<Mutation>(k);
}

/// Makes each kind of mutation on random individuals of several sizes. Calls check(kind, before, after, changed) for
/// each mutation made. `changed` is what the mutation returned.
template <class Check>
void for_mutations(const Check& check) {
    for (std::uint32_t k = 0; k < kMutationCount; ++k) {
        CAPTURE(kMutationNames[k]);
        for (const std::uint32_t n : kMutationSizes) {
            CAPTURE(n);
            for (std::uint32_t trial = 0; trial < 40; ++trial) {
                const Individual before = random_individual(n, trial);
                Individual after = before;
                const std::uint32_t word0 = draw(3, trial, n, 1, 0), word1 = draw(3, trial, n, 1, 1);
                const bool changed = mutate(mutation_number(k), after.view(), n, word0, word1);
                check(mutation_number(k), before, after, changed);
            }
        }
    }
}

}  // namespace

TEST_CASE("names of mutations are the choices of a parameter, by number") {
    CHECK(std::string(kMutationChoices.text) ==
          "exchange|insertion|transposition|reversal|flip_bit|shift_border|swap_bays|reverse_bay");
    CHECK(std::string(name_of(Mutation::kReverseBay)) == "reverse_bay");
    CHECK(static_cast<std::uint32_t>(Mutation::kReverseBay) + 1 == kMutationCount);
    CHECK_FALSE(needs_bits(Mutation::kReversal));
    CHECK(needs_bits(Mutation::kFlipBit));
}

TEST_CASE("a mutation gives a valid solution, and keeps a solution if it reports no change") {
    for_mutations([](Mutation, const Individual& before, const Individual& after, bool changed) {
        CHECK(after.valid());
        if (!changed) CHECK(after == before);
    });
}

TEST_CASE("a mutation changes what its name says") {
    for_mutations([](Mutation kind, const Individual& before, const Individual& after, bool changed) {
        std::size_t moved = 0;
        for (std::size_t k = 0; k < before.perm.size(); ++k) moved += before.perm[k] != after.perm[k] ? 1u : 0u;
        if (!needs_bits(kind)) CHECK(after.bits == before.bits);
        if (kind == Mutation::kExchange && changed) CHECK(moved == 2);
        if (kind == Mutation::kFlipBit || kind == Mutation::kShiftBorder) CHECK(moved == 0);
        if (kind == Mutation::kReverseBay) CHECK(after.bits == before.bits);
        if (before.size() > 1 && !needs_bits(kind) && kind != Mutation::kTransposition) CHECK(moved > 0);
    });
}

TEST_CASE("a permutation without bits is changed like the sequence of a layout, and moves of bays leave it alone") {
    for (std::uint32_t k = 0; k < kMutationCount; ++k) {
        for (const std::uint32_t n : kMutationSizes) {
            for (std::uint32_t trial = 0; trial < 20; ++trial) {
                const Individual before = random_individual(n, trial);
                Individual layout = before, alone = before;
                const std::uint32_t word0 = draw(4, trial, n, 1, 0), word1 = draw(4, trial, n, 1, 1);
                const bool changed = mutate(mutation_number(k), alone.sequence(), n, word0, word1);
                mutate(mutation_number(k), layout.view(), n, word0, word1);
                CHECK(alone.perm == (needs_bits(mutation_number(k)) ? before : layout).perm);
                if (needs_bits(mutation_number(k))) CHECK_FALSE(changed);
            }
        }
    }
}

TEST_CASE("exchange and transposition are those of the papers' algorithms") {
    for (const std::uint32_t n : kMutationSizes) {
        for (std::uint32_t trial = 0; trial < 40; ++trial) {
            const std::uint32_t word0 = draw(5, trial, n, 1, 0), word1 = draw(5, trial, n, 1, 1);
            Individual own = random_individual(n, trial), library = own;
            exchange_mutation(own.perm.data(), word0, word1, n);
            mutate<Mutation::kExchange>(library.sequence(), n, word0, word1);
            CHECK(library == own);
            transposition(own.perm.data(), word0, word1, n);
            mutate<Mutation::kTransposition>(library.sequence(), n, word0, word1);
            CHECK(library == own);
        }
    }
}

TEST_CASE("the weighted draw of a move makes the mutation of that name") {
    constexpr Mutation kByWeight[] = {Mutation::kExchange,    Mutation::kInsertion, Mutation::kFlipBit,
                                      Mutation::kShiftBorder, Mutation::kReversal,  Mutation::kSwapBays,
                                      Mutation::kReverseBay};
    for (std::uint32_t move = 0; move < 7; ++move) {
        FbsMutationWeights weights{0, 0, 0, 0, 0, 0, 0};
        std::uint32_t* const weight[] = {&weights.swap,         &weights.insert,          &weights.flip_bit,
                                         &weights.shift_border, &weights.reverse_segment, &weights.swap_bays,
                                         &weights.reverse_bay};
        *weight[move] = 3;
        for (std::uint32_t trial = 0; trial < 40; ++trial) {
            Individual one = random_individual(30, trial), other = one;
            const Philox4 words = draw4(9, trial, move, 1, 0);
            const bool changed = fbs_mutate(one.view(), 30, weights, words);
            CHECK(mutate(kByWeight[move], other.view(), 30, words.word[1], words.word[2]) == changed);
            CHECK(one == other);
        }
    }
}

TEST_CASE("with fixed positions mutations leave these alone") {
    std::vector<std::uint16_t> positions;
    for (std::uint16_t k = 0; k < 20; ++k) {
        if (k % 3 != 1) positions.push_back(k);
    }
    const auto free = static_cast<std::uint32_t>(positions.size());
    for (std::uint32_t k = 0; k < kMutationCount; ++k) {
        for (std::uint32_t trial = 0; trial < 40; ++trial) {
            Individual s(20);
            for (std::uint16_t i = 0; i < 20; ++i) s.perm[i] = i;
            mutate(mutation_number(k), movable_view(s.perm.data(), positions.data()), free, draw(6, trial, k, 1, 0),
                   draw(6, trial, k, 1, 1));
            CHECK(s.valid());
            for (std::uint16_t i = 1; i < 20; i = static_cast<std::uint16_t>(i + 3)) CHECK(s.perm[i] == i);
        }
    }
    Individual s(1);
    CHECK_FALSE(mutate(Mutation::kTransposition, movable_view(s.perm.data(), positions.data()), 0, 7, 9));
}
