// SPDX-License-Identifier: Apache-2.0
// Plain data shared by SwapNeighbourhood, which owns the memory, and its kernels, which are compiled once for each
// instruction set. This file defines no functions: the linker could keep a copy that needs a wider instruction set.
#pragma once

#include <cstddef>
#include <cstdint>

namespace qapfw::qap {

enum class SwapWidth : uint8_t;

/// Unless stated otherwise, an array has `padded` elements of the table's type (int32 or int64). SwapData describes
/// the layouts.
struct SwapView {
    uint32_t n, padded, groups;
    bool has_fixed, has_equals, diagonal;
    int64_t a_diagonal, b_diagonal;
    /// Matrix entries in words [groups][padded], see SwapData::a. A word has 64 bits with SwapWidth::k64, else 32.
    const void *a, *a_transposed;
    void *b, *b_transposed;  ///< words of b, in the order of the current solution
    /// D(i, j) of each pair i < j; the head of swap_data.hpp defines D. An entry is the type's largest value if it
    /// belongs to no pair, if a position of its pair is fixed, or if the pair's facilities or its locations are
    /// interchangeable.
    void* table;
    const size_t* row;
    const void* free;
    const void* diag_a;
    void* diag_b;                   ///< diagonal of b, in the order of the current solution
    const void* linear;             ///< per facility its linear costs by location, n x n; null: no linear costs
    const void* linear_transposed;  ///< per location the linear costs of all facilities, n x padded
    uint32_t* place;                ///< the current solution; used if there are linear costs
    int64_t limit;                  ///< a swap with D >= limit adds forbidden pairs, so it is not made
    const void* class_a;            ///< classes of interchangeable facilities; null without has_equals
    void* class_b;                  ///< classes of interchangeable locations, in the order of the current solution
    void* h;  ///< H_uu: sum over k of a_uk b_uk (if asymmetric, of the transposed matrices too), plus linear costs
    /// The pending rank-1 update of the table; zeros: nothing is pending. Each array has `padded` row parts; if
    /// asymmetric, `padded` column parts follow (those of the transposed matrices). If packed, each element holds both
    /// parts, of 16 bits each.
    void *x, *y;
    /// For the last swap (r, s) and each u: a_ur minus a_diagonal, and b_ur (after the swap) minus b_diagonal. If the
    /// matrices are asymmetric, the same differences of the transposed matrices are added.
    void *near_a, *near_b;
    void *skew_x, *skew_y;  ///< row parts of x minus column parts of x, and the same for y; used if asymmetric
    void *sum, *part, *old;
    void *touched_r, *touched_s;
};

struct ScanQuery {
    const int32_t* expiry;
    const int32_t* latest;  ///< pair_latest of the qapfw_swap_filter; null: no pair is forced
    size_t expiry_stride, latest_stride;
    int32_t iteration, forced_before;
    int64_t aspiration;  ///< in units of D: pairs with D < aspiration are aspired
};

struct ScanResult {
    uint32_t i, j;
    int64_t value;  ///< D of the pair
};

struct SwapKernels {
    /// Computes h and the table from scratch for the current b; nothing is pending afterwards. Returns false, with an
    /// unfinished table, if should_stop (may be null) asked to stop.
    bool (*build)(const SwapView&, int32_t (*should_stop)(void*), void* context);
    /// Adds the pending update in x and y to the table, then finds the best admissible pair. If x and y are zero, the
    /// table does not change. Returns false if no pair is admissible.
    bool (*scan)(const SwapView&, const ScanQuery&, ScanResult&);
    /// Swaps positions r and s; leaves the rank-1 update of the table pending in x and y.
    void (*apply)(const SwapView&, uint32_t r, uint32_t s);
    /// Finds the first pair with D < 0, from (i, j) on in row-major order. No update may be pending.
    bool (*first_improving)(const SwapView&, uint32_t i, uint32_t j, ScanResult&);
};

const SwapKernels* swap_kernels_plain(SwapWidth width, bool asymmetric);
const SwapKernels* swap_kernels_avx2(SwapWidth width, bool asymmetric);
const SwapKernels* swap_kernels_avx512bw(SwapWidth width, bool asymmetric);
const SwapKernels* swap_kernels_avx512(SwapWidth width, bool asymmetric);

}  // namespace qapfw::qap
