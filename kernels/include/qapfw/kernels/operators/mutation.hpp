// SPDX-License-Identifier: Apache-2.0
// All mutations of permutations, alone or with bay bits, under one call for host and device. Each is one move:
//   exchange       two positions swap their elements (Tsutsui and Fujimoto, GECCO 2009; thesis on PGAGrid, 2018, 3.5)
//   insertion      an element moves to another position; those between move by one
//   transposition  the elements between two points, both included, are reversed (thesis, 2018, section 3.6); the points
//                  may be the same
//   reversal       like transposition, but with two different points
//   flip_bit       splits a bay, or joins two
//   shift_border   a border between two bays moves by one position
//   swap_bays      two bays change places
//   reverse_bay    the departments of a bay are reversed
// The last four need bay bits. Insertion and the moves of bays are those of local searches for the flexible bay
// structure.
#pragma once

#include "qapfw/kernels/fbs_mutation.hpp"
#include "qapfw/kernels/operators/operator_names.hpp"
#include "qapfw/kernels/operators/solution_view.hpp"
#include "qapfw/kernels/permutation_operators.hpp"

namespace qapfw::kernels {

/// The mutations, in the order of the list at the head of this file.
enum class Mutation : uint32_t {
    kExchange,       ///< two positions swap their elements
    kInsertion,      ///< an element moves to another position
    kTransposition,  ///< a stretch of elements, or a single one, is reversed
    kReversal,       ///< a stretch of two elements or more is reversed
    kFlipBit,        ///< a bay is split, or two are joined
    kShiftBorder,    ///< a border between two bays moves by one position
    kSwapBays,       ///< two bays change places
    kReverseBay      ///< the departments of a bay are reversed
};

constexpr uint32_t kMutationCount = 8;  ///< number of mutations
/// Number of mutations that need no bay bits. These mutations come first in Mutation.
constexpr uint32_t kPermutationMutationCount = 4;

/// The bit of a mutation in a set of mutations: bit k stands for the one with number k.
constexpr uint32_t mutation_bit(Mutation kind) {
    return 1u << static_cast<uint32_t>(kind);
}
constexpr uint32_t kAllMutations = (1u << kMutationCount) - 1;  ///< The set of all mutations.

#if !defined(__CUDACC_RTC__)
/// Names of the mutations in configurations, by number. Only for the host.
inline constexpr const char* kMutationNames[kMutationCount] = {
    "exchange", "insertion", "transposition", "reversal", "flip_bit", "shift_border", "swap_bays", "reverse_bay"};
/// The choices of a parameter that selects a mutation. The index of a choice is the mutation's number.
inline constexpr auto kMutationChoices = joined_names<kMutationNames>();
/// Names of the mutations that need no bay bits.
inline constexpr const char* kPermutationMutationNames[kPermutationMutationCount] = {
    kMutationNames[0], kMutationNames[1], kMutationNames[2], kMutationNames[3]};
/// The choices of a parameter that selects a mutation which needs no bay bits.
inline constexpr auto kPermutationMutationChoices = joined_names<kPermutationMutationNames>();

/// The name of a mutation in configurations. Only for the host.
constexpr const char* name_of(Mutation kind) {
    return kMutationNames[static_cast<uint32_t>(kind)];
}
#endif

/// True if a mutation needs bay bits.
QAPFW_HD constexpr bool needs_bits(Mutation kind) {
    return static_cast<uint32_t>(kind) >= static_cast<uint32_t>(Mutation::kFlipBit);
}

/// Applies mutation kKind to a solution in place. The random words word0 and word1 choose the positions or bays.
/// Returns whether the solution changed. A mutation that needs bits does nothing to a permutation without bits. Called
/// by one thread or a group of threads. O(n).
template <Mutation kKind, class Solution, class Group = ThreadGroup>
QAPFW_HD bool mutate(Solution s, uint32_t n, uint32_t word0, uint32_t word1, Group group = {}) {
    if constexpr (needs_bits(kKind) && !HasBits<Solution>::value) {
        return false;
    } else if constexpr (kKind == Mutation::kExchange) {
        return fbs_mutate_swap(s, n, word0, word1, group);
    } else if constexpr (kKind == Mutation::kInsertion) {
        return fbs_mutate_insert(s, n, word0, word1, group);
    } else if constexpr (kKind == Mutation::kTransposition) {
        if (n == 0) return false;
        const Cuts between = draw_transposition(word0, word1, n);
        fbs_reverse(s, FbsSegment{between.first, between.second}, group);
        return between.second - between.first > 1;
    } else if constexpr (kKind == Mutation::kReversal) {
        return fbs_mutate_reverse_segment(s, n, word0, word1, group);
    } else if constexpr (kKind == Mutation::kFlipBit) {
        return fbs_mutate_flip_bit(s, n, word0, group);
    } else if constexpr (kKind == Mutation::kShiftBorder) {
        return fbs_mutate_shift_border(s, n, word0, word1, group);
    } else if constexpr (kKind == Mutation::kSwapBays) {
        return fbs_mutate_swap_bays(s, n, word0, word1, group);
    } else {
        return fbs_mutate_reverse_bay(s, n, word0, group);
    }
}

/// Applies mutation `kind` as the function above does, and returns whether the solution changed. `kind` must be in the
/// set kKinds. Only the mutations of this set are compiled.
template <uint32_t kKinds = kAllMutations, class Solution, class Group = ThreadGroup>
QAPFW_HD bool mutate(Mutation kind, Solution s, uint32_t n, uint32_t word0, uint32_t word1, Group group = {}) {
    static_assert(kKinds != 0 && kKinds <= kAllMutations, "a set of mutations must have at least one mutation");
    constexpr uint32_t kOthers = kKinds & (kKinds - 1);
    constexpr auto kLeast = static_cast<Mutation>(lowest_bit(kKinds));
    if (kOthers == 0 || kind == kLeast) {
        return mutate<kLeast>(s, n, word0, word1, group);
    } else if constexpr (kOthers != 0) {
        return mutate<kOthers>(kind, s, n, word0, word1, group);
    }
    return false;
}

/// Makes a random move of bays: flips a bit, shifts a border or swaps two bays, with the weights of FbsMutationWeights.
/// Word 0 draws the kind, and words 1 and 2 say where. Returns whether the move changed anything.
template <class Solution, class Group = ThreadGroup>
QAPFW_HD bool mutate_bays(Solution s, uint32_t n, const Philox4& words, Group group = {}) {
    constexpr FbsMutationWeights kUsual{};
    constexpr FbsMutationWeights kOfBays{0, 0, kUsual.flip_bit, kUsual.shift_border, 0, kUsual.swap_bays, 0};
    return fbs_mutate(s, n, kOfBays, words, group);
}

}  // namespace qapfw::kernels
