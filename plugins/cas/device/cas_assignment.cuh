// SPDX-License-Identifier: Apache-2.0
// How a warp assigns values to the sampled positions of an ant, with trail rows in shared memory and values in
// registers. The result equals that of kernels::assign_values to the last bit.
#pragma once

#include "plugins/cas/device/ant_trails.hpp"
#include "qapfw/kernels/population.hpp"

namespace qapfw::cas {

/// Trail rows staged in shared memory: either all rows of a colony, by index of the free position, or the rows of the
/// sampled positions from `first` on.
struct StagedRows {
    const uint64_t* rows;
    const uint16_t* order;  ///< the sampled positions, if all rows are staged; otherwise null
    uint32_t first, values;
    QAPFW_DEVICE const uint64_t* operator()(uint32_t k) const {
        return rows + (order != nullptr ? order[k] : k - first) * values;
    }
};

/// The scratch memory of the CUDA block that constructs an ant.
struct Scratch {
    uint32_t* words;            ///< free_count random words, for the values of the sampled positions
    uint16_t *child, *ordered;  ///< `values` entries each; `ordered`: the child in the device code's order
    /// Arrays of free_count entries: `order` and `pool` for kernels::sample_positions, `with` for draw_exchanges.
    uint16_t *order, *pool, *with;

    /// The free positions, which use the memory of `ordered` until the child is complete.
    QAPFW_DEVICE uint16_t* free() const { return ordered; }
};

/// Entry k of the list 0, 1, ... after the swaps of choose_positions. (Swap s trades entries s and with[s].) The entry
/// is traced back from swap k through the earlier ones, so that no list is needed. O(k).
QAPFW_DEVICE uint16_t entry_after_exchanges(const uint16_t* with, uint32_t k) {
    uint32_t from = with[k];
    for (uint32_t step = k; step-- > 0;) from = with[step] == from ? step : from;
    return static_cast<uint16_t>(from);
}

/// Replaces each of a lane's numbers by the sum of this number over the lane and all lower lanes. The shuffles of
/// different numbers overlap.
template <uint32_t kNumbers>
QAPFW_DEVICE void add_lower_lanes(uint64_t (&numbers)[kNumbers]) {
    for (uint32_t distance = 1; distance < 32; distance *= 2) {
        for (uint64_t& number : numbers) {
            const uint64_t lower = __shfl_up_sync(kernels::kAllLanes, number, distance);
            if (kernels::lane_number() >= distance) number += lower;
        }
    }
}

/// A warp as the `Group` of assign_values: its lanes assign the values of one ant together.
struct WarpPrefix {
    QAPFW_DEVICE uint32_t rank() const { return kernels::lane_number(); }
    QAPFW_DEVICE uint32_t size() const { return 32; }
    QAPFW_DEVICE void sync() const { __syncwarp(); }
    QAPFW_DEVICE uint64_t prefix(uint64_t own, uint64_t& total) const {
        uint64_t sum[] = {own};
        add_lower_lanes(sum);
        total = __shfl_sync(kernels::kAllLanes, sum[0], 31);
        return sum[0] - own;
    }
};

/// Returns entry `index` of a list to all lanes. Each lane holds kParts consecutive entries of the list. All lanes must
/// pass the same index.
template <class T, uint32_t kParts>
QAPFW_DEVICE T entry_of_lanes(const T (&own)[kParts], uint32_t index) {
    T entry = own[0];
    for (uint32_t part = 1; part < kParts; ++part) entry = index % kParts == part ? own[part] : entry;
    return __shfl_sync(kernels::kAllLanes, entry, static_cast<int>(index / kParts));
}

/// The roulette wheel from which one position draws its value. It has one entry for each value of the pool. Each lane
/// holds kParts entries.
template <uint32_t kParts>
struct Wheel {
    uint64_t weight[kParts];  ///< for each entry of this lane: the trail of its value
    uint64_t up_to[kParts];   ///< for each entry of this lane: sum of the weights from the first entry to this one
    uint64_t total;           ///< sum of all weights

    /// The entry of the pool at which the wheel stops.
    QAPFW_DEVICE uint32_t spin(uint32_t word) const {
        const uint64_t target = kernels::portion(total, word);
        uint32_t chosen = 0;
        for (const uint64_t sum : up_to) {
            chosen += static_cast<uint32_t>(__popc(__ballot_sync(kernels::kAllLanes, sum <= target)));
        }
        return chosen;
    }
    /// Removes the chosen entry. The pool's last entry, whose weight is `moved`, moves to the position of the chosen
    /// entry. For entries behind the new end, `up_to` is at least `total`, so the wheel never stops there.
    QAPFW_DEVICE void take(uint32_t chosen, uint64_t moved) {
        const uint64_t gone = entry_of_lanes(weight, chosen);
        total -= gone;
        for (uint32_t part = 0; part < kParts; ++part) {
            const uint32_t index = kernels::lane_number() * kParts + part;
            up_to[part] += index >= chosen ? moved - gone : 0;
            weight[part] = index == chosen ? moved : weight[part];
        }
    }
};

/// Builds a roulette wheel for each trail row in `rows`, over the first `left` values of the pool.
template <uint32_t kParts, uint32_t kWheels>
QAPFW_DEVICE void build(Wheel<kParts> (&wheels)[kWheels], const uint64_t* const (&rows)[kWheels],
                        const uint32_t (&value)[kParts], uint32_t left) {
    uint64_t sum[kWheels];
    for (uint32_t i = 0; i < kWheels; ++i) {
        sum[i] = 0;
        for (uint32_t part = 0; part < kParts; ++part) {
            const uint64_t trail = rows[i][value[part]];
            wheels[i].weight[part] = kernels::lane_number() * kParts + part < left ? trail : 0;
            sum[i] += wheels[i].weight[part];
        }
    }
    add_lower_lanes(sum);
    for (uint32_t i = 0; i < kWheels; ++i) {
        wheels[i].total = __shfl_sync(kernels::kAllLanes, sum[i], 31);
        for (uint32_t part = kParts; part-- > 0;) {
            wheels[i].up_to[part] = sum[i];
            sum[i] -= wheels[i].weight[part];
        }
    }
}

/// Does what assign_values does, but keeps the pool in the registers of a warp. The pool has at most 32 * kParts
/// entries. pool[count - 1 - k] becomes the value of the k-th position. A sum over the lanes takes longer than a
/// choice, but sums for several positions take no longer than the sum for one. So the wheels of several positions are
/// built together. Each chosen value is then removed from the later wheels.
template <uint32_t kParts>
QAPFW_DEVICE void assign_from_registers(const StagedRows& staged, const Scratch& scratch, uint32_t first, uint32_t last,
                                        uint32_t count) {
    constexpr uint32_t kWheels = kParts < 4 ? 4 : 2;  // wheels built together; registers allow no more
    const uint32_t lane = kernels::lane_number();
    uint32_t left = count - first, value[kParts];
    for (uint32_t part = 0; part < kParts; ++part) {
        const uint32_t index = lane * kParts + part;
        value[part] = index < left ? scratch.pool[index] : 0;
    }
    __syncwarp();
    for (uint32_t k = first; k < last; k += kWheels) {
        const uint64_t* rows[kWheels];
        uint32_t word[kWheels];
        for (uint32_t i = 0; i < kWheels; ++i) {
            const uint32_t position = k + i < last ? k + i : k;
            rows[i] = staged(position);
            word[i] = scratch.words[position];
        }
        Wheel<kParts> wheels[kWheels];
        build(wheels, rows, value, left);
        for (uint32_t i = 0; i < kWheels && k + i < last; ++i) {
            const uint32_t moved = entry_of_lanes(value, --left);
            uint64_t weight[kWheels];  // for each later wheel: the weight of the value that moves
            for (uint32_t next = i + 1; next < kWheels; ++next) weight[next] = rows[next][moved];
            const uint32_t chosen = wheels[i].spin(word[i]);
            for (uint32_t part = 0; part < kParts; ++part) {
                const bool taken = lane * kParts + part == chosen;
                if (taken) scratch.pool[left] = static_cast<uint16_t>(value[part]);
                value[part] = taken ? moved : value[part];
            }
            for (uint32_t next = i + 1; next < kWheels; ++next) wheels[next].take(chosen, weight[next]);
        }
    }
    for (uint32_t part = 0; part < kParts; ++part) {
        const uint32_t index = lane * kParts + part;
        if (index < left) scratch.pool[index] = static_cast<uint16_t>(value[part]);
    }
    __syncwarp();
}

constexpr uint32_t kInRegisters = 128;  ///< number of values that a warp can keep in its registers

/// A warp does what assign_values does, but writes the values of the last kInRegisters positions to the pool (see
/// assign_from_registers), not to the child. The fewer values remain to be drawn, the fewer registers the warp uses.
QAPFW_DEVICE void assign_by_warp(const kernels::CunningTables& tables, const StagedRows& rows, const Scratch& scratch,
                                 uint32_t first, uint32_t last, uint32_t count, const kernels::AntDraws& at) {
    const auto position_with = [&](uint32_t left) {
        return count - first <= left ? first : count - last >= left ? last : count - left;
    };
    const uint32_t of_128 = position_with(kInRegisters), of_64 = position_with(64), of_32 = position_with(32);
    kernels::assign_values(WarpPrefix{}, tables, rows, scratch.order, scratch.pool, scratch.child, first, of_128, count,
                           at);
    if (of_128 < of_64) assign_from_registers<4>(rows, scratch, of_128, of_64, count);
    if (of_64 < of_32) assign_from_registers<2>(rows, scratch, of_64, of_32, count);
    if (of_32 < last) assign_from_registers<1>(rows, scratch, of_32, last, count);
}

}  // namespace qapfw::cas
