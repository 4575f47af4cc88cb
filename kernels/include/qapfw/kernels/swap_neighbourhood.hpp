// SPDX-License-Identifier: Apache-2.0
// The agreement between a problem's swap neighbourhood and a search, both device code, and what both need. The search
// is a template over the problem; the problem's text defines
//   namespace qapfw::device { struct Problem {
//     using View = ...;                 plain data by value into the kernel: device pointers, owned by the host
//     using Cost = int64_t or double;
//     static constexpr int kPositions;  length of a solution (uint16_t elements, padded by the host)
//     template <class Group, class Solution> static Cost cost(Group, const View&, Solution);
//                                       solution(i) is the element at position i; where the text defines
//                                       QAPFW_MOVABLE_FIRST, positions count as below: first those that are not fixed
//     static constexpr int kBits, kBitsOffset;   where solutions have bits: how many, and the bytes before them;
//                                       Solution then has bit(k) beside the elements solution(i)
//     static constexpr uint64_t kScratchBytes;   optional, with cost_in(WarpGroup, const View&, Solution, void*): the
//                                       same cost by a warp that hands in so much memory, aligned to 16
//     using SwapNeighbourhood = ...;    optional in spirit: GenericSwapNeighbourhood<Problem, warps> does with `cost`
//   }; }
//
// A neighbourhood works for one search with one team of threads (Team<warps>, device_team.hpp); a block may hold
// several teams. All pairs (i, j), i < j, of the kMovable positions that are not fixed are dealt to the threads: each
// thread owns kSlots = kGroups * kGroupSize of them for good, slot = group * kGroupSize + member. The neighbourhood
// owns the permutation and two values per slot: the pair's delta, which it keeps exact, and a 32-bit WORD of the
// search, which it asks for whenever the pair is touched (a tabu search's word is the pair's expiry). Where
// kInRegisters is true, both live in registers and slots must be compile-time constants of unrolled loops. A pair may
// have two owners; both see the same delta and word. Positions are numbered as the problem's kernels see them (movable
// ones first, in the original order); only load() and store() speak of original positions. A neighbourhood has
//
//   using Value;              type of a delta: float (exact integers), int32_t, int64_t or double
//   using Total;              type of sums of deltas: exact for integers, double for double
//   using View; using BlockShared; using TeamShared;
//   using Group;              kernels::Team, or kernels::SoleTeam where a block has one team
//   static constexpr int kThreads, kGroups, kGroupSize, kSlots, kPositions, kMovable;
//   static constexpr bool kInRegisters;
//   static constexpr uint64_t kWorkspaceBytes;
//                             of device memory per search, a multiple of 256, contents undefined
//   static void load_block(BlockShared&, const View&);
//                             by all threads of the block, which is then synchronised
//   Neighbourhood(const View&, BlockShared&, TeamShared&, void* workspace);
//                             by all threads of the team
//   void load(const uint16_t*); uint16_t* solution(); Cost reset();
//                             load or edit solution(), synchronise, then reset()
//   Cost cost();              of the permutation, from scratch; the team is in step when it is called
//   void store(uint16_t*) const;
//                             also right after apply(); a position is always written by the same thread
//   int value_at(int position) const;
//                             valid until apply()
//   Value delta(int slot) const; int32_t word(int slot) const;
//   uint32_t pair_code(int slot) const;
//                             code_of_pair(i, j): the order of ties
//   static Cost cost_change(Total);
//                             of the problem's cost, exact
//   static Total total_of_cost(Cost);
//                             the way back
//   static Value threshold(Total behind);
//                             delta < threshold(behind) iff delta < -behind; behind >= 0
//   static int original_position(const View&, int position);
//   void refresh(const Search&);
//                             asks for the words of all slots
//   void apply(int i, int j, const Search&);
//                             exchanges two positions, i != j; all deltas are exact again. The team is in step when it
//                             is called, and its shared memory may be read after.
// A neighbourhood without words (kKeepsLeast = true; P::WordlessSwapNeighbourhood beside P::SwapNeighbourhood) is for
// searches that look up what they need to know of a pair when it could win. It needs no word(), its refresh() does
// nothing, and after reset(), resume() and apply() it has
//   Value least() const;      the least delta of this thread's pairs
//   void each_pair_of(int lane, F) const;
//                             by a warp: F(i, j, delta) for all pairs of that lane
//   static uint32_t code_of(int i, int j);
//   void suspend(); void resume();
//                             before a launch ends; in place of reset() in a later launch with the same workspace
// A neighbourhood in registers whose threads have few pairs each, in a block of its own (SoleTeam), and for which the
// time of one iteration is what counts, says so by kFewPairs = true: a search may then keep something for each pair.
// The search offers the neighbourhood
//   int32_t payload(int i, int value_i, int j, int value_j) const;   the word of pair (i, j) if p(i), p(j) are these;
//                                                in apply() asked for pairs that hold exactly one exchanged position
//   int32_t exchanged_payload() const;           the word of the exchanged pair itself
//   void hear_old_values(int i, int value_i, int j, int value_j) const;
//                                                by all threads once in apply(), where the neighbourhood has
//                                                kTellsOldValues = true: which values the positions had
//
// Hints. The problem's text may define, before anything includes this header, launch numbers that suit its
// neighbourhood:
//   QAPFW_HINT_TEAMS            teams (searches) of one block
//   QAPFW_HINT_BLOCKS           blocks a multiprocessor should hold: the register limit of __launch_bounds__
//   QAPFW_HINT_WORDS_IN_SHARED  1: kMovable x kPositions 16-bit words a team fit in shared memory beside the rest
// A solver that has few searches says so by QAPFW_SEARCHES_PER_MULTIPROCESSOR, 1, 2 or 4: no more of them are on one
// multiprocessor; the hints may then give each more threads. The trajectory is the same.
// A solver may ask for another way of dealing pairs to threads by defining QAPFW_ASSIGNMENT_MATA or
// QAPFW_ASSIGNMENT_PLAIN; a problem that has only one way ignores it.
#pragma once

#include "qapfw/kernels/device_team.hpp"

#ifndef QAPFW_HINT_TEAMS
#define QAPFW_HINT_TEAMS 1
#endif
#ifndef QAPFW_HINT_BLOCKS
#define QAPFW_HINT_BLOCKS 1
#endif
#ifndef QAPFW_HINT_WORDS_IN_SHARED
#define QAPFW_HINT_WORDS_IN_SHARED 0
#endif

namespace qapfw::kernels {

/// A candidate of a reduction over pairs: the least `key` wins, then the least `code`.
template <class Key>
struct Candidate {
    Key key;        ///< ordered(delta)
    uint32_t code;  ///< pair_code, or kNoPair
};
constexpr uint32_t kNoPair = 0xFFFFFFFFu;

/// A search without memory: local search.
struct NoWords {
    QAPFW_DEVICE int32_t payload(int, int, int, int) const { return 0; }
    QAPFW_DEVICE int32_t exchanged_payload() const { return 0; }
    QAPFW_DEVICE void hear_old_values(int, int, int, int) const {}
};

/// The best candidate of the team from the best of each warp, by all threads. Holds one barrier of the team; shared
/// memory must not be written again before another one.
template <class Group, class Key>
QAPFW_DEVICE Candidate<Key> over_warps(Group group, Candidate<Key> best, Candidate<Key>* shared) {
    constexpr int kWarps = Group::kThreads / 32;
    if constexpr (kWarps > 1) {
        if (group.lane() == 0) shared[group.warp()] = best;
        group.sync();
    }
    if constexpr (kWarps > 4) {  // each lane looks at one
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
