// SPDX-License-Identifier: Apache-2.0
// The steps that make a child of the island model GA: draws, crossover, mutation. One code for a thread of the CPU and
// a warp of a GPU, with the same result. The caller evaluates the child.
#pragma once

#include "plugins/imga/device/islands.hpp"

namespace qapfw::imga {

/// Says whether solutions are lists of segments (kernels/segments.hpp) instead of permutations or layouts. Kernels use
/// kNever or kAlways, which decide this at compile time. With kAsRun, Islands::segments decides at run time.
enum class Segmented { kNever, kAlways, kAsRun };

/// Random decisions about a child.
struct ChildPlan {
    uint32_t mother;  ///< number, within its island, of the member that won the tournament for the child's mother
    kernels::IslandCrossing crossing;
    kernels::IslandMutation mutation;
};

/// The decisions about child `member` of island `island` of this place. `rules`: the rules of the run.
template <class Cost, class Less>
QAPFW_HD ChildPlan plan_child(const Islands<Cost>& all, const kernels::IslandRules& rules, const Less& less,
                              uint32_t island, uint32_t member, uint64_t generation) {
    const uint32_t size = rules.tournament.size, number = (all.first_island + island) * size + member;
    return {kernels::tournament_winner(rules.tournament, all.costs + uint64_t{island} * size, less, generation,
                                       all.first_island + island, member),
            kernels::island_draw_crossing(rules, generation, number - (member & 1u)),
            kernels::island_draw_mutation(rules, generation, number)};
}

/// The memory in which a child is made.
struct Workplace {
    uint8_t *mother, *father, *child, *mirror;
    uint16_t* positions;  ///< scratch: n positions
};

/// Crosses and mutates the child, which is a copy of its mother. Parents that are the same individual are not crossed.
/// `number`: the number of this child in the run. `elder`: the number of the first child of the same parents.
/// `are_two`: the parents are different individuals. Returns true if the child may have changed.
template <uint32_t kCrossovers, Segmented kSegmented, kernels::WithBits kBits, class Cost,
          class Group = kernels::ThreadGroup>
QAPFW_HD bool change_child(const Islands<Cost>& all, const kernels::IslandRules& rules, const Workplace& at,
                           const ChildPlan& plan, bool are_two, uint32_t number, uint32_t elder, uint64_t generation,
                           Group group = {}) {
    const bool crossed = are_two && plan.crossing.happens, changed = crossed || plan.mutation.moves > 0;
    if constexpr (kSegmented != Segmented::kNever) {
        if (kSegmented == Segmented::kAlways || all.segments.count != 0) {
            const uint64_t seed = rules.tournament.seed;
            if (crossed) {
                kernels::cross_segments<kCrossovers>(all.segments, at.child, at.mother, at.father, at.mirror, seed,
                                                     generation, elder, group);
            }
            kernels::mutate_segments(all.segments, at.child, plan.mutation.moves, seed, generation, number, group);
            return changed;
        }
    }
    if constexpr (kSegmented != Segmented::kAlways) {
        kernels::with_views<kBits>(all.bits_offset, [&](const auto& solution) {
            if (crossed) {
                kernels::island_cross<kCrossovers>(
                    rules, solution(at.child), solution(at.mother), solution(at.father), at.positions,
                    solution(at.mirror), kernels::island_crossover_draws(rules, generation, elder, plan.crossing),
                    group);
            }
            kernels::island_mutate(rules, solution(at.child), plan.mutation, generation, number, group);
            if (changed) kernels::island_restore_fixed(rules, solution(at.child), at.positions, group);
        });
    }
    return changed;
}

}  // namespace qapfw::imga
