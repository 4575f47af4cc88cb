// SPDX-License-Identifier: Apache-2.0
// The elites of one island of the memetic algorithm: how to copy, compare, find and sort them. A group of threads works
// on an island: one thread of the CPU or one warp of a GPU. Both give the same result. All threads of the group call a
// function together. The steps of the algorithm (island_steps.hpp) use these functions.
#pragma once

#include "plugins/memetic/device/heap_sort.hpp"
#include "plugins/memetic/device/islands.hpp"

namespace qapfw::memetic {

constexpr uint32_t kFewToRank = 2'048;  ///< up to this number of elites, all threads sort by comparing all pairs

// Kernels have operators on segments only if the framework defines QAPFW_SEGMENTS. The code of the host, where
// MEMETIC_HAS_BITS is not defined, always has these operators.
#if defined(MEMETIC_HAS_BITS) && !defined(QAPFW_SEGMENTS)
constexpr bool kMayHaveSegments = false;
#else
constexpr bool kMayHaveSegments = true;
#endif
#if !defined(MEMETIC_HAS_BITS)
#define MEMETIC_HAS_BITS -1
#endif
constexpr kernels::WithBits kWithBits = kernels::with_bits(MEMETIC_HAS_BITS);

/// The elites of one island. `Costs` compares costs: less(a, b) is true if a is below b, and less.equal(a, b) is true
/// if a and b count as equal.
template <class Cost, class Costs, class Group>
class IslandElites {
  public:
    QAPFW_HD uint32_t first() const { return island * all.size; }
    QAPFW_HD uint32_t end() const { return first() + all.members[island]; }

  protected:
    QAPFW_HD IslandElites(const IslandsOf<Cost>& islands, uint32_t number, const Costs& costs, Group threads)
        : all(islands), island(number), less(costs), group(threads) {}

    QAPFW_HD static uint32_t lesser(uint32_t a, uint32_t b) { return a < b ? a : b; }
    QAPFW_HD static uint64_t* words_of(uint8_t* at) { return reinterpret_cast<uint64_t*>(at); }
    QAPFW_HD static const uint64_t* words_of(const uint8_t* at) { return reinterpret_cast<const uint64_t*>(at); }
    QAPFW_HD uint32_t words() const { return static_cast<uint32_t>(all.bytes / sizeof(uint64_t)); }
    /// Calls `body` in one thread, after all threads have read what they need. Afterwards all see what `body` wrote.
    template <class Body>
    QAPFW_HD void share(const Body& body) const {
        group.sync();
        if (group.rank() == 0) body();
        group.sync();
    }
    QAPFW_HD void copy(uint8_t* to, const uint8_t* from) const {
        group.sync();
        kernels::share_out(group, 0, words(), [&](uint32_t w) { words_of(to)[w] = words_of(from)[w]; });
        group.sync();
    }
    QAPFW_HD void exchange(uint8_t* a, uint8_t* b) const {
        kernels::share_out(group, 0, words(), [&](uint32_t w) {
            const uint64_t before = words_of(a)[w];
            words_of(a)[w] = words_of(b)[w];
            words_of(b)[w] = before;
        });
    }
    QAPFW_HD bool same(const uint8_t* a, const uint8_t* b) const {
        uint32_t different = 0;
        kernels::share_out(group, 0, words(), [&](uint32_t w) {
            if (words_of(a)[w] != words_of(b)[w]) different = 1;
        });
        return group.most(different) == 0;
    }
    /// Number of positions in which two solutions differ. With segments: number of elements that differ.
    QAPFW_HD uint32_t distance_of(const uint8_t* a, const uint8_t* b) const {
        if constexpr (kMayHaveSegments) {
            if (all.segments.count != 0) return kernels::segments_distance(all.segments, a, b, group);
        }
        const auto *x = reinterpret_cast<const uint16_t*>(a), *y = reinterpret_cast<const uint16_t*>(b);
        uint32_t distance = 0;
        kernels::share_out(group, 0, all.rules.n, [&](uint32_t k) { distance += x[k] != y[k] ? 1 : 0; });
        return group.sum(distance);
    }
    /// The elite in use that costs least, or that costs most if `most` is true. Of elites of equal cost, the first.
    QAPFW_HD uint32_t extreme(bool most) const {
        uint32_t found = kNobody;
        const auto look_at = [&](uint32_t k) {
            if (k == kNobody) return;
            const bool is_beyond = found != kNobody &&
                                   (most ? less(all.costs[found], all.costs[k]) : less(all.costs[k], all.costs[found]));
            const bool is_equal = found != kNobody && !is_beyond && k < found &&
                                  !(most ? less(all.costs[k], all.costs[found]) : less(all.costs[found], all.costs[k]));
            if (found == kNobody || is_beyond || is_equal) found = k;
        };
        kernels::share_out(group, first(), end(), look_at);
        for (int bit = Group::size() / 2; bit > 0; bit /= 2) look_at(group.partner(found, bit));
        return found;
    }
    /// True if no elite in use other than `except` has this cost. Must be true before an island takes in an elite of
    /// another island or a child bred from elites, except with Replacement::kWalk. So an island does not fill with
    /// copies.
    QAPFW_HD bool is_new(Cost cost, uint32_t except) const {
        uint32_t is_there = 0;
        kernels::share_out(group, first(), end(), [&](uint32_t k) {
            if (k != except && less.equal(all.costs[k], cost)) is_there = 1;
        });
        return group.most(is_there) == 0;
    }
    /// Returns fresh elite number c (from 0) of the island, see IslandsOf::fresh. kNobody: at most c elites are fresh.
    QAPFW_HD uint32_t fresh_elite(uint32_t c) const {
        uint32_t found = kNobody, before = 0;
        kernels::step_together(group, first(), end(), [&](uint32_t k, bool is_elite) {
            const bool is_fresh = is_elite && all.fresh[k] != 0;
            uint32_t of_step = 0;
            if (before + group.count_before(is_fresh, of_step) == c && is_fresh) found = k;
            before += of_step;
        });
        return group.least(found);
    }

    /// Sorts the elites in use by cost. Elites of equal cost keep their order. all.order[k] is the old position of the
    /// elite that goes to position k.
    QAPFW_HD void sort_elites() const {
        const auto before = [&](uint32_t a, uint32_t b) {
            return less(all.costs[a], all.costs[b]) || (a < b && !less(all.costs[b], all.costs[a]));
        };
        if (all.members[island] > kFewToRank) {
            share([&] {
                for (uint32_t k = first(); k < end(); ++k) all.order[k] = k;
                heap_sort(all.order + first(), all.members[island], before);
            });
        } else {
            kernels::share_out(group, first(), end(), [&](uint32_t k) {
                uint32_t place = first();
                for (uint32_t other = first(); other < end(); ++other) {
                    if (before(other, k)) ++place;
                }
                all.order[place] = k;
            });
            group.sync();
        }
        for (uint32_t k = first(); k < end(); ++k) {
            uint32_t from = all.order[k];
            // If `from` is below k, this position is already filled. The elite that was there moved to order[from].
            while (from < k) from = all.order[from];
            if (from == k) continue;
            exchange(all.elite(k), all.elite(from));
            share([&] {
                exchange(all.costs[k], all.costs[from]);
                exchange(all.fresh[k], all.fresh[from]);
            });
        }
    }
    template <class T>
    QAPFW_HD static void exchange(T& a, T& b) {
        const T before = a;
        a = b;
        b = before;
    }

    const IslandsOf<Cost>& all;
    const uint32_t island;
    const Costs less;
    const Group group;
};

}  // namespace qapfw::memetic
