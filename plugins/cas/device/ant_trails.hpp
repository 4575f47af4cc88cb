// SPDX-License-Identifier: Apache-2.0
// Pheromone trails as fixed-point integers, and the construction of a cunning ant from them. Host and device use the
// same code, and the results are equal to the last bit in any order of summation. Sources: Tsutsui and Fujimoto, MEDAL
// Report 2011005, section 3, equations 1 and 2; S. Tsutsui, "cAS: ant colony optimization with cunning ants", PPSN
// 2006; trail limits of Stuetzle and Hoos, "MAX-MIN Ant System", 2000.
#pragma once

#include "qapfw/kernels/digest.hpp"
#include "qapfw/kernels/fbs_operators.hpp"
#include "qapfw/kernels/philox.hpp"

namespace qapfw::kernels {

/// No trail exceeds 2^46. A trail times a 16-bit fraction, or a sum of 2^16 trails, is then at most 2^62.
constexpr int kTrailBits = 46;
constexpr int kPersistenceBits = 16;

/// Constants of all iterations. The host chooses deposit_limit so that the deposits of all ants together, divided by
/// (1 - rho), stay within 2^46.
struct TrailRules {
    uint64_t deposit_scale;  ///< deposit of a solution that costs as much as the best of the colony's first solutions
    uint64_t deposit_limit;  ///< largest deposit
    uint64_t least_share;    ///< tau_min / tau_max in units of 2^-32, at most 2^32
    uint32_t persistence;    ///< rho in units of 2^-16, below 2^16
    uint32_t ants;           ///< m: ants of one colony
};

/// The scale of one colony's deposits: deposit = deposit_scale * height(reference) / height(cost). The reference is the
/// least cost of the colony's first solutions.
struct DepositReference {
    int64_t floor;       ///< heights are measured from it: height(cost) = cost - floor + 1
    uint64_t numerator;  ///< deposit_scale * (height(reference) >> shift), below 2^63
    uint32_t shift;      ///< number of low bits dropped from each height, so that `numerator` stays below 2^63
    uint32_t scale;      ///< result of scale_of_costs if costs are real-valued; 0: costs are integers
};

/// The limits of all trails of a colony in one iteration: tau_min and tau_max.
struct TrailLimits {
    uint64_t least, most;
};

/// floor(range * share / 2^32) for `range` up to 2^62 and `share` up to 2^32. The result is below `range` if `share` is
/// below 2^32.
QAPFW_HD uint64_t portion(uint64_t range, uint64_t share) {
    return (range >> 32) * share + (((range & 0xFFFFFFFFu) * share) >> 32);
}

/// Returns cost - floor + 1, or 1 if the cost is below the floor (see floor_of_costs). The result is at most 2^64 - 1.
QAPFW_HD uint64_t height(int64_t floor, int64_t cost) {
    if (cost < floor) return 1;
    const uint64_t difference = static_cast<uint64_t>(cost) - static_cast<uint64_t>(floor);
    return difference == ~uint64_t{0} ? difference : difference + 1;
}

/// The lower bound that a problem states for its costs.
struct CostBound {
    int64_t least;   ///< the bound, if `known` is 1; for real-valued costs: the bits of a double
    uint64_t known;  ///< 1: the problem states a lower bound
};

/// Returns the floor: the cost from which `height` measures. The floor is 1, or the problem's lower bound if that is
/// less than 1. If the problem states no lower bound and the best cost is not positive, the floor is
/// best - (worst - best).
QAPFW_HD int64_t floor_of_costs(const CostBound& bound, int64_t best, int64_t worst) {
    if (bound.known != 0) return bound.least < 1 ? bound.least : 1;
    if (best >= 1) return 1;
    const uint64_t difference = static_cast<uint64_t>(worst) - static_cast<uint64_t>(best);
    const uint64_t spread = difference == 0 ? 1 : difference;
    // Difference between the best cost and the least int64_t. The floor cannot lie below the least int64_t.
    const uint64_t room = static_cast<uint64_t>(best) + (uint64_t{1} << 63);
    return static_cast<int64_t>(static_cast<uint64_t>(best) - (spread < room ? spread : room));
}

// A real-valued cost is stored as the bits of a double. Comparisons use an integer with the same order. Deposits use a
// unit fixed by a colony's first solutions, so that all deposits are integers.

/// Converts the bits of a double to an integer with the same order, and back. Zero comes after minus zero.
QAPFW_HD int64_t order_of_real(int64_t bits) {
    return bits ^ ((bits >> 63) & 0x7FFFFFFFFFFFFFFFll);
}
template <bool kReal>
QAPFW_HD int64_t rank_of_cost(int64_t cost) {
    return kReal ? order_of_real(cost) : cost;
}

QAPFW_HD double real_of(int64_t bits) {
    union {
        int64_t bits;
        double value;
    } both{bits};
    return both.value;
}

constexpr int32_t kExponentBias = 1023, kMostExponent = 2046;
constexpr int32_t kHeightBits = 40;  ///< the best of the first costs becomes an integer of kHeightBits + 1 bits

/// Real-valued costs are multiplied by a power of two before they become integers. Returns the biased exponent of this
/// power, as in the bits of a double. With this power the best of the first costs has kHeightBits + 1 bits. If the best
/// cost is zero, the worst cost has this number of bits.
QAPFW_HD uint32_t scale_of_costs(int64_t best, int64_t worst) {
    const auto exponent = [](int64_t bits) { return static_cast<int32_t>(bits >> 52 & 0x7FF); };
    const int32_t of_first = exponent(best) != 0    ? exponent(best)
                             : exponent(worst) != 0 ? exponent(worst)
                                                    : kExponentBias;
    const int32_t wanted = 2 * kExponentBias + kHeightBits - of_first;
    return static_cast<uint32_t>(wanted < 1 ? 1 : wanted > kMostExponent ? kMostExponent : wanted);
}

/// A cost as an integer. An integer cost stays as it is. A real-valued cost is multiplied by a power of two, rounded
/// towards zero and limited to -2^62 .. 2^62. The product is exact, so host and device agree. `scale`: the result of
/// scale_of_costs.
template <bool kReal>
QAPFW_HD int64_t integer_cost(uint32_t scale, int64_t cost) {
    if constexpr (!kReal) {
        return cost;
    } else {
        constexpr int64_t kMost = int64_t{1} << 62;
        const double scaled = real_of(cost) * real_of(static_cast<int64_t>(scale) << 52);
        if (!(scaled < 4611686018427387904.0)) return kMost;
        return scaled > -4611686018427387904.0 ? static_cast<int64_t>(scaled) : -kMost;
    }
}

/// Returns the number of bits of `number` without leading zeros. Returns 0 for the number 0.
QAPFW_HD uint32_t width_of(uint64_t number) {
    uint32_t width = number == 0 ? 0 : 1;
    for (uint32_t step = 32; step > 0; step /= 2) {
        if (number >> step == 0) continue;
        number >>= step;
        width += step;
    }
    return width;
}

/// Returns the scale of a colony's deposits. `best` and `worst`: the costs of the best and of the worst of the colony's
/// first solutions.
template <bool kReal = false>
QAPFW_HD DepositReference make_reference(const TrailRules& rules, const CostBound& bound, int64_t best, int64_t worst) {
    const uint32_t scale = kReal ? scale_of_costs(best, worst) : 0;
    const CostBound scaled{integer_cost<kReal>(scale, bound.least), bound.known};
    const int64_t floor = floor_of_costs(scaled, integer_cost<kReal>(scale, best), integer_cost<kReal>(scale, worst));
    const uint64_t own = height(floor, integer_cost<kReal>(scale, best));
    const uint32_t bits = width_of(own) + width_of(rules.deposit_scale), shift = bits > 63 ? bits - 63 : 0;
    return {floor, rules.deposit_scale * (own >> shift), shift, scale};
}

/// The deposit of an ant: equation 2 of MEDAL Report 2011005, scaled to integers.
template <bool kReal = false>
QAPFW_HD uint64_t deposit(const TrailRules& rules, const DepositReference& reference, int64_t cost) {
    const uint64_t shifted = height(reference.floor, integer_cost<kReal>(reference.scale, cost)) >> reference.shift;
    const uint64_t amount = reference.numerator / (shifted == 0 ? 1 : shifted);
    return amount < rules.deposit_limit ? amount : rules.deposit_limit;
}

/// tau_max is the sum of all deposits / (1 - rho): a trail that all ants use converges to tau_max. tau_min follows from
/// tau_max by the p_best rule. Both are at least 1.
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

/// Returns the number that entry `index`, whose value is `trail`, adds to the digest of a trail matrix.
QAPFW_HD uint64_t digest_trail(uint64_t index, uint64_t trail) {
    return mix64(trail + mix64(index + 0x9E3779B97F4A7C15ull));
}

/// Tables from which the ants of one colony are constructed.
struct CunningTables {
    const uint16_t* free;  ///< positions that may move, ascending
    /// Cumulative distribution of the number of sampled positions: entry l is 2^32 times the probability that at most l
    /// positions are sampled. There are free_count entries.
    const uint32_t* thresholds;
    uint32_t free_count;
    uint32_t values;  ///< n: the length of a row of trails
};

/// The numbers that select an ant's random words, together with a stream and an index in it (see draw4).
struct AntDraws {
    uint64_t seed, iteration;
    uint32_t ant;
};
constexpr uint32_t kFirstAntStream = 80;  ///< stream of the words that shuffle a first solution
/// Word 0 decides how many positions are sampled. Word 1 + k decides which position is the k-th sampled one.
constexpr uint32_t kCunningStream = 96;
constexpr uint32_t kRouletteStream = 97;  ///< word k: the value of the k-th sampled position
/// Draws for a change of bay bits. Word 0 decides whether bits change, word 1 the kind of change. Words 2 and 3 choose
/// the bit to flip, or the border to move and its direction.
constexpr uint32_t kAntBitStream = 98;

/// One thread of the host, which constructs an ant alone. (On a GPU, a warp assigns the values and a CUDA block samples
/// the positions.) Prefix sums are exact integers, so host and GPU choose the same values.
struct LoneThread {
    QAPFW_HD uint32_t rank() const { return 0; }
    QAPFW_HD uint32_t size() const { return 1; }
    QAPFW_HD void sync() const {}
    /// Returns the sum of `own` over the threads of lower rank. `total` becomes the sum over all threads.
    QAPFW_HD uint64_t prefix(uint64_t own, uint64_t& total) const {
        total = own;
        return 0;
    }
};

/// The number of positions to sample: the number of thresholds that are at most the random word. O(n).
QAPFW_HD uint32_t sampled_count(const CunningTables& tables, uint32_t word) {
    uint32_t count = 0;
    for (uint32_t k = 0; k < tables.free_count; ++k) count += tables.thresholds[k] <= word;
    return count;
}

/// Draws `count` swaps for choose_positions. Swap k = 0, 1, ... trades entries k and with[k] of a list; with[k] >= k.
template <class Group>
QAPFW_HD void draw_exchanges(Group group, uint16_t* with, uint32_t count, uint32_t free_count, const AntDraws& at) {
    for (uint32_t slot = group.rank(); 4 * slot <= count; slot += group.size()) {
        const Philox4 words = draw4(at.seed, at.iteration, at.ant, kCunningStream, slot);
        for (uint32_t word = 0; word < 4; ++word) {
            const uint32_t k = 4 * slot + word - 1;  // word k + 1 is for swap k; word 0 is for sampled_count
            if (k < count) with[k] = static_cast<uint16_t>(k + below(words.word[word], free_count - k));
        }
    }
    group.sync();
}

/// Puts a random sequence of distinct numbers below free_count into the first `count` entries of `order` (the shuffle
/// of Fisher and Yates, stopped early). `with` is scratch for `count` entries.
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

/// Draws one number k below `left`, with a probability proportional to weight(k), and calls take(k). The thread of the
/// group that finds k makes the call. O(left / size).
template <class Group, class Weight, class Take>
QAPFW_HD void spin_wheel(Group group, uint32_t left, uint32_t word, const Weight& weight, const Take& take) {
    const uint32_t share = (left + group.size() - 1) / group.size();
    const uint32_t wanted_first = group.rank() * share, wanted_last = wanted_first + share;
    const uint32_t first = wanted_first < left ? wanted_first : left, last = wanted_last < left ? wanted_last : left;
    uint64_t own = 0, total = 0;
    for (uint32_t k = first; k < last; ++k) own += weight(k);
    uint64_t sum = group.prefix(own, total);
    const uint64_t target = portion(total, word);
    if (sum <= target && target < sum + own) {
        uint32_t k = first;
        for (sum += weight(k); sum <= target; sum += weight(k)) ++k;
        take(k);
    }
}

/// Draws a value from pool[0 .. left-1] with a probability proportional to row[value], and moves it to `chosen`. The
/// pool's last value takes the drawn value's position in the pool.
template <class Group>
QAPFW_HD void roulette(Group group, const uint64_t* row, uint16_t* pool, uint32_t left, uint32_t word,
                       uint16_t* chosen) {
    spin_wheel(
        group, left, word, [&](uint32_t k) { return row[pool[k]]; },
        [&](uint32_t k) {
            *chosen = pool[k];
            pool[k] = pool[left - 1];
        });
}

/// Chooses the sampled positions of an ant and returns their number l_s. Writes their indices among the free positions
/// to `order`, in the order in which they get values. Writes the donor's values at these positions to `pool`; these
/// values are dealt out again. `order` and `pool` have free_count entries each. O(n).
QAPFW_HD uint32_t sample_positions(const CunningTables& tables, const uint16_t* donor, uint16_t* order, uint16_t* pool,
                                   const AntDraws& at) {
    const uint32_t count = sampled_count(tables, draw(at.seed, at.iteration, at.ant, kCunningStream, 0));
    choose_positions(order, pool, count, tables.free_count, at);
    for (uint32_t k = 0; k < count; ++k) pool[k] = donor[tables.free[order[k]]];
    return count;
}

/// Draws values for the sampled positions first .. last - 1, by the trails. `count`: number of all sampled positions.
/// rows(k) is the trail row of the k-th sampled position; pool[0 .. count - first - 1] are the remaining values.
/// O(count^2 / size) for all positions.
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

/// Gives the trail rows of the sampled positions without copying them. The row of the free position with index f begins
/// at trail[f * values] and has one trail for each value.
struct RowsInPlace {
    const uint64_t* trail;
    const uint16_t* order;
    uint32_t values;
    QAPFW_HD const uint64_t* operator()(uint32_t k) const { return trail + static_cast<uint64_t>(order[k]) * values; }
};

/// Draws the bay bits of a first ant.
template <class Bits>
QAPFW_HD void draw_ant_bits(Bits bits, uint32_t n, const AntDraws& at) {
    fbs_randomize_bits(bits, n, 0, at.seed, at.iteration, at.ant, kFirstAntStream);
}

/// Changes the bay bits of a cunning ant, which already has the bits of its donor. If a random word is below `rate`, a
/// bay is split, two are joined, or a border moves by one position.
template <class Bits>
QAPFW_HD void change_ant_bits(const uint16_t* perm, Bits bits, uint32_t n, uint32_t rate, const AntDraws& at) {
    const Philox4 words = draw4(at.seed, at.iteration, at.ant, kAntBitStream, 0);
    if (words.word[0] >= rate) return;
    const auto layout = solution_view(perm, bits);
    if ((words.word[1] & 1u) != 0) {
        fbs_mutate_flip_bit(layout, n, words.word[2]);
    } else {
        fbs_mutate_shift_border(layout, n, words.word[2], words.word[3]);
    }
}

/// Constructs a cunning ant: it keeps its donor's values, except at randomly chosen positions. These positions draw
/// their values again by the trails, in the order in which they were chosen. `order` and `pool` are scratch for
/// free_count entries each. Returns l_s, the number of sampled positions. O(n + l_s^2).
QAPFW_HD uint32_t construct_cunning_ant(const CunningTables& tables, const uint64_t* trail, const uint16_t* donor,
                                        uint16_t* child, uint16_t* order, uint16_t* pool, const AntDraws& at) {
    for (uint32_t k = 0; k < tables.values; ++k) child[k] = donor[k];
    const uint32_t count = sample_positions(tables, donor, order, pool, at);
    assign_values(LoneThread{}, tables, RowsInPlace{trail, order, tables.values}, order, pool, child, 0, count, count,
                  at);
    return count;
}

}  // namespace qapfw::kernels
