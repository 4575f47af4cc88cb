// SPDX-License-Identifier: Apache-2.0
// Who lives on, in the genetic algorithms of the papers, for host and device:
//   a child for its parent   where it is better (GECCO 2009, CEC 2010) or not worse (thesis on PGAGrid, 2018):
//                            child_replaces_parent
//   generations with elites  Symmetry 2019, with elites as usual: elite_for_place
//   all different            the best of parents and children together with no two of equal cost: rank_of,
//                            mark_distinct, take_places
// `less` orders costs.
#pragma once

#include "qapfw/kernels/platform.hpp"

namespace qapfw::kernels {

/// When a child takes its parent's place.
enum class ParentGivesWay : uint32_t {
    kToBetter,   ///< where the child costs less
    kToNotWorse  ///< where the child does not cost more
};

/// Whether a child of cost `child` takes the place of a parent of cost `parent`.
template <class Cost, class Less>
QAPFW_HD bool child_replaces_parent(ParentGivesWay rule, const Cost& child, const Cost& parent, const Less& less) {
    return rule == ParentGivesWay::kToBetter ? less(child, parent) : !less(parent, child);
}

/// Stands for no member of a population.
constexpr uint32_t kNoMember = 0xFFFFFFFFu;

/// The member whose cost comes next after that of `last` by cost and number, the best one where `last` is kNoMember;
/// kNoMember after the last one. O(size).
template <class Cost, class Less>
QAPFW_HD uint32_t next_best(const Cost* costs, uint32_t size, const Less& less, uint32_t last) {
    const auto before = [&](uint32_t a, uint32_t b) {
        return less(costs[a], costs[b]) || (!less(costs[b], costs[a]) && a < b);
    };
    uint32_t next = kNoMember;
    for (uint32_t k = 0; k < size; ++k) {
        if (last != kNoMember && !before(last, k)) continue;
        if (next == kNoMember || before(k, next)) next = k;
    }
    return next;
}

/// Which parent takes `place` from the child there, when `elites` best parents take the places of the worst children,
/// the best parent that of the worst child; kNoMember where the child stays. Of equal parents the first counts as
/// better, of equal children the last as worse. O(size * elites), O(size) for most places.
template <class Cost, class Less>
QAPFW_HD uint32_t elite_for_place(const Cost* parents, const Cost* children, uint32_t size, uint32_t elites,
                                  const Less& less, uint32_t place) {
    uint32_t worse = 0;  // children that give way before this one
    for (uint32_t k = 0; k < size && worse < elites; ++k) {
        const bool equal = !less(children[k], children[place]) && !less(children[place], children[k]);
        if (equal ? k > place : less(children[place], children[k])) ++worse;
    }
    if (worse >= elites) return kNoMember;
    uint32_t elite = kNoMember;
    for (uint32_t rank = 0; rank <= worse; ++rank) elite = next_best(parents, size, less, elite);
    return elite;
}

/// How many of `count` candidates come before candidate k by cost and number; cost(c) is that of candidate c. O(count).
template <class CostOf, class Less>
QAPFW_HD uint32_t rank_of(const CostOf& cost, const Less& less, uint32_t k, uint32_t count) {
    const auto own = cost(k);
    uint32_t rank = 0;
    for (uint32_t other = 0; other < count; ++other) {
        const auto its = cost(other);
        rank += less(its, own) || (!less(own, its) && other < k) ? 1u : 0u;
    }
    return rank;
}

constexpr uint32_t kLives = 0x80000000u;  ///< a mark on a candidate

/// Marks who lives of 2 * size candidates, parents 0..size-1 and then children, which stand in `sorted` by cost and
/// number: the best whose cost is not equal to that of the one before, and where there are too few, the best of the
/// others. By one thread. O(size).
template <class CostOf, class Equal>
QAPFW_HD void mark_distinct(const CostOf& cost, const Equal& equal, uint32_t* sorted, uint32_t size) {
    uint32_t living = 0;
    for (uint32_t c = 0; c < 2 * size && living < size; ++c) {
        if (c > 0 && equal(cost(sorted[c - 1] & ~kLives), cost(sorted[c]))) continue;
        sorted[c] |= kLives;
        ++living;
    }
    for (uint32_t c = 0; living < size; ++c) {
        if ((sorted[c] & kLives) != 0) continue;
        sorted[c] |= kLives;
        ++living;
    }
}

/// For each place the candidate that has it from now on: a parent that lives stays, the children that live take the
/// other places in order. lives[c]: of 2 * size candidates, of whom `size` live. By one thread. O(size).
QAPFW_HD void take_places(const uint8_t* lives, uint32_t* who, uint32_t size) {
    uint32_t next = size;
    for (uint32_t place = 0; place < size; ++place) {
        who[place] = place;
        if (lives[place] != 0) continue;
        while (lives[next] == 0) ++next;
        who[place] = next++;
    }
}

}  // namespace qapfw::kernels
