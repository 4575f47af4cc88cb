// SPDX-License-Identifier: Apache-2.0
// Path relinking (F. Glover, M. Laguna, R. Marti, "Fundamentals of scatter search and path relinking", Control and
// Cybernetics 29, 2000; for the QAP T. James, C. Rego, F. Glover, "Sequential and parallel path-relinking algorithms
// for the quadratic assignment problem", IEEE Intelligent Systems 20, 2005). The walk leads from the mother towards the
// father by swaps; each swap gives one position the father's element. The papers evaluate the solutions on the way and
// take the best. Here no cost is computed, so any problem may use the walk. The swaps come in a random order, and the
// walk stops at a random point in the middle half of the way. An improver may continue from there.
#pragma once

#include "qapfw/kernels/fbs_view.hpp"
#include "qapfw/kernels/permutation_operators.hpp"
#include "qapfw/kernels/philox.hpp"
#include "qapfw/kernels/thread_group.hpp"

namespace qapfw::kernels {

/// The random numbers of a walk.
struct PathDraws {
    uint32_t start;  ///< the position at which the walk starts, below n
    uint32_t step;   ///< a random word that decides the step to the next position
    uint32_t stop;   ///< a random word that decides where the walk ends
};

/// Returns a step with which a cyclic walk visits all n positions: a number from 1 to n - 1 that is coprime to n. The
/// search for this number begins at 1 + below(word, n - 1) and goes on at 1 after n - 1. n must be at least 2.
QAPFW_HD uint32_t path_step(uint32_t word, uint32_t n) {
    uint32_t step = 1 + below(word, n - 1);
    while (true) {
        uint32_t a = n, b = step;
        while (b != 0) {
            const uint32_t rest = a % b;
            a = b;
            b = rest;
        }
        if (a == 1) return step;
        step = step + 1 == n ? 1 : step + 1;
    }
}

/// Number of positions that may still differ from the father when the walk stops: a quarter to three quarters of the
/// parents' `distance`, but at least two. So if the parents differ in at least three positions, the child equals
/// neither.
QAPFW_HD uint32_t path_rest(uint32_t word, uint32_t distance) {
    const uint32_t rest = distance / 4 + below(word, distance / 2 + 1);
    return rest < 2 ? 2 : rest;
}

/// Makes the child, which keeps every element on which the parents agree. Each step of the walk gives one position the
/// father's element and the father's bay bit; all other positions have the mother's bit. `where`: scratch with an entry
/// for each value; an entry must be able to hold a position. The child must not overlap a parent. Called by a group of
/// threads, O(n).
template <class Child, class Mother, class Father, class Scratch, class Group = ThreadGroup>
QAPFW_HD void path_relinking(Child child, const Mother& mother, const Father& father, Scratch where, uint32_t n,
                             const PathDraws& draws, Group group = {}) {
    using Position = decltype(unqualified(where[0]));
    if (n == 0) return;
    uint32_t different = 0;
    share_out(group, 0, n, [&](uint32_t k) {
        child.perm[k] = mother.perm[k];
        fbs_set_end(child.bits, k, n, fbs_ends_bay(mother.bits, k, n));
        where[mother.perm[k]] = static_cast<Position>(k);
        different += mother.perm[k] != father.perm[k] ? 1u : 0u;
    });
    different = group.sum(different);
    group.sync();
    if (group.rank() == 0 && different > 0) {
        const uint32_t rest = path_rest(draws.stop, different), step = path_step(draws.step, n);
        for (uint32_t k = draws.start; different > 0; k = k + step < n ? k + step : k + step - n) {
            const auto present = child.perm[k], wanted = father.perm[k];
            if (present == wanted) continue;
            const uint32_t from = where[wanted];
            child.perm[from] = present;
            child.perm[k] = wanted;
            where[present] = static_cast<Position>(from);
            where[wanted] = static_cast<Position>(k);
            fbs_set_end(child.bits, k, n, fbs_ends_bay(father.bits, k, n));
            different -= father.perm[from] == present ? 2u : 1u;
            if (different <= rest) break;
        }
    }
    group.sync();
}

}  // namespace qapfw::kernels
