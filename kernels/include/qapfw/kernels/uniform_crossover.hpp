// SPDX-License-Identifier: Apache-2.0
// Uniform crossover of permutations (Tate and Smith, "A genetic approach to the QAP", 1995). If both parents have the
// same value at a position, so has the child. Any other position gets a parent's value that is still free, if there is
// one.
#pragma once

#include "qapfw/kernels/fbs_view.hpp"
#include "qapfw/kernels/permutation_operators.hpp"
#include "qapfw/kernels/philox.hpp"
#include "qapfw/kernels/thread_group.hpp"

namespace qapfw::kernels {

/// The coordinates of a uniform crossover's random words. Bit 0 of word i decides which parent's value is tried first
/// for position i. Word n decides which value is tried first for the gaps.
struct UniformDraws {
    uint64_t seed, iteration;     ///< coordinates of the draws, see draw4
    uint32_t individual, stream;  ///< coordinates of the draws, see draw4
};

// Flags in the array `state` of a uniform crossover. Entry v holds the flags of value v and the flags of position v.
constexpr uint32_t kUniformTaken = 1;       ///< value v is in the child
constexpr uint32_t kUniformFromMother = 2;  ///< position v tries the mother's value first, not the father's
constexpr uint32_t kUniformGap = 4;         ///< neither parent could give position v a value

/// Chooses the values of the positions where the parents differ. Called by one thread. First, each of these positions
/// gets a parent's value that is not yet taken, or becomes a gap. Then each gap gets a value that is not yet taken, in
/// cyclic order from `first_filler` on.
template <class Child, class Mother, class Father, class Scratch>
QAPFW_HD void uniform_choose(Child child, const Mother& mother, const Father& father, Scratch state, uint32_t n,
                             uint32_t values, uint32_t first_filler) {
    using State = decltype(unqualified(state[0]));
    for (uint32_t i = 0; i < n; ++i) {
        const auto of_mother = mother.perm[i], of_father = father.perm[i];
        if (of_mother == of_father) continue;
        const bool from_mother = (state[i] & kUniformFromMother) != 0;
        const auto first = from_mother ? of_mother : of_father;
        const auto second = from_mother ? of_father : of_mother;
        const bool first_is_taken = (state[first] & kUniformTaken) != 0;
        if (first_is_taken && (state[second] & kUniformTaken) != 0) {
            state[i] = static_cast<State>(state[i] | kUniformGap);
            continue;
        }
        const auto value = first_is_taken ? second : first;
        child.perm[i] = value;
        state[value] = static_cast<State>(state[value] | kUniformTaken);
    }
    using Value = decltype(unqualified(child.perm[0]));
    uint32_t value = first_filler;
    for (uint32_t i = 0; i < n; ++i) {
        if ((state[i] & kUniformGap) == 0) continue;
        while ((state[value] & kUniformTaken) != 0) value = value + 1 == values ? 0 : value + 1;
        child.perm[i] = static_cast<Value>(value);
        state[value] = static_cast<State>(state[value] | kUniformTaken);
    }
}

/// Makes the child of two parents. Values that neither parent could place fill the gaps, in cyclic order from a random
/// value on. A position's bay bit comes from the parent that gave the position's value. If both parents gave the value,
/// or neither, the bit comes from the parent that a random bit chose for the position (see UniformDraws). `state`:
/// scratch of `values` numbers of at least one byte. The child must not overlap a parent. All threads of a group call
/// this function together. The work is O(n + values).
template <class Child, class Mother, class Father, class Scratch, class Group = ThreadGroup>
QAPFW_HD void uniform_crossover(Child child, const Mother& mother, const Father& father, Scratch state, uint32_t n,
                                uint32_t values, const UniformDraws& draws, Group group = {}) {
    using State = decltype(unqualified(state[0]));
    const State elsewhere = n == values ? 0 : kUniformTaken;  // flags of the values that only fixed positions have
    share_out(group, 0, values, [&](uint32_t v) { state[v] = elsewhere; });
    group.sync();
    if (n != values) {
        share_out(group, 0, n, [&](uint32_t i) { state[mother.perm[i]] = 0; });
        group.sync();
    }
    share_out(group, 0, (n + 3) / 4, [&](uint32_t slot) {
        const Philox4 words = draw4(draws.seed, draws.iteration, draws.individual, draws.stream, slot);
        for (uint32_t i = 4 * slot; i < 4 * slot + 4 && i < n; ++i) {
            if ((words.word[i & 3u] & 1u) != 0) state[i] = static_cast<State>(state[i] | kUniformFromMother);
        }
    });
    group.sync();
    share_out(group, 0, n, [&](uint32_t i) {
        const auto value = mother.perm[i];
        if (value != father.perm[i]) return;
        child.perm[i] = value;
        state[value] = static_cast<State>(state[value] | kUniformTaken);
    });
    group.sync();
    if (group.rank() == 0) {
        const uint32_t word = draw(draws.seed, draws.iteration, draws.individual, draws.stream, n);
        uniform_choose(child, mother, father, state, n, values, below(word, values));
    }
    group.sync();
    if constexpr (HasBits<Child>::value) {
        share_out(group, 0, n, [&](uint32_t i) {
            const bool of_both = mother.perm[i] == father.perm[i], asks_mother = (state[i] & kUniformFromMother) != 0;
            const bool gap = (state[i] & kUniformGap) != 0;
            const bool from_mother = of_both || gap ? asks_mother : child.perm[i] == mother.perm[i];
            const bool ends = from_mother ? fbs_ends_bay(mother.bits, i, n) : fbs_ends_bay(father.bits, i, n);
            fbs_set_end(child.bits, i, n, ends);
        });
        group.sync();
    }
}

/// Uniform crossover of whole permutations of n elements by one thread; fixed elements stay, since the parents agree on
/// them.
QAPFW_HD void uniform_crossover(const uint16_t* mother, const uint16_t* father, uint16_t* child, uint8_t* taken,
                                uint32_t n, uint64_t seed, uint64_t iteration, uint32_t individual, uint32_t stream) {
    uniform_crossover(solution_view(child), solution_view(mother), solution_view(father), taken, n, n,
                      UniformDraws{seed, iteration, individual, stream});
}

}  // namespace qapfw::kernels
