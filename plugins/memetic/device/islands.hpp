// SPDX-License-Identifier: Apache-2.0
// The fields of the memetic algorithm, for steps on the host and for kernels.
#pragma once

#include "qapfw/kernels/island_ga.hpp"
#include "qapfw/kernels/population_report.hpp"
#include "qapfw/kernels/segments.hpp"

namespace qapfw::memetic {

using kernels::kNobody;

/// Which elite a child replaces.
enum class Replacement : uint32_t {
    kParent,  ///< the child's first parent, if the child costs less
    /// The elite nearest to the child if their distance is below IslandsOf::distance, else the worst elite. The child
    /// must cost less than this elite.
    kWorst,
    kWalk  ///< the child's first parent, even if the child costs more: the search continues from the child
};

/// The rules of an arm for elites and children, without the settings of its improver.
struct ArmRules {
    uint32_t crosses;    ///< a child has two parents if a random word is below this; 0: never
    uint32_t crossover;  ///< number of a kernels::Crossover
    uint32_t align;      ///< 1: for layouts, the second parent is mirrored if that brings it nearer to the first
    uint32_t mutation;   ///< a child is mutated if a random word is below this, or if the child equals a parent
    uint32_t least_moves, most_moves;  ///< range of the number of moves of a mutation
    Replacement replacement;
    uint32_t brood;              ///< number of children that an island makes at a time
    uint32_t first;              ///< number of elites that an island starts with
    uint32_t elites;             ///< largest number of elites to which a converged island grows
    uint32_t improver;           ///< number of the improver that the arm uses, see Arm::improver_number
    uint64_t child_work;         ///< work of making a child, in evaluations, without the child's search
    uint64_t leader_child_work;  ///< child_work while the arm leads the race
    uint64_t restart_after;      ///< children per elite without a gain before an island grows or restarts; 0: never
};

/// The results of an island with its arm in an era. The first era is the first rung of the race (see rung_at() in
/// race.hpp). Each later era has as many rungs as all eras before it together.
template <class Cost>
struct EraResultOf {
    Cost cost;           ///< cost of the island's best child of the era
    uint64_t work;       ///< work of the island in the era until that child was made
    uint32_t arm;        ///< the arm with which the island worked
    uint32_t has_child;  ///< 0: the island made no child in the era
    Cost before;         ///< cost of the best elite when the era began or, if later, when the island got this arm
    /// 1: the island had this arm when the era began, and no restart has dropped its best elite since.
    uint32_t was_there;
};

/// The arm with which an island works from the next rung on.
struct NextArm {
    uint32_t arm;
    uint32_t anew = 0;    ///< 1: the island restarts with new elites
    uint32_t elites = 0;  ///< with `anew`: number of new elites; 0: ArmRules::first
    uint32_t is_era = 0;  ///< 1: an era begins
    /// The new value of IslandsOf::pace, if the arm leads the race. 0: the arm does not lead, and the new value is 1.
    uint32_t pace = 0;
    uint64_t born = 0;  ///< new value of IslandsOf::born; 0: unchanged
};

/// A queue holds islands of one GPU whose arms have the same improver. The children of these islands form a batch for
/// this improver.
struct IslandQueue {
    uint32_t number;       ///< number of the queue
    uint32_t improver;     ///< number of the improver that these islands use
    uint32_t part, parts;  ///< only islands k with k % parts == part are in the queue
    uint32_t first_seat;
};

/// Scratch memory with a seat for each child. On a GPU the seats of a queue are contiguous, so that its children are a
/// batch for the queue's improver.
template <class Cost>
struct Seats {
    uint8_t* solutions;
    Cost* costs;
    uint64_t* evaluations;  ///< evaluations that the improver made
    uint32_t* numbers;      ///< the child's number in the run; a coordinate of the improver's random numbers
    /// Only on GPUs: for each queue, the number of seats taken. If the queue has no improver: the number of its islands
    /// whose work is not done yet.
    uint32_t* taken;
};

/// Work, in evaluations, that an island must have done by the end of round t, counted from 1. The first round has the
/// work `first`. Each later round has twice the work of the round before, but at most `round`.
QAPFW_HD uint64_t work_by(uint64_t t, uint64_t first, uint64_t round) {
    uint64_t done = 0;
    for (uint64_t of_round = first; t > 0 && of_round < round; --t, of_round *= 2) done += of_round;
    return done + t * round;
}

/// The arrays of a place's islands, and settings of the run. The comment above a group of arrays says whether the
/// arrays have an entry for each elite, each island or each child. Solutions are `bytes` apart.
template <class Cost>
struct IslandsOf {
    // by elite
    uint8_t* solutions;
    Cost* costs;
    uint8_t* fresh;       ///< 1: the elite is random or a warm start, and no search has begun from it yet
    uint16_t* positions;  ///< scratch: n positions for each elite
    uint32_t* order;      ///< scratch for sorting elites

    // by island
    uint8_t* best_solutions;  ///< best solution of the island since the run began
    Cost* best_costs;
    uint64_t* best_found;   ///< round in which the best was found
    uint32_t* arms;         ///< number of the island's arm
    uint32_t* members;      ///< number of elites in use; they are the first in the island's arrays
    uint64_t* child_work;   ///< work of making a child, in evaluations, without the child's search
    uint32_t* pace;         ///< number of evaluations that count as one unit of work
    uint64_t* work;         ///< work since the run began, as if the island had also worked before its first round
    uint64_t* children;     ///< number of children since the run began; a coordinate of the island's random numbers
    uint64_t* idle;         ///< children without a gain; a gain clears or lowers this number, see idle_after_gain
    uint32_t* strength;     ///< number of moves of the next mutation
    uint64_t* immigration;  ///< value of `children` when the island last took in elites of other islands
    uint64_t* restarts;
    uint64_t* born;          ///< `work` at the last restart that kept no elite; for a change of arm, see NextArm::born
    uint64_t* era_begin;     ///< `work` when the era began, or when the island got its arm if that was later
    EraResultOf<Cost>* era;  ///< results of the island in this era
    uint64_t* spent;         ///< for each arm: evaluations while the island had the arm
    uint64_t* won;           ///< for each arm: how often the island got a new best while it had the arm
    NextArm* next_arms;      ///< scratch; only on a GPU

    // scratch of each child; child c of island i of the place has index i * seats_each + c
    uint32_t* seats;            ///< seat of the child; kNobody: it has no seat
    uint32_t* parents;          ///< first parent of the child
    uint8_t* from_fresh;        ///< true if the child is a copy of a fresh elite
    uint8_t* mirrors;           ///< scratch: a mirrored solution for each child
    uint16_t* child_positions;  ///< scratch: n positions for each child
    Seats<Cost> seated;

    // by island of the run: what islands show each other
    uint8_t* emigrants;
    Cost* emigrant_costs;
    EraResultOf<Cost>* results;
    uint64_t* births;  ///< the island's value of `born`, shared with all places

    const ArmRules* arm_rules;        ///< the rules of each arm
    const uint32_t* dealt;            ///< first arms: island i of the run starts with arm dealt[i % dealt_count]
    kernels::IslandRules rules;       ///< rules common to all arms; Island::rules() adds an arm's crossover settings
    kernels::SegmentList segments;    ///< segments of solutions that are neither permutations nor layouts
    unsigned long long* evaluations;  ///< number of evaluations that kernels made on a GPU
    uint64_t bytes;
    uint64_t migrate_every;  ///< children per elite before an island takes in an elite; 0: never
    uint64_t first_rung;     ///< round in which the race is first decided; 0: never
    uint64_t first_round;    ///< work of an island in the first round; see work_by
    uint64_t round;          ///< work of an island in a round of full length; see work_by
    uint32_t arm_count;
    uint32_t dealt_count;    ///< number of entries of `dealt`
    uint32_t size;           ///< largest number of elites of an island
    uint32_t drawn;          ///< number of elites that an island draws at first; at least ArmRules::first of every arm
    uint32_t seats_each;     ///< largest number of children that an island makes at a time with any arm
    uint32_t islands;        ///< number of islands of the run
    uint32_t first_islands;  ///< number of islands that work in the first round
    uint32_t islands_here;   ///< number of islands of the place
    uint32_t first_island;   ///< number that this place's first island has in the whole run
    uint32_t bits_offset;    ///< bytes from a solution's start to its bay bits; 0: there are none
    uint32_t distance;       ///< kWorst: a child nearer than this (in positions) may replace only the nearest elite
    uint32_t cross_arms;     ///< elites may come from islands with any arm if a random word is below this
    uint32_t migrants;       ///< largest number of elites that an island takes in at the end of a round

    QAPFW_HD uint64_t work_by(uint64_t t) const { return memetic::work_by(t, first_round, round); }
    QAPFW_HD uint8_t* elite(uint64_t k) const { return solutions + k * bytes; }
    /// The number that elite k of this place has in the whole run.
    QAPFW_HD uint32_t individual(uint64_t k) const { return first_island * size + static_cast<uint32_t>(k); }
    /// Number of the warm start for elite k, if there is one. Warm starts are dealt to the islands in turn.
    QAPFW_HD uint64_t warm_start(uint64_t k) const { return k % size * islands + first_island + k / size; }
};

}  // namespace qapfw::memetic
