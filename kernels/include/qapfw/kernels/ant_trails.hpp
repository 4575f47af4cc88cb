// SPDX-License-Identifier: Apache-2.0
// Pheromone trails as fixed-point integers, and the construction of a cunning ant from them: one text for host and
// device, equal to the last bit in any order of summation. Sources: Tsutsui and Fujimoto, MEDAL Report 2011005, section
// 3, equations 1 and 2; S. Tsutsui, "cAS: ant colony optimization with cunning ants", PPSN 2006; trail limits of
// Stuetzle and Hoos, "MAX-MIN Ant System", 2000.
#pragma once

#include "qapfw/kernels/digest.hpp"
#include "qapfw/kernels/philox.hpp"

namespace qapfw::kernels {

/// No trail exceeds 2^46. A product with a 16-bit fraction and a sum over 2^16 values then stay below 2^62.
constexpr int kTrailBits = 46;
constexpr int kPersistenceBits = 16;

/// What no iteration changes. The host chooses deposit_limit so that the deposits of all ants together, divided by
/// 1 - rho, stay within 2^46.
struct TrailRules {
    uint64_t deposit_scale;  ///< deposit of a solution as good as the reference
    uint64_t deposit_limit;  ///< no deposit is larger
    uint64_t least_share;    ///< tau_min / tau_max in units of 2^-32, at most 2^32
    uint32_t persistence;    ///< rho in units of 2^-16, below 2^16
    uint32_t ants;           ///< m, of one colony
};

/// What the deposits of one colony are measured by: deposit = deposit_scale * height(reference) / height(cost).
struct DepositReference {
    int64_t floor;       ///< height(cost) = cost - floor + 1: the cost itself where floor is 1
    uint64_t numerator;  ///< deposit_scale * (height(reference) >> shift), below 2^63
    uint32_t shift;      ///< low bits of heights that are left out
    uint32_t unused;     ///< 0: no padding bytes in saved states
};

/// Least and largest trail of an iteration.
struct TrailLimits {
    uint64_t least, most;
};

/// floor(range * share / 2^32) for range up to 2^62 and share up to 2^32; below `range` for a 32-bit share.
QAPFW_HD uint64_t portion(uint64_t range, uint64_t share) {
    return (range >> 32) * share + (((range & 0xFFFFFFFFu) * share) >> 32);
}

/// How far a cost is above the floor, at least 1.
QAPFW_HD uint64_t height(int64_t floor, int64_t cost) {
    if (cost < floor) return 1;
    const uint64_t difference = static_cast<uint64_t>(cost) - static_cast<uint64_t>(floor);
    return difference == ~uint64_t{0} ? difference : difference + 1;
}

/// What a problem states of its costs.
struct CostBound {
    int64_t least;   ///< a lower bound, if there is one
    uint64_t known;  ///< 1: there is
};

/// Costs are measured from here. Where the problem states no lower bound and costs are not positive, it lies as far
/// below the best cost as the worst one lies above it.
QAPFW_HD int64_t floor_of_costs(const CostBound& bound, int64_t best, int64_t worst) {
    if (bound.known != 0) return bound.least < 1 ? bound.least : 1;
    if (best >= 1) return 1;
    const uint64_t difference = static_cast<uint64_t>(worst) - static_cast<uint64_t>(best);
    const uint64_t spread = difference == 0 ? 1 : difference;
    const uint64_t room = static_cast<uint64_t>(best) + (uint64_t{1} << 63);  // above the least integer
    return static_cast<int64_t>(static_cast<uint64_t>(best) - (spread < room ? spread : room));
}

/// Bits of the number, without leading zeros.
QAPFW_HD uint32_t width_of(uint64_t number) {
    uint32_t width = number == 0 ? 0 : 1;
    for (uint32_t step = 32; step > 0; step /= 2) {
        if (number >> step == 0) continue;
        number >>= step;
        width += step;
    }
    return width;
}

/// Measures deposits by the best of a colony's first solutions, the worst of which costs `worst`.
QAPFW_HD DepositReference make_reference(const TrailRules& rules, const CostBound& bound, int64_t best, int64_t worst) {
    const int64_t floor = floor_of_costs(bound, best, worst);
    const uint64_t own = height(floor, best);
    const uint32_t bits = width_of(own) + width_of(rules.deposit_scale), shift = bits > 63 ? bits - 63 : 0;
    return {floor, rules.deposit_scale * (own >> shift), shift, 0};
}

/// Equation 2, scaled.
QAPFW_HD uint64_t deposit(const TrailRules& rules, const DepositReference& reference, int64_t cost) {
    const uint64_t shifted = height(reference.floor, cost) >> reference.shift;
    const uint64_t amount = reference.numerator / (shifted == 0 ? 1 : shifted);
    return amount < rules.deposit_limit ? amount : rules.deposit_limit;
}

/// tau_max = sum of all deposits / (1 - rho): where the largest trail would converge to; tau_min by the p_best rule.
QAPFW_HD TrailLimits trail_limits(const TrailRules& rules, uint64_t deposits) {
    const uint64_t most = (deposits << kPersistenceBits) / ((uint64_t{1} << kPersistenceBits) - rules.persistence);
    const uint64_t least = portion(most, rules.least_share);
    return {least == 0 ? 1 : least, most == 0 ? 1 : most};
}

/// rho * trail.
QAPFW_HD uint64_t evaporated(const TrailRules& rules, uint64_t trail) {
    return (trail * rules.persistence) >> kPersistenceBits;
}

QAPFW_HD uint64_t within(const TrailLimits& limits, uint64_t trail) {
    return trail < limits.least ? limits.least : trail > limits.most ? limits.most : trail;
}

/// What entry `index` of a trail matrix adds to the matrix' digest.
QAPFW_HD uint64_t digest_trail(uint64_t index, uint64_t trail) {
    return mix64(trail + mix64(index + 0x9E3779B97F4A7C15ull));
}

/// What one colony's ants are constructed from.
struct CunningTables {
    const uint16_t* free;        ///< positions that may move, ascending
    const uint32_t* thresholds;  ///< cumulative distribution of the number of sampled positions, one per free position
    uint32_t free_count;
    uint32_t values;  ///< n: length of a trail row
};

/// Where an ant's draws stand.
struct AntDraws {
    uint64_t seed, iteration;
    uint32_t ant;
};
constexpr uint32_t kFirstAntStream = 80;  ///< the shuffle of a first solution
constexpr uint32_t kCunningStream = 96;   ///< word 0: how many positions are sampled; word 1 + k: which is the k-th
constexpr uint32_t kRouletteStream = 97;  ///< word k: the value at the k-th of them

/// One host thread as the group of an ant's construction; on a GPU a warp assigns values (its prefix sums are exact, so
/// both choose the same ones), and a block samples positions.
struct LoneThread {
    QAPFW_HD uint32_t rank() const { return 0; }
    QAPFW_HD uint32_t size() const { return 1; }
    QAPFW_HD void sync() const {}
    /// Sum over the lower ranks; `total` is the sum over all.
    QAPFW_HD uint64_t prefix(uint64_t own, uint64_t& total) const {
        total = own;
        return 0;
    }
};

/// Number of positions to sample: how many of the thresholds a random word reaches. O(n).
QAPFW_HD uint32_t sampled_count(const CunningTables& tables, uint32_t word) {
    uint32_t count = 0;
    for (uint32_t k = 0; k < tables.free_count; ++k) count += tables.thresholds[k] <= word;
    return count;
}

/// The draws of choose_positions: step k = 0, 1, ... exchanges entry k with entry with[k] >= k.
template <class Group>
QAPFW_HD void draw_exchanges(Group group, uint16_t* with, uint32_t count, uint32_t free_count, const AntDraws& at) {
    for (uint32_t slot = group.rank(); 4 * slot <= count; slot += group.size()) {
        const Philox4 words = draw4(at.seed, at.iteration, at.ant, kCunningStream, slot);
        for (uint32_t word = 0; word < 4; ++word) {
            const uint32_t k = 4 * slot + word - 1;  // the stream's first word is for no k
            if (k < count) with[k] = static_cast<uint16_t>(k + below(words.word[word], free_count - k));
        }
    }
    group.sync();
}

/// The first `count` entries of `order` become a random sequence of distinct numbers below free_count (Fisher and
/// Yates, stopped early); `with` is scratch for as many.
QAPFW_HD void choose_positions(uint16_t* order, uint16_t* with, uint32_t count, uint32_t free_count,
                               const AntDraws& at) {
    for (uint32_t k = 0; k < free_count; ++k) order[k] = static_cast<uint16_t>(k);
    draw_exchanges(LoneThread{}, with, count, free_count, at);
    for (uint32_t k = 0; k < count; ++k) {
        const uint16_t moved = order[k];
        order[k] = order[with[k]];
        order[with[k]] = moved;
    }
}

/// Takes one of pool[0 .. left-1] with probability proportional to row[value], the last one moving into its place.
/// O(left / size).
template <class Group>
QAPFW_HD void roulette(Group group, const uint64_t* row, uint16_t* pool, uint32_t left, uint32_t word,
                       uint16_t* chosen) {
    const uint32_t share = (left + group.size() - 1) / group.size();
    const uint32_t wanted_first = group.rank() * share, wanted_last = wanted_first + share;
    const uint32_t first = wanted_first < left ? wanted_first : left, last = wanted_last < left ? wanted_last : left;
    uint64_t own = 0, total = 0;
    for (uint32_t k = first; k < last; ++k) own += row[pool[k]];
    uint64_t sum = group.prefix(own, total);
    const uint64_t target = portion(total, word);
    if (sum <= target && target < sum + own) {
        uint32_t k = first;
        for (sum += row[pool[k]]; sum <= target; sum += row[pool[k]]) ++k;
        *chosen = pool[k];
        pool[k] = pool[left - 1];
    }
}

/// Which positions of an ant are sampled, in the order in which they get their values: the entries of `order`, numbers
/// of free positions. `pool` gets the values that they share out again. Both have free_count entries. Returns l_s, how
/// many there are. O(n).
QAPFW_HD uint32_t sample_positions(const CunningTables& tables, const uint16_t* donor, uint16_t* order, uint16_t* pool,
                                   const AntDraws& at) {
    const uint32_t count = sampled_count(tables, draw(at.seed, at.iteration, at.ant, kCunningStream, 0));
    choose_positions(order, pool, count, tables.free_count, at);
    for (uint32_t k = 0; k < count; ++k) pool[k] = donor[tables.free[order[k]]];
    return count;
}

/// Sampled positions first .. last - 1 of `count` choose their values by the trails. rows(k) is the trail row of the
/// k-th of them, values[] of which pool[0 .. count - first - 1] are left. O(l_s^2 / size) for all.
template <class Group, class Rows>
QAPFW_HD void assign_values(Group group, const CunningTables& tables, Rows rows, const uint16_t* order, uint16_t* pool,
                            uint16_t* child, uint32_t first, uint32_t last, uint32_t count, const AntDraws& at) {
    Philox4 words{};
    for (uint32_t k = first; k < last; ++k) {
        if (k == first || (k & 3u) == 0) words = draw4(at.seed, at.iteration, at.ant, kRouletteStream, k >> 2);
        roulette(group, rows(k), pool, count - k, words.word[k & 3u], child + tables.free[order[k]]);
        group.sync();
    }
}

/// The rows where they lie: trail[free position number * values + value].
struct RowsInPlace {
    const uint64_t* trail;
    const uint16_t* order;
    uint32_t values;
    QAPFW_HD const uint64_t* operator()(uint32_t k) const { return trail + static_cast<uint64_t>(order[k]) * values; }
};

/// A cunning ant: keeps its donor's values except at randomly chosen positions, which share out their values again
/// by the trails, in the order in which they were chosen. `order` and `pool` are scratch for free_count entries each.
/// Returns how many positions were sampled. O(n + l_s^2).
QAPFW_HD uint32_t construct_cunning_ant(const CunningTables& tables, const uint64_t* trail, const uint16_t* donor,
                                        uint16_t* child, uint16_t* order, uint16_t* pool, const AntDraws& at) {
    for (uint32_t k = 0; k < tables.values; ++k) child[k] = donor[k];
    const uint32_t count = sample_positions(tables, donor, order, pool, at);
    assign_values(LoneThread{}, tables, RowsInPlace{trail, order, tables.values}, order, pool, child, 0, count, count,
                  at);
    return count;
}

}  // namespace qapfw::kernels
