// SPDX-License-Identifier: Apache-2.0
// All operators of the library on pairs of parents, by one thread or by a group of threads, for host and device. Tests
// compare the results of a GPU, emulated or real, with those of the host.
#pragma once

#include "qapfw/kernels/operators/crossover.hpp"
#include "qapfw/kernels/operators/mutation.hpp"
#include "qapfw/kernels/operators/solution_view.hpp"

namespace qapfw::test {

/// Solutions of n elements, one after the other. Each has n bits, of which the last is not used.
struct OperatorsTask {
    const uint16_t *mothers, *fathers;  ///< parents of each pair; both have the same elements at fixed positions
    const uint8_t *mother_bits, *father_bits;
    const uint16_t* movable;  ///< the positions that may change
    uint16_t* children;       ///< kMadeOfPair children for each pair
    uint8_t* child_bits;
    uint16_t* scratch;  ///< n entries for each pair
    uint64_t seed;
    uint32_t n, movable_count;
};

/// Number of children that each crossover makes of a pair. The first is made without bits. The second is made with bits
/// by position, and the third with bits by department. The fourth is made without bits and with fixed elements.
constexpr uint32_t kCrossedForms = 4;
constexpr uint32_t kMadeOfPair = kernels::kCrossoverCount * kCrossedForms + kernels::kMutationCount + 1;

/// The memory of one child: its elements and its bits.
struct MadeChild {
    uint16_t* perm;
    uint8_t* bits;
};
QAPFW_HD MadeChild child_at(const OperatorsTask& task, uint32_t pair, uint32_t made) {
    const uint64_t at = (uint64_t{pair} * kMadeOfPair + made) * task.n;
    return {task.children + at, task.child_bits + at};
}

/// Copies the mother into the memory of a child.
template <class Group>
QAPFW_HD void copy_mother(const OperatorsTask& task, uint32_t pair, MadeChild child, Group group) {
    kernels::share_out(group, 0, task.n, [&](uint32_t k) {
        child.perm[k] = task.mothers[pair * task.n + k];
        child.bits[k] = task.mother_bits[pair * task.n + k];
    });
    group.sync();
}

template <class Group>
QAPFW_HD void cross_pair(const OperatorsTask& task, uint32_t pair, kernels::Crossover kind, Group group) {
    using kernels::movable_view;
    using kernels::solution_view;
    const uint32_t n = task.n, first = static_cast<uint32_t>(kind) * kCrossedForms;
    const uint16_t *const mother = task.mothers + pair * n, *const father = task.fathers + pair * n;
    const auto with_bits = solution_view(mother, task.mother_bits + pair * n);
    const auto other_with_bits = solution_view(father, task.father_bits + pair * n);
    uint16_t* const scratch = task.scratch + pair * n;
    const kernels::CrossoverDraws draws = kernels::draw_crossover(task.seed, 5, pair, 1);
    for (uint32_t form = 0; form < kCrossedForms; ++form) {
        const MadeChild child = child_at(task, pair, first + form);
        copy_mother(task, pair, child, group);
        if (form == 0) {
            kernels::cross(kind, solution_view(child.perm), solution_view(mother), solution_view(father), scratch,
                           {n, n}, draws, group);
        } else if (form == 3) {
            kernels::cross(kind, movable_view(child.perm, task.movable), movable_view(mother, task.movable),
                           movable_view(father, task.movable), scratch, {task.movable_count, n}, draws, group);
        } else {
            const auto bits = form == 1 ? kernels::kFbsBitsByPosition : kernels::kFbsBitsByDepartment;
            kernels::cross(kind, solution_view(child.perm, child.bits), with_bits, other_with_bits, scratch,
                           {n, n, bits}, draws, group);
        }
    }
}

/// Makes kCrossedForms children by every crossover, then one by every mutation, then one by restore_fixed.
template <class Group>
QAPFW_HD void make_children(const OperatorsTask& task, uint32_t pair, Group group) {
    const uint32_t n = task.n;
    for (uint32_t kind = 0; kind < kernels::kCrossoverCount; ++kind) {
        cross_pair(task, pair, static_cast<kernels::Crossover>(kind), group);
    }
    uint32_t made = kernels::kCrossoverCount * kCrossedForms;
    for (uint32_t kind = 0; kind < kernels::kMutationCount; ++kind, ++made) {
        const MadeChild child = child_at(task, pair, made);
        copy_mother(task, pair, child, group);
        for (uint32_t times = 0; times < 5; ++times) {
            const kernels::Philox4 words = kernels::draw4(task.seed, times, pair, 2, kind);
            kernels::mutate(static_cast<kernels::Mutation>(kind), kernels::solution_view(child.perm, child.bits), n,
                            words.word[0], words.word[1], group);
        }
    }
    const MadeChild child = child_at(task, pair, made);
    copy_mother(task, pair, child, group);
    const kernels::FixedElements fixed{task.movable_count / 2, task.movable, task.fathers + pair * n};
    kernels::restore_fixed(fixed, kernels::solution_view(child.perm), task.scratch + pair * n, n, group);
}

}  // namespace qapfw::test
