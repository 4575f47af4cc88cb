// SPDX-License-Identifier: Apache-2.0
// Cycle crossover (Oliver, Smith and Holland, "A study of permutation crossover operators on the traveling salesman
// problem", ICGA 1987). Every position of the child has the value and the bay bit that one of the parents has there.
#pragma once

#include "qapfw/kernels/fbs_view.hpp"
#include "qapfw/kernels/permutation_operators.hpp"
#include "qapfw/kernels/thread_group.hpp"

namespace qapfw::kernels {

/// The first position from `drawn` on, cyclically, at which the parents differ; `drawn` if there is none.
template <class Mother, class Father, class Group>
QAPFW_HD uint32_t first_difference(const Mother& mother, const Father& father, uint32_t n, uint32_t drawn,
                                   Group group) {
    uint32_t distance = n;
    share_out(group, 0, n, [&](uint32_t k) {
        const uint32_t its = k >= drawn ? k - drawn : k + n - drawn;
        if (its < distance && mother.perm[k] != father.perm[k]) distance = its;
    });
    distance = group.least(distance);
    if (distance == n) return drawn;
    return drawn + distance < n ? drawn + distance : drawn + distance - n;
}

/// Makes the child: a copy of the mother, except along one cycle of positions, where the child copies the father. A
/// cycle is a set of positions that must change together, since otherwise a value would be lost. The paper begins the
/// cycle at the first position. Here the cycle begins at `drawn`, or, if the parents agree there, at the next position
/// at which they differ. So the child is no copy of the mother if the permutations differ. `where`: scratch with one
/// entry per value. Each entry must be able to hold a position. The child must not overlap a parent. Called by a group
/// of threads, O(n).
template <class Child, class Mother, class Father, class Scratch, class Group = ThreadGroup>
QAPFW_HD void cycle_crossover(Child child, const Mother& mother, const Father& father, Scratch where, uint32_t n,
                              uint32_t drawn, Group group = {}) {
    using Position = decltype(unqualified(where[0]));
    if (n == 0) return;
    share_out(group, 0, n, [&](uint32_t k) {
        child.perm[k] = mother.perm[k];
        fbs_set_end(child.bits, k, n, fbs_ends_bay(mother.bits, k, n));
        where[mother.perm[k]] = static_cast<Position>(k);
    });
    const uint32_t start = first_difference(mother, father, n, drawn, group);
    group.sync();
    if (group.rank() == 0) {
        uint32_t k = start;
        do {
            child.perm[k] = father.perm[k];
            fbs_set_end(child.bits, k, n, fbs_ends_bay(father.bits, k, n));
            k = where[father.perm[k]];
        } while (k != start);
    }
    group.sync();
}

}  // namespace qapfw::kernels
