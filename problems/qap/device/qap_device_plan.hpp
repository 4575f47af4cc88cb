// SPDX-License-Identifier: Apache-2.0
// Host side: chooses the neighbourhood and the launch shape for an instance. tabu_tuning.hpp has the tables of choices
// that were found by measurements. Every choice gives the same trajectory.
#pragma once

#include <cstdint>

#include "problems/qap/device/tabu_tuning.hpp"

namespace qapfw::qap {

/// Facts about the matrices and linear costs that device code gets. The host has already shifted the values and, where
/// possible, symmetrised the matrices (see qap_problem.cuh).
struct InstanceTraits {
    uint32_t n, movable;
    uint64_t largest_a, largest_b;
    bool symmetric;                         ///< both matrices are symmetric
    bool diagonal;                          ///< costs depend on the diagonals
    uint64_t largest_delta = ~uint64_t{0};  ///< bound of |delta| and of a delta's change by a swap; default: unknown
    uint64_t linear_range = 0;              ///< largest range of a facility's linear costs; 0 if there are none
    bool forbidden = false;                 ///< some pairs are forbidden; deltas include their penalties
    bool whole = false;                     ///< true: deltas must not be halved, because linear costs may be odd
};

enum class ValueType { kFloat, kInt32, kInt64 };

/// The values of the macros of qap_problem.cuh and qap_device_problem.cuh, and hints for the launch of a search. A
/// member marked (tile) is used only if `tile` is true, and a member marked (table) only if `tile` is false.
struct DevicePlan {
    uint32_t element_bytes;  ///< QAP_ELEMENT: 1, 2 or 4
    uint32_t planes;         ///< QAP_PLANES
    ValueType value;         ///< QAP_VALUE
    bool tile;               ///< true: pairs are assigned by tiles; false: by the table (macro QAP_ASSIGNMENT)
    uint32_t warps;          ///< QAP_WARPS
    uint32_t teams;          ///< number of searches of one CUDA block
    uint32_t blocks;         ///< number of CUDA blocks that a multiprocessor should hold (for __launch_bounds__)
    bool recompute;          ///< QAP_RECOMPUTE (tile)
    bool together;           ///< QAP_TOGETHER (tile)
    bool alone;              ///< QAP_ALONE (tile)
    bool linear_shared;      ///< QAP_LINEAR_SHARED (tile)
    /// QAP_SHARED_BYTES: bytes of shared memory for a CUDA block (table) or for one search's neighbourhood (tile).
    uint64_t shared_bytes;
    uint64_t matrix_bytes;  ///< bytes of shared memory that the matrices take in a CUDA block (tile)
    uint64_t search_bytes;  ///< bytes of shared memory that a search takes besides tabu memory, roughly (tile)
};

/// Deltas are stored in 32 bits if every |delta|, and every change of a delta by a swap, is proven to be below this
/// number. If pairs are forbidden, deltas always have 64 bits.
inline constexpr uint64_t kNarrowDeltas = uint64_t{1} << 31;

/// A bound above every |delta| and every intermediate sum of the kernels, in the unit of internal deltas.
inline double delta_bound(const InstanceTraits& traits) {
    const double unit = !traits.symmetric || traits.diagonal ? 4 : traits.whole ? 2 : 1;
    return (static_cast<double>(traits.n) + 16) * static_cast<double>(traits.largest_a) *
               static_cast<double>(traits.largest_b) * unit +
           4 * static_cast<double>(traits.linear_range);
}

inline uint32_t bytes_of(uint64_t value) {
    return value < 256 ? 1 : value < 65536 ? 2 : value < (1u << 24) ? 3 : 4;
}

/// The value of QAP_ROW: n, rounded up so that rows begin at multiples of 16 bytes. The reason is that kernels with
/// tables of deltas read 16 bytes of a row at a time.
inline uint32_t row_elements(uint32_t n, uint32_t element_bytes) {
    const uint32_t together = 16 / element_bytes;
    return (n + together - 1) / together * together;
}

/// Bytes of shared memory. kReservedBytes: what the driver reserves for each CUDA block. kRecordBytes: room for
/// TabuSearch::Shared of one search.
inline constexpr uint64_t kReservedBytes = 1024, kRecordBytes = 1536;

/// Number of bytes of one linear cost, in the form that deltas use.
inline uint32_t linear_bytes(const DevicePlan& plan, const InstanceTraits& traits) {
    if (traits.linear_range < 65536) return bytes_of(traits.linear_range);
    return plan.value == ValueType::kInt64 ? 8 : 4;
}

/// Number of bytes of shared memory that all linear costs take, in rows of an odd number of words (see
/// qap_matrices.cuh).
inline uint64_t linear_shared_bytes(const DevicePlan& plan, const InstanceTraits& traits) {
    return traits.n * ((uint64_t{traits.n} * linear_bytes(plan, traits) + 3) / 4 | 1) * 4;
}

/// For runs with at most `per_multiprocessor` searches on each multiprocessor: gives each search more warps. Does
/// nothing if `plan` has room for at most `per_multiprocessor` searches on a multiprocessor, or if a search would get
/// fewer warps.
inline void spread_out(DevicePlan& plan, const InstanceTraits& traits, const LatencyTuning& tuning,
                       uint32_t per_multiprocessor) {
    const uint32_t warps = value_for(tuning.warps, traits.movable), room = tuning.resident / per_multiprocessor;
    const uint32_t possible = warps < room ? warps : room;
    if (plan.teams * plan.blocks <= per_multiprocessor || possible < plan.warps) return;
    plan.warps = possible;
    plan.teams = 1;
    plan.blocks = per_multiprocessor;
    plan.recompute = false;
    plan.together = true;
    plan.alone = per_multiprocessor <= tuning.alone_searches && possible * per_multiprocessor <= tuning.alone_warps;
}

/// Bytes of a delta.
inline uint32_t delta_bytes(const DevicePlan& plan) {
    return plan.value == ValueType::kInt64 ? 8 : 4;
}

/// Number of copies of each matrix on the device: 1, or 2 if the transposed matrix is kept too.
inline uint32_t sides_of(const InstanceTraits& traits) {
    return traits.symmetric ? 1 : 2;
}

/// Bytes of shared memory that a search's tabu memory takes.
inline uint64_t tabu_bytes(const InstanceTraits& traits) {
    return 2ull * traits.movable * (traits.n + 3);
}

/// Chooses the types of entries and deltas.
inline void choose_types(DevicePlan& plan, const InstanceTraits& traits) {
    plan.planes = bytes_of(traits.largest_a > traits.largest_b ? traits.largest_a : traits.largest_b);
    plan.element_bytes = plan.planes == 3 ? 4 : plan.planes;
    const double bound = delta_bound(traits);
    plan.value = bound < 16777216.0 ? ValueType::kFloat : bound < 2147483648.0 ? ValueType::kInt32 : ValueType::kInt64;
    // Partial sums in 32 bits may wrap around: the delta is still right if it fits 32 bits itself.
    if (plan.value == ValueType::kInt64 && traits.largest_delta < kNarrowDeltas) plan.value = ValueType::kInt32;
    if (traits.forbidden) plan.value = ValueType::kInt64;
}

/// Decides whether tiles are used, and computes the shared memory that tiles take.
inline void choose_tile(DevicePlan& plan, const InstanceTraits& traits, const TileTuning& tuning,
                        uint64_t shared_bytes) {
    const uint32_t n = traits.n, sides = sides_of(traits), value_bytes = delta_bytes(plan);
    const uint64_t row_bytes = (((n + 15) / 16) | 1u) * 16ull;
    plan.matrix_bytes = 2ull * sides * plan.planes * (n * row_bytes + 32);
    plan.search_bytes = (3ull * n / 2 + 16) * (2 + 2 * sides) * value_bytes * 2 + 12ull * n * sides * plan.planes +
                        n * 10 * value_bytes / 4 + 4096;
    const uint32_t largest = plan.value == ValueType::kInt64 ? tuning.largest_wide_n : tuning.largest_n;
    plan.tile = n <= largest && plan.matrix_bytes + plan.search_bytes + tabu_bytes(traits) <= shared_bytes;
}

/// Plans a launch with the deltas in a table.
inline void plan_table(DevicePlan& plan, const InstanceTraits& traits, const TableTuning& tuning, uint64_t shared_bytes,
                       uint32_t per_multiprocessor) {
    const bool alone = traits.n > tuning.shared_until_n || per_multiprocessor == 1;
    plan.warps = alone ? value_for(tuning.alone_warps, traits.n) : value_for(tuning.warps, traits.n);
    plan.teams = 1;
    plan.blocks = alone ? 1 : 2;
    plan.shared_bytes = shared_bytes / plan.blocks - kReservedBytes;
}

/// The number of warps that a multiprocessor should hold.
inline uint32_t resident_warps(const DevicePlan& plan, const InstanceTraits& traits, const TileTuning& tuning) {
    const uint32_t m = traits.movable, lanes = 32 * plan.warps, words = delta_bytes(plan) / 4 + 1;
    // A thread needs registers for each of its pairs, and for everything else. Each pair takes the registers of its
    // delta and one register for the word that the search stores with the pair.
    const uint64_t slots = (static_cast<uint64_t>(m) * m / 2 + lanes - 1) / lanes;
    const uint64_t registers = slots * words + (traits.symmetric ? tuning.registers : tuning.registers_asymmetric);
    const ResidentWarps* row = tuning.resident;
    while (m > row->most_movable || registers > row->most_registers ||
           (!row->wide_too && plan.value == ValueType::kInt64))
        ++row;
    return row->warps;
}

/// Plans a launch with tiles. A multiprocessor runs as many searches as the tuning says, or fewer if a CUDA block has
/// too little shared memory for them.
inline void plan_tile(DevicePlan& plan, const InstanceTraits& traits, const TileTuning& tuning, uint64_t shared_bytes) {
    plan.warps = value_for(tuning.warps, traits.movable);
    plan.teams = value_for(tuning.teams, plan.warps);
    const uint32_t blocks = resident_warps(plan, traits, tuning) / (plan.warps * plan.teams);
    plan.blocks = blocks > 0 ? blocks : 1;
    plan.recompute = traits.movable > tuning.recompute_above && (plan.blocks > 1 || !traits.symmetric);
    plan.together = plan.planes <= tuning.together_planes && plan.value != ValueType::kInt64 &&
                    (!plan.recompute || plan.blocks == 1);
    while (plan.teams > 1 && plan.matrix_bytes + plan.teams * (plan.search_bytes + tabu_bytes(traits)) > shared_bytes)
        --plan.teams;
}

/// Splits the shared memory of a launch with tiles. Drops QAP_ALONE if its extra memory does not fit, and decides
/// whether linear costs lie in shared memory.
inline void share_memory(DevicePlan& plan, const InstanceTraits& traits, uint64_t shared_bytes) {
    const uint32_t n = traits.n, sides = sides_of(traits), value_bytes = delta_bytes(plan);
    // Bytes of StraightShared, plus those of the spare entries. Each array to which a swap writes has spare entries.
    const uint64_t straight_bytes = (3ull * n / 2 + 16) * (2 * sides * value_bytes + 4) +
                                    32ull * plan.warps * (value_bytes * (8 + 2 * sides) + 4 + 16 * sides);
    const uint64_t of_block = (shared_bytes + kReservedBytes) / plan.blocks - kReservedBytes;
    plan.alone = plan.alone && plan.matrix_bytes + plan.search_bytes + straight_bytes + tabu_bytes(traits) <= of_block;
    const uint64_t of_search = plan.search_bytes + tabu_bytes(traits) + (plan.alone ? straight_bytes : 0),
                   of_matrices = plan.matrix_bytes + 2 * n * value_bytes, linear = linear_shared_bytes(plan, traits);
    plan.linear_shared = traits.linear_range > 0 && linear_bytes(plan, traits) <= 4 &&
                         of_matrices + linear + plan.teams * of_search <= of_block;
    // The matrices, linear costs, tabu memories and records take their part of the CUDA block's shared memory. The
    // neighbourhoods of the searches get the rest in equal parts.
    const uint64_t taken =
        of_matrices + (plan.linear_shared ? linear : 0) + plan.teams * (tabu_bytes(traits) + kRecordBytes);
    plan.shared_bytes = of_block > taken ? (of_block - taken) / plan.teams : 0;
}

/// The plan for an instance. A CUDA block may use `shared_bytes` of shared memory (232448 on an H200). At most
/// `per_multiprocessor` searches run on each multiprocessor (0: as many as fit).
inline DevicePlan plan_for(const InstanceTraits& traits, uint64_t shared_bytes, uint32_t per_multiprocessor = 0,
                           const TabuTuning& tuning = kHopper) {
    DevicePlan plan{};
    choose_types(plan, traits);
    choose_tile(plan, traits, tuning.tile, shared_bytes);
    if (!plan.tile) {
        plan_table(plan, traits, tuning.table, shared_bytes, per_multiprocessor);
        return plan;
    }
    plan_tile(plan, traits, tuning.tile, shared_bytes);
    if (per_multiprocessor > 0) spread_out(plan, traits, tuning.latency, per_multiprocessor);
    share_memory(plan, traits, shared_bytes);
    return plan;
}

}  // namespace qapfw::qap
