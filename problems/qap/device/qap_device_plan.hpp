// SPDX-License-Identifier: Apache-2.0
// Host side: which neighbourhood and which launch shape suit an instance. Rates behind these choices were measured on
// one H200, see docs/notebook/tabu-search-on-gpus.md; every choice gives the same trajectory.
#pragma once

#include <cstdint>

namespace qapfw::qap {

/// What the host knows about the instance after it has shifted negative values and symmetrised the matrices (see
/// qap_problem.cuh).
struct InstanceTraits {
    uint32_t n, movable;
    uint64_t largest_a, largest_b;
    bool symmetric;                         ///< both matrices are symmetric
    bool diagonal;                          ///< both diagonals have values other than 0
    uint64_t largest_delta = ~uint64_t{0};  ///< a proven bound of every |delta| and of its change, if there is one
    uint64_t linear_range = 0;              ///< of the linear costs of a facility; 0 without any
    bool forbidden = false;                 ///< some pairs are forbidden: deltas have their penalties
    bool whole = false;                     ///< deltas are not halved although they could be
};

enum class ValueType { kFloat, kInt32, kInt64 };

/// The values of the macros of qap_problem.cuh and qap_device_problem.cuh, and hints for the launch of a search.
struct DevicePlan {
    uint32_t element_bytes;  ///< QAP_ELEMENT: 1, 2 or 4
    uint32_t planes;         ///< QAP_PLANES
    ValueType value;         ///< QAP_VALUE
    bool tile;               ///< QAP_ASSIGNMENT: tile, else table
    uint32_t warps;          ///< QAP_WARPS
    uint32_t teams;          ///< searches of one CUDA block
    uint32_t blocks;         ///< CUDA blocks that a multiprocessor should hold: the register limit of __launch_bounds__
    bool recompute;          ///< QAP_RECOMPUTE
    bool together;           ///< QAP_TOGETHER
    bool alone;              ///< QAP_ALONE
    /// QAP_SHARED_BYTES: for a CUDA block (table) or for the neighbourhood of one search (tile).
    uint64_t shared_bytes;
    uint64_t matrix_bytes;  ///< shared memory that the matrices take in a CUDA block (tile)
    uint64_t search_bytes;  ///< shared memory of a search without its tabu memory, approximately (tile)
};

/// Deltas below it are kept in 32 bits.
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

/// QAP_ROW: a table reads rows of matrices by 16 bytes, so rows begin at multiples of 16 bytes.
inline uint32_t row_elements(uint32_t n, uint32_t element_bytes) {
    const uint32_t together = 16 / element_bytes;
    return (n + together - 1) / together * together;
}

/// The warps of a search that has a multiprocessor, or a large part of it, for itself. The latency of an iteration then
/// decides, and more warps help until barriers cost more than the smaller tiles save.
inline uint32_t warps_for_latency(uint32_t movable) {
    return movable <= 16 ? 1 : movable <= 70 ? 4 : 8;
}

/// Changes the plan for few searches: each multiprocessor has at most `per_multiprocessor` of them although more would
/// fit.
inline void spread_out(DevicePlan& plan, const InstanceTraits& traits, uint32_t per_multiprocessor) {
    constexpr uint32_t kResidentWarps = 16;
    const uint32_t warps = warps_for_latency(traits.movable), room = kResidentWarps / per_multiprocessor;
    const uint32_t possible = warps < room ? warps : room;
    if (plan.teams * plan.blocks <= per_multiprocessor || possible < plan.warps) return;
    plan.warps = possible;
    plan.teams = 1;
    plan.blocks = per_multiprocessor;
    plan.recompute = false;
    plan.together = true;
    // Otherwise there are too few registers.
    plan.alone = per_multiprocessor <= 2 && possible * per_multiprocessor <= 8;
}

/// The plan for an instance. A CUDA block may use `shared_bytes` of shared memory (232448 on an H200). At most
/// `per_multiprocessor` searches run on each multiprocessor (0: as many as fit).
inline DevicePlan plan_for(const InstanceTraits& traits, uint64_t shared_bytes, uint32_t per_multiprocessor = 0) {
    DevicePlan plan{};
    const uint32_t n = traits.n;
    plan.planes = bytes_of(traits.largest_a > traits.largest_b ? traits.largest_a : traits.largest_b);
    plan.element_bytes = plan.planes == 3 ? 4 : plan.planes;
    const double bound = delta_bound(traits);
    plan.value = bound < 16777216.0 ? ValueType::kFloat : bound < 2147483648.0 ? ValueType::kInt32 : ValueType::kInt64;
    // Integer sums may wrap as long as the delta itself fits.
    if (plan.value == ValueType::kInt64 && traits.largest_delta < kNarrowDeltas) plan.value = ValueType::kInt32;
    if (traits.forbidden) plan.value = ValueType::kInt64;
    const uint32_t sides = traits.symmetric ? 1 : 2;
    const uint64_t row_bytes = (((n + 15) / 16) | 1u) * 16ull;
    plan.matrix_bytes = 2ull * sides * plan.planes * (n * row_bytes + 32);
    const uint64_t value_bytes = plan.value == ValueType::kInt64 ? 8 : 4;
    plan.search_bytes = (3ull * n / 2 + 16) * (2 + 2 * sides) * value_bytes * 2 + 12ull * n * sides * plan.planes +
                        n * 10 * value_bytes / 4 + 4096;
    plan.tile = n <= 200 && plan.value != ValueType::kInt64 &&
                plan.matrix_bytes + plan.search_bytes + 2ull * traits.movable * (n + 3) <= shared_bytes;
    if (plan.value == ValueType::kInt64)
        plan.tile = n <= 100 && plan.matrix_bytes + plan.search_bytes + 2ull * traits.movable * (n + 3) <= shared_bytes;
    if (!plan.tile) {
        // Two searches on a multiprocessor hide each other's waits, if half of the shared memory holds most of a table.
        const bool alone = n > 310 || per_multiprocessor == 1;
        plan.warps = n <= 64 ? 8 : n <= 200 || alone ? 16 : n <= 230 ? 8 : 12;
        plan.teams = 1;
        plan.blocks = alone ? 1 : 2;
        plan.shared_bytes = shared_bytes / plan.blocks - 1024;
        return plan;
    }
    const uint32_t m = traits.movable;
    plan.warps = m <= 48 ? 1 : m <= 90 ? 2 : m <= 110 ? 4 : 8;
    plan.teams = plan.warps == 1 ? 4 : plan.warps <= 4 ? 2 : 1;
    // Registers: the delta and the word of each pair that a thread owns, and about 50 more (80 if there are row parts
    // and column parts).
    const uint64_t slots = (static_cast<uint64_t>(m) * m / 2 + 32 * plan.warps - 1) / (32 * plan.warps);
    const uint64_t registers = slots * (value_bytes / 4 + 1) + (traits.symmetric ? 44 : 80);
    const uint32_t resident = m <= 16                                      ? 32
                              : m <= 24 && plan.value != ValueType::kInt64 ? 24
                              : m <= 32 && registers <= 96                 ? 20
                              : registers <= 136                           ? 16
                              : registers <= 170                           ? 12
                                                                           : 8;
    plan.blocks = resident / (plan.warps * plan.teams) > 0 ? resident / (plan.warps * plan.teams) : 1;
    plan.recompute = m > 110 && (plan.blocks > 1 || !traits.symmetric);
    plan.together = plan.planes <= 2 && plan.value != ValueType::kInt64 && (!plan.recompute || plan.blocks == 1);
    while (plan.teams > 1 && plan.matrix_bytes + plan.teams * (plan.search_bytes + 2ull * m * (n + 3)) > shared_bytes)
        --plan.teams;
    if (per_multiprocessor > 0) spread_out(plan, traits, per_multiprocessor);
    // StraightShared, and the spare entries of everything that a swap writes.
    const uint64_t straight_bytes = (3ull * n / 2 + 16) * (2 * sides * value_bytes + 4) +
                                    32ull * plan.warps * (value_bytes * (8 + 2 * sides) + 4 + 16 * sides);
    const uint64_t of_block = (shared_bytes + 1024) / plan.blocks - 1024;
    plan.alone = plan.alone && plan.matrix_bytes + plan.search_bytes + straight_bytes + 2ull * m * (n + 3) <= of_block;
    // What is left beside the matrices and diagonals, and beside the tabu memory and the record of each search.
    const uint64_t taken = plan.matrix_bytes + 2 * n * value_bytes + plan.teams * (2ull * m * (n + 3) + 1536);
    plan.shared_bytes = of_block > taken ? (of_block - taken) / plan.teams : 0;
    return plan;
}

}  // namespace qapfw::qap
