// SPDX-License-Identifier: Apache-2.0
// The fields of the memetic algorithm, as steps on the host and kernels get them.
#pragma once

#include "qapfw/kernels/island_ga.hpp"
#include "qapfw/kernels/population_report.hpp"
#include "qapfw/kernels/segments.hpp"

namespace qapfw::memetic {

using kernels::kNobody;

/// Choice of the elite that gives way to a child.
enum class Replacement : uint32_t {
    kParent,  ///< the child's first parent, where the child costs less
    kWorst,   ///< the worst of the island, where the child costs less
    kWalk     ///< the child's first parent, whatever the child costs: the search goes on from where it stands
};

/// Rules of an arm for elites, beside its improver.
struct ArmRules {
    uint32_t crosses;    ///< a child has two parents where a random word is below; 0: never
    uint32_t crossover;  ///< a kernels::Crossover
    uint32_t align;      ///< 1: of layouts, the second parent is mirrored where that is nearer
    uint32_t mutation;   ///< a crossover's child is mutated where a random word is below
    uint32_t least_moves, most_moves;
    Replacement replacement;
    uint32_t brood;              ///< children that an island makes at a time
    uint32_t first;              ///< elites that an island begins with
    uint32_t elites;             ///< with which the arm works, of an island that has grown by itself
    uint32_t improver;           ///< its number
    uint64_t child_work;         ///< what a child counts as beside the search's evaluations
    uint64_t leader_child_work;  ///< likewise while the arm leads the race
};

/// Achievements of an island with its arm in an era. An era has one rung at first, then as many as there were before.
template <class Cost>
struct EraResultOf {
    Cost cost;           ///< the best child that it made
    uint64_t work;       ///< evaluations of the era when that child was made
    uint32_t arm;        ///< the arm with which it worked
    uint32_t has_child;  ///< 0: it made none
    Cost before;         ///< the best elite when the era began
    uint32_t was_there;  ///< 0: the island restarted in the era, or came to its arm
};

/// The arm with which an island works from the next rung on.
struct NextArm {
    uint32_t arm;
    uint32_t anew = 0;    ///< 1: the island restarts with new elites
    uint32_t elites = 0;  ///< number of new elites; 0: as the arm has it
    uint32_t is_era = 0;  ///< 1: an era begins
    uint32_t leads = 0;   ///< 1: the arm is among those that lead the race
    uint64_t born = 0;    ///< IslandsOf::born from now on; 0: as before
};

/// On a GPU: those islands of the place whose children are a batch of one improver.
struct IslandQueue {
    uint32_t number;       ///< number of the queue
    uint32_t improver;     ///< number of the improver of the islands' arms
    uint32_t part, parts;  ///< islands k with k % parts == part
    uint32_t first_seat;
};

/// Scratch memory for children: each has a seat. On a GPU those of a queue sit side by side, so that its improver takes
/// them as a batch.
template <class Cost>
struct Seats {
    uint8_t* solutions;
    Cost* costs;
    uint64_t* evaluations;  ///< evaluations that the improver made
    uint32_t* numbers;      ///< coordinates of the improver's random numbers
    uint32_t* taken;        ///< for each queue: number of seats taken. On GPUs alone
};

/// Work that an island has done at the end of round t. Each round is twice as long as the one before, from `first` on
/// until it is `round`.
QAPFW_HD uint64_t work_by(uint64_t t, uint64_t first, uint64_t round) {
    uint64_t done = 0;
    for (uint64_t of_round = first; t > 0 && of_round < round; --t, of_round *= 2) done += of_round;
    return done + t * round;
}

/// Arrays by elite, by island of the place, by island of the run. Solutions are `bytes` apart.
template <class Cost>
struct IslandsOf {
    // by elite
    uint8_t* solutions;
    Cost* costs;
    uint8_t* fresh;       ///< 1: drawn at random or given, not searched from yet
    uint16_t* positions;  ///< scratch: n for each
    uint32_t* order;      ///< scratch

    // by island
    uint8_t* best_solutions;  ///< since the run began
    Cost* best_costs;
    uint64_t* best_found;   ///< round
    uint32_t* arms;         ///< the island's arm
    uint32_t* members;      ///< elites in use, the first ones of the island
    uint64_t* child_work;   ///< what a child counts as beside its search's evaluations
    uint64_t* work;         ///< evaluations since the run began; rounds before its first one count as done
    uint64_t* children;     ///< made since the run began; the coordinate of an island's random numbers
    uint64_t* idle;         ///< children since one was taken in
    uint32_t* strength;     ///< moves of the next mutation
    uint64_t* immigration;  ///< children when an elite of another island was taken in
    uint64_t* restarts;
    uint64_t* born;          ///< work at the island's last restart, when all elites were drawn
    uint64_t* era_begin;     ///< work when the era began, or when the island came to its arm
    EraResultOf<Cost>* era;  ///< what the island has done in this one
    uint64_t* spent;         ///< for each arm: evaluations
    uint64_t* won;           ///< for each arm: times that the island's best was lowered
    NextArm* next_arms;      ///< scratch. On a GPU alone

    // by child of a brood of an island: scratch
    uint32_t* seats;            ///< where the child sits; kNobody: there is none
    uint32_t* parents;          ///< the elite that it was made from first
    uint8_t* from_fresh;        ///< true if it is a copy of a fresh one
    uint8_t* mirrors;           ///< a solution
    uint16_t* child_positions;  ///< n for each
    Seats<Cost> seated;

    // by island of the run: what islands show each other
    uint8_t* emigrants;
    Cost* emigrant_costs;
    EraResultOf<Cost>* results;
    uint64_t* births;  ///< the value of `born` for each island

    const ArmRules* arm_rules;        ///< of each arm
    const uint32_t* dealt;            ///< arms, as islands begin with them in turn
    kernels::IslandRules rules;       ///< rules for drawing first elites; see Island::rules
    kernels::SegmentList segments;    ///< where solutions are neither permutations nor layouts
    unsigned long long* evaluations;  ///< of a GPU: where its kernels count
    uint64_t bytes;
    uint64_t restart_after;  ///< children for each elite
    uint64_t migrate_every;  ///< likewise
    uint64_t first_rung;     ///< round in which the race is first decided; 0: never
    uint64_t first_round;    ///< evaluations of an island in the first round; see work_by
    uint64_t round;          ///< and once rounds do not grow any more
    uint32_t arm_count;
    uint32_t dealt_count;    ///< of `dealt`
    uint32_t size;           ///< elites that an island has room for
    uint32_t drawn;          ///< elites that are drawn when the run begins, at least as many as any arm begins with
    uint32_t seats_each;     ///< children that an island makes at a time at most, whatever its arm
    uint32_t islands;        ///< of the run
    uint32_t first_islands;  ///< islands that work in the first round
    uint32_t islands_here;   ///< of the place
    uint32_t first_island;   ///< number of the place's first one in the run
    uint32_t bits_offset;    ///< 0: no bay bits
    uint32_t distance;
    uint32_t cross_arms;  ///< threshold

    QAPFW_HD uint64_t work_by(uint64_t t) const { return memetic::work_by(t, first_round, round); }
    QAPFW_HD uint8_t* elite(uint64_t k) const { return solutions + k * bytes; }
    /// Number in the run of elite k of the place.
    QAPFW_HD uint32_t individual(uint64_t k) const { return first_island * size + static_cast<uint32_t>(k); }
    /// Number of the warm start with which elite k begins, if there is one: they are dealt to the islands in turn.
    QAPFW_HD uint64_t warm_start(uint64_t k) const { return k % size * islands + first_island + k / size; }
};

}  // namespace qapfw::memetic
