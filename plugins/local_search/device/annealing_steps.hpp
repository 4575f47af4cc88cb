// SPDX-License-Identifier: Apache-2.0
// Simulated annealing over the moves of any segments: which moves are proposed, the temperatures, and a beat of a
// search (see kAnnealingBeat). One code for a thread of the CPU and for a warp.
//
// A search descends first. Then it has a temperature: at first `heat` times the cost that a cheap move adds (see
// unit_of_temperature). The temperature falls by a constant ratio from beat to beat. Random numbers are a function of
// the run's seed, the generation and the individual.
#pragma once

#include "qapfw/kernels/segments.hpp"
#include "qapfw/kernels/slicing_annealing.hpp"

namespace qapfw::local_search {

/// Proposals per free element in the descent.
constexpr uint64_t kAnnealingDescent = 50;
/// Number of moves whose deltas decide the unit of temperature.
constexpr uint32_t kAnnealingSamples = 1024;
/// Decides the unit of temperature: one in 100 of the deltas that raise the cost is below this unit.
constexpr uint32_t kAnnealingCheap = 100;
/// Number of proposals at one temperature. They are called a beat. After each beat the search may be interrupted.
constexpr uint64_t kAnnealingBeat = 256;

/// The plan for one call of the improver; all searches of the call use it. Plain data.
struct AnnealingPlan {
    uint64_t limit;     ///< proposals of a search in total
    uint64_t descent;   ///< number of proposals of a search before it gets its first temperature
    double heat;        ///< first temperature, in units of the cost that a cheap move adds
    double ratio;       ///< each beat multiplies the temperature by this number
    uint32_t segments;  ///< number of segments in which moves are possible
    uint32_t elements;  ///< number of free elements in these segments
    uint32_t inserts;   ///< 1: a move in a permutation inserts an element at another position; 0: it swaps two elements
    uint32_t unused;
};

/// The state of a search, except its solutions. Plain data.
struct AnnealingStanding {
    uint64_t random;     ///< state of the random numbers
    uint64_t proposals;  ///< number of proposals so far
    double temperature;  ///< present temperature; negative: the search descends
};

/// A move, with the fields of qapfw_move.
struct AnnealingMove {
    uint32_t kind;  ///< kExchangeMove, kSetMove or kInsertMove
    uint32_t segment, i, to;
};
constexpr uint32_t kExchangeMove = 0, kSetMove = 1, kInsertMove = 2;

/// The state of a search before its first proposal.
QAPFW_HD AnnealingStanding annealing_start(uint64_t seed, uint32_t generation, uint32_t individual, uint32_t stream) {
    const kernels::Philox4 words = kernels::draw4(seed, uint64_t{generation} << 32, individual, stream, 0);
    return {uint64_t{words.word[0]} << 32 | words.word[1], 0, -1};
}
/// Returns how many proposals the search will have made after its next beat. `proposals`: how many it has made so far.
/// `becomes_warm`: the beat also samples deltas for the temperature.
QAPFW_HD uint64_t annealing_after_beat(const AnnealingPlan& plan, uint64_t proposals, bool becomes_warm) {
    if (becomes_warm) proposals += kAnnealingSamples;
    const uint64_t left = proposals < plan.limit ? plan.limit - proposals : 0;
    return proposals + (left < kAnnealingBeat ? left : kAnnealingBeat);
}

QAPFW_HD uint32_t annealing_word(uint64_t& random) {  // SplitMix64
    random += 0x9E3779B97F4A7C15ull;
    uint64_t z = random;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ z >> 27) * 0x94D049BB133111EBull;
    return static_cast<uint32_t>((z ^ z >> 31) >> 32);
}
QAPFW_HD uint32_t annealing_below(uint64_t& random, uint32_t bound) {
    return static_cast<uint32_t>(uint64_t{annealing_word(random)} * bound >> 32);
}

/// Draws a random move. Returns false if the move changes nothing, or gives an element a value that its bound forbids.
QAPFW_HD bool annealing_propose(const AnnealingPlan& plan, const kernels::SegmentList& list, const uint8_t* solution,
                                uint64_t& random, AnnealingMove& move) {
    uint32_t drawn = plan.segments == 1 ? 0 : annealing_below(random, plan.elements), g = 0;
    while (drawn >= kernels::mutable_elements(list.segments[g])) drawn -= kernels::mutable_elements(list.segments[g++]);
    const kernels::SegmentView& s = list.segments[g];
    const uint32_t *const free = list.free + s.free_first, *const bounds = list.bounds + s.first;
    const uint32_t i = free[annealing_below(random, s.free_count)];
    if (plan.inserts != 0 && s.kind == kernels::kPermutationSegment) {
        move = {kInsertMove, g, i, free[annealing_below(random, s.free_count)]};
        return move.to != i;
    }
    const uint32_t held = kernels::segment_element(s, solution, i);
    const bool sets =
        !kernels::is_order(s) && (s.kind != kernels::kValuesSegment || (annealing_word(random) & 1u) == 0);
    if (sets) {
        if (bounds[i] < 2) return false;
        const uint32_t value = annealing_below(random, bounds[i] - 1);
        move = {kSetMove, g, i, value < held ? value : value + 1};
        return true;
    }
    const uint32_t j = free[annealing_below(random, s.free_count)];
    const uint32_t other = kernels::segment_element(s, solution, j);
    if (held == other || other >= bounds[i] || held >= bounds[j]) return false;
    move = {kExchangeMove, g, i < j ? i : j, i < j ? j : i};
    return true;
}

// A walk holds a search's solution and has
//   const uint8_t* solution();
//   Delta delta(const AnnealingMove&);        what the move adds to the cost
//   double value(Delta);                      a delta as a number
//   void make(const AnnealingMove&, Delta);   makes the move and remembers the best solution

/// Samples kAnnealingSamples moves and returns the unit of temperature. Of the deltas that raise the cost, one in
/// kAnnealingCheap is below this unit. Returns 0 if no move raises the cost.
template <class Walk>
QAPFW_HD double unit_of_temperature(const AnnealingPlan& plan, const kernels::SegmentList& list, Walk& walk,
                                    AnnealingStanding& standing) {
    constexpr uint32_t kMost = kAnnealingSamples / kAnnealingCheap + 1;
    double cheapest[kMost];  // the cheapest deltas, ascending
    uint32_t kept = 0, rising = 0;
    for (uint32_t k = 0; k < kAnnealingSamples; ++k) {
        AnnealingMove move{};
        if (!annealing_propose(plan, list, walk.solution(), standing.random, move)) continue;
        const double delta = walk.value(walk.delta(move));
        if (!(delta > 0)) continue;
        ++rising;
        if (kept == kMost && !(delta < cheapest[kMost - 1])) continue;
        uint32_t at = kept < kMost ? kept++ : kMost - 1;
        for (; at > 0 && delta < cheapest[at - 1]; --at) cheapest[at] = cheapest[at - 1];
        cheapest[at] = delta;
    }
    standing.proposals += kAnnealingSamples;
    return rising == 0 ? 0 : cheapest[rising / kAnnealingCheap];
}

/// Proposes the moves of a beat and makes the accepted ones.
template <class Walk>
QAPFW_HD void anneal_beat(const AnnealingPlan& plan, const kernels::SegmentList& list, Walk& walk,
                          AnnealingStanding& standing) {
    if (standing.temperature < 0 && standing.proposals >= plan.descent) {
        standing.temperature = kernels::fbs_product(plan.heat, unit_of_temperature(plan, list, walk, standing));
    }
    for (uint64_t k = 0; k < kAnnealingBeat && standing.proposals < plan.limit; ++k) {
        AnnealingMove move{};
        ++standing.proposals;
        if (!annealing_propose(plan, list, walk.solution(), standing.random, move)) continue;
        const auto delta = walk.delta(move);
        double most = 0;
        if (standing.temperature > 0) {
            most =
                kernels::fbs_product(standing.temperature, kernels::slicing_minus_log(annealing_word(standing.random)));
        }
        if (walk.value(delta) <= most) walk.make(move, delta);
    }
    if (standing.temperature > 0) standing.temperature = kernels::fbs_product(standing.temperature, plan.ratio);
}

}  // namespace qapfw::local_search
