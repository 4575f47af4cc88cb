// SPDX-License-Identifier: Apache-2.0
// The interface between a problem's swap neighbourhood and a search. Both are device code: the search is a template
// over the problem. The problem's device code defines
//   namespace qapfw::device { struct Problem {
//     using View = ...;                 plain data, passed to the kernel by value: device pointers, owned by the host
//     using Cost = int64_t or double;
//     static constexpr int kPositions;  length of a solution (uint16_t elements, padded by the host)
//     template <class Group, class Solution> static Cost cost(Group, const View&, Solution);
//                                       solution(i) is the element at position i. If the device code defines
//                                       QAPFW_MOVABLE_FIRST, positions are numbered as below: movable ones first
//     static constexpr int kBits, kBitsOffset;   only if solutions have bits: their number and their offset in bytes.
//                                       Solution then has bit(k) beside the elements solution(i).
//                                       If a solution is a list of segments, kPositions is the length of segment 0,
//                                       solution(i) its element i, and solution.element(s, i) element i of segment s
//     static constexpr uint64_t kScratchBytes;
//                                       optional, together with cost_in(WarpGroup, const View&, Solution, void*): the
//                                       same cost by a warp that provides kScratchBytes of memory, aligned to 16 bytes
//     using SwapNeighbourhood = ...;    optional: without it GenericSwapNeighbourhood<Problem, warps> uses `cost`
//   }; }
//
// problem_concept.hpp checks these parts, and the main parts of a neighbourhood. A compile error names a missing part.
//
// A neighbourhood works for one search with one team of threads (Team<warps>, device_team.hpp). A CUDA block may hold
// several teams. All pairs (i, j), i < j, of the kMovable positions that are not fixed are dealt to the threads. Each
// thread owns kSlots = kGroups * kGroupSize pairs during the whole launch; slot = group * kGroupSize + member. The
// neighbourhood owns the permutation and two values for each slot:
//   - the delta of the pair, which it keeps exact;
//   - a WORD of 32 bits (in tabu search: the expiry). The search gives a new word whenever a swap touches the pair.
// If kInRegisters is true, both values live in registers, and slots must be compile-time constants of unrolled loops. A
// pair may have two owners; both see the same delta and word. Positions are numbered as the problem's kernels see them:
// the movable ones first, in the original order. Only load() and store() use original positions. A neighbourhood has
//
//   using Value;              type of a delta: float (exact integers), int32_t, int64_t or double
//   using Total;              type of sums of deltas: exact for integers, double for double
//   using View; using BlockShared; using TeamShared;
//   using Group;              kernels::Team, or kernels::SoleTeam if a CUDA block has one team
//   static constexpr int kThreads, kGroups, kGroupSize, kSlots, kPositions, kMovable;
//   static constexpr bool kInRegisters;
//   static constexpr uint64_t kWorkspaceBytes;
//                             device memory of one search, a multiple of 256; its contents are undefined at first
//   static void load_block(BlockShared&, const View&);
//                             called by all threads of the CUDA block, which then synchronises
//   Neighbourhood(const View&, BlockShared&, TeamShared&, void* workspace);
//                             called by all threads of the team
//   void load(const uint16_t*); uint16_t* solution(); Cost reset();
//                             the caller loads or edits solution(), synchronises, then calls reset()
//   Cost cost();              the permutation's cost, from scratch; the team must be synchronised before the call
//   void store(uint16_t*) const;
//                             may be called right after apply(); the same thread always writes the same position
//   int value_at(int position) const;
//                             the element at a position; valid until apply()
//   Value delta(int slot) const; int32_t word(int slot) const;
//   uint32_t pair_code(int slot) const;
//                             code_of_pair(i, j), by which ties are ordered
//   static Cost cost_change(Total);
//                             turns a sum of deltas into a change of the problem's cost, exactly
//   static Total total_of_cost(Cost);
//                             the inverse of cost_change
//   static Value threshold(Total behind);
//                             delta < threshold(behind) if and only if delta < -behind; behind >= 0
//   static int original_position(const View&, int position);
//                             the number that the problem gives to a position of the kernels
//   void refresh(const Search&);
//                             asks the search for the words of all slots
//   void apply(int i, int j, const Search&);
//                             swaps two positions, i != j, and makes all deltas exact again. The team must be
//                             synchronised before the call. Afterwards all threads may read the team's shared memory.
// A neighbourhood without words (kKeepsLeast = true) is called P::WordlessSwapNeighbourhood, beside
// P::SwapNeighbourhood. It is for searches that look up their data about a pair only if the pair could win. It has no
// word(), its refresh() does nothing, and the deltas of interchangeable pairs (interchangeable.hpp) are
// Nothing<Value>::value(). After reset(), resume() and apply() it has
//   Value least() const;      the least delta of this thread's pairs
//   void each_pair_of(int lane, F) const;
//                             called by a warp: calls F(i, j, delta) for all pairs that lane number `lane` owns
//   void each_least_pair_of(int lane, F) const;
//                             optional: calls F for all pairs of the lane that have the lane's least delta, and
//                             perhaps for other pairs of the lane
//   static uint32_t code_of(int i, int j);
//   void suspend(); void resume();
//                             suspend() comes before a launch ends; resume() takes the place of reset() in a later
//                             launch with the same workspace
// kFewPairs = true is for a neighbourhood in registers with three properties: its threads have few pairs each, it has a
// CUDA block of its own (SoleTeam), and the time of one iteration matters. A search may then keep data for each pair.
//
// The search offers the neighbourhood
//   int32_t payload(int i, int value_i, int j, int value_j) const;
//                             the word of pair (i, j) if p(i) = value_i and p(j) = value_j. apply() calls payload()
//                             for the pairs that hold exactly one swapped position
//   int32_t exchanged_payload() const;
//                             the word of the swapped pair itself
//   void hear_old_values(int i, int value_i, int j, int value_j) const;
//                             called once in apply() by all threads, if the neighbourhood has kTellsOldValues = true:
//                             the values that the two positions had before
//
// Hints. Before anything includes this header, the problem's device code may define launch numbers for its
// neighbourhood:
//   QAPFW_HINT_TEAMS            teams (searches) of one CUDA block
//   QAPFW_HINT_BLOCKS           CUDA blocks that a multiprocessor should hold: second argument of __launch_bounds__
//   QAPFW_HINT_WORDS_IN_SHARED  1: kMovable x kPositions 16-bit words of each team fit in shared memory beside the rest
// A solver with few searches defines QAPFW_SEARCHES_PER_MULTIPROCESSOR as 1, 2 or 4: the most searches on one
// multiprocessor. The hints may then give each search more threads. The trajectory stays the same. A solver that wants
// another way to deal pairs to threads defines QAPFW_ASSIGNMENT_MATA or QAPFW_ASSIGNMENT_PLAIN, and also
// QAPFW_PAIRS_PER_THREAD unless the default suits it. A problem with only one way ignores these macros.
#pragma once

#include "qapfw/kernels/device_team.hpp"

#ifndef QAPFW_HINT_TEAMS
/// Number of teams (searches) in one CUDA block, at least 1. The problem's device code may define another number.
#define QAPFW_HINT_TEAMS 1
#endif
#ifndef QAPFW_HINT_BLOCKS
/// Number of CUDA blocks for a multiprocessor to hold, at least 1. The problem's device code may define another number.
#define QAPFW_HINT_BLOCKS 1
#endif
#ifndef QAPFW_HINT_WORDS_IN_SHARED
/// 1: shared memory has room for kMovable x kPositions 16-bit words of each team. The problem may define 1.
#define QAPFW_HINT_WORDS_IN_SHARED 0
#endif

namespace qapfw::kernels {

/// A candidate of a reduction over pairs: the least `key` wins, among equal keys the least `code`.
template <class Key>
struct Candidate {
    Key key;        ///< ordered(delta)
    uint32_t code;  ///< pair_code, or kNoPair
};
/// Means that there is no pair. This number is greater than the code of every pair.
constexpr uint32_t kNoPair = 0xFFFFFFFFu;

/// Argument that a descent passes to a neighbourhood's functions in place of the search. A descent stores no word (see
/// the top of this file) for a pair.
struct NoWords {
    /// @{
    /// The word of every pair is 0, and hear_old_values() does nothing.
    QAPFW_DEVICE int32_t payload(int, int, int, int) const { return 0; }
    QAPFW_DEVICE int32_t exchanged_payload() const { return 0; }
    QAPFW_DEVICE void hear_old_values(int, int, int, int) const {}
    /// @}
};

/// Called by a warp. Calls f(i, j, delta) for all pairs of lane `owner` that have the lane's least delta, and perhaps
/// for other pairs of the lane.
template <class Neighbourhood, class F>
QAPFW_DEVICE void each_least_pair_of(const Neighbourhood& neighbourhood, int owner, F f) {
    if constexpr (requires { neighbourhood.each_least_pair_of(owner, f); })
        neighbourhood.each_least_pair_of(owner, f);
    else
        neighbourhood.each_pair_of(owner, f);
}

/// The best candidate of the team, computed by all threads from the best candidate of each warp. With several warps the
/// function contains one barrier of the team. Do not write `shared` again before another barrier.
template <class Group, class Key>
QAPFW_DEVICE Candidate<Key> over_warps(Group group, Candidate<Key> best, Candidate<Key>* shared) {
    constexpr int kWarps = Group::kThreads / 32;
    if constexpr (kWarps > 1) {
        if (group.lane() == 0) shared[group.warp()] = best;
        group.sync();
    }
    if constexpr (kWarps > 4) {  // each lane reads the candidate of one warp
        const Candidate<Key> own = shared[group.lane() < kWarps ? group.lane() : kWarps - 1];
        best.key = warp_min(own.key);
        best.code = warp_min(own.key == best.key ? own.code : kNoPair);
    } else if constexpr (kWarps > 1) {
        best = shared[0];
#pragma unroll
        for (int warp = 1; warp < kWarps; ++warp) {
            const Candidate<Key> other = shared[warp];
            if (other.key < best.key || (other.key == best.key && other.code < best.code)) best = other;
        }
    }
    return best;
}

}  // namespace qapfw::kernels
