// SPDX-License-Identifier: Apache-2.0
// Host side: choices of qap_device_plan.hpp that were measured, not derived; one set for each kind of GPU. These
// choices change only the speed of a search on a GPU, never its trajectory. bench/tune_gpu.sh measures them again on a
// machine's GPU.
#pragma once

#include <cstddef>
#include <cstdint>

namespace qapfw::qap {

inline constexpr uint32_t kAnySize = ~uint32_t{0};

/// An entry of a table that gives a value for each size.
struct BySize {
    uint32_t most;   ///< largest size to which the entry applies; kAnySize in the last entry of a table
    uint32_t value;  ///< value for sizes up to `most`, but above the `most` of the entry before
};

/// The value for `size`: that of the first entry whose `most` is at least `size`.
template <std::size_t N>
constexpr uint32_t value_for(const BySize (&table)[N], uint32_t size) {
    std::size_t k = 0;
    while (size > table[k].most) ++k;
    return table[k].value;
}

/// One entry of a table. It tells how many warps a multiprocessor should hold if the searches are within the entry's
/// limits.
struct ResidentWarps {
    uint32_t most_movable;    ///< largest number of facilities that are not fixed
    uint32_t most_registers;  ///< largest number of registers per thread
    bool wide_too;            ///< true if the entry also applies to deltas of 64 bits
    uint32_t warps;
};

/// Choices for searches whose pairs are dealt to threads as tiles, with deltas in registers.
struct TileTuning {
    uint32_t largest_n, largest_wide_n;  ///< largest n for tiles with deltas of 32 and of 64 bits
    BySize warps[4];                     ///< number of warps of a search, by number of movable facilities
    BySize teams[3];                     ///< number of searches in a CUDA block, by number of warps of a search
    /// Registers of a thread in addition to those for its pairs: for symmetric and for asymmetric instances.
    uint32_t registers, registers_asymmetric;
    ResidentWarps resident[6];  ///< the first entry applies whose limits the searches do not exceed
    uint32_t recompute_above;   ///< QAP_RECOMPUTE is used only with more free facilities than this
    /// If as many searches run as fit, QAP_TOGETHER is used only with matrix entries of at most this many bytes.
    uint32_t together_planes;
};

/// Choices for a multiprocessor that has room for more searches than it runs. Then the time of one iteration matters.
/// More warps per search mean smaller tiles and a shorter iteration, until barriers cost more time than the smaller
/// tiles save.
struct LatencyTuning {
    BySize warps[3];    ///< number of warps of a search, by number of movable facilities
    uint32_t resident;  ///< largest number of warps that run on a multiprocessor
    /// Largest numbers of searches and of warps on a multiprocessor for QAP_ALONE: with more, registers do not suffice.
    uint32_t alone_searches, alone_warps;
};

/// Choices for searches that keep their deltas in a table in memory.
struct TableTuning {
    BySize warps[4];          ///< number of warps by n, for a search that shares its multiprocessor with another
    BySize alone_warps[2];    ///< number of warps by n, for a search that has a multiprocessor for itself
    uint32_t shared_until_n;  ///< largest n for which two searches share a multiprocessor. One runs while the other
                              ///< waits. Each gets half of the shared memory, which holds most of its table
};

/// All choices for a GPU.
struct TabuTuning {
    TileTuning tile;
    LatencyTuning latency;
    TableTuning table;
};

/// The choices for Hopper. They follow from measurements on one H200, see docs/notebook/tabu-search-on-gpus.md.
inline constexpr TabuTuning kHopper{
    .tile{.largest_n = 200,
          .largest_wide_n = 100,
          .warps{{48, 1}, {90, 2}, {110, 4}, {kAnySize, 8}},
          .teams{{1, 4}, {4, 2}, {kAnySize, 1}},
          .registers = 44,
          .registers_asymmetric = 80,
          .resident{{16, kAnySize, true, 32},
                    {24, kAnySize, false, 24},
                    {32, 96, true, 20},
                    {kAnySize, 136, true, 16},
                    {kAnySize, 170, true, 12},
                    {kAnySize, kAnySize, true, 8}},
          .recompute_above = 110,
          .together_planes = 2},
    .latency{.warps{{16, 1}, {70, 4}, {kAnySize, 8}}, .resident = 16, .alone_searches = 2, .alone_warps = 8},
    .table{.warps{{64, 8}, {200, 16}, {230, 8}, {kAnySize, 12}},
           .alone_warps{{64, 8}, {kAnySize, 16}},
           .shared_until_n = 310}};

/// Ampere and Ada use Hopper's values, since nothing was measured on Ampere and Ada GPUs yet.
inline constexpr TabuTuning kAmpere = kHopper, kAda = kHopper;

}  // namespace qapfw::qap
