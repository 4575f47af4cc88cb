// SPDX-License-Identifier: Apache-2.0
// The order in which a search checks the moves of an FBS solution (FBS: flexible bay structure), for host and device.
// The order is a walk over the indices of one or several kinds of moves: start + k * stride modulo the number of moves.
// The stride and the number of moves have no common divisor but 1. So the walk visits every move, without a list.
#pragma once

#include "plugins/fbs_local_search/device/fbs_neighbourhood.hpp"
#include "qapfw/kernels/philox.hpp"

namespace qapfw::kernels {

/// All moves of some kinds.
struct FbsMoveRange {
    uint32_t departments;
    uint32_t kind_count;
    uint32_t kinds[kFbsMoveKinds];
};

QAPFW_HD uint64_t fbs_range_size(const FbsMoveRange& range) {
    uint64_t size = 0;
#if defined(__CUDA_ARCH__)
#pragma unroll 1  // the loop has at most kFbsMoveKinds passes, so unrolling would gain little
#endif
    for (uint32_t k = 0; k < range.kind_count; ++k) size += fbs_move_count(range.kinds[k], range.departments);
    return size;
}

/// Move number `index` (below fbs_range_size).
QAPFW_HD FbsMove fbs_range_move(const FbsMoveRange& range, uint64_t index) {
    uint32_t k = 0;
#if defined(__CUDA_ARCH__)
#pragma unroll 1  // the loop has at most kFbsMoveKinds passes, so unrolling would gain little
#endif
    for (; k + 1 < range.kind_count; ++k) {
        const uint32_t count = fbs_move_count(range.kinds[k], range.departments);
        if (index < count) break;
        index -= count;
    }
    return fbs_move_at(range.kinds[k], static_cast<uint32_t>(index), range.departments);
}

/// An endless walk over 0..size-1: every lap has the same order.
struct FbsCyclicOrder {
    uint64_t size;
    uint64_t at;  ///< the next index
    uint64_t stride;

    QAPFW_HD void advance() {
        at += stride;
        if (at >= size) at -= size;
    }
};

QAPFW_HD FbsCyclicOrder fbs_ascending_order(uint64_t size) {
    return FbsCyclicOrder{size, 0, 1};
}

QAPFW_HD bool fbs_have_common_divisor(uint64_t a, uint64_t b) {
    while (b != 0) {
        const uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a != 1;
}

/// Returns a walk over 0..size-1. Word 0 draws where the walk starts; word 1 draws its stride. `size` is below 2^32.
QAPFW_HD FbsCyclicOrder fbs_random_order(uint64_t size, const Philox4& words) {
    if (size < 3) return fbs_ascending_order(size);
    const uint32_t range = static_cast<uint32_t>(size);
    uint64_t stride = 1 + below(words.word[1], range - 1);
    while (fbs_have_common_divisor(stride, size)) ++stride;
    return FbsCyclicOrder{size, below(words.word[0], range), stride % size};
}

/// True if a move changes no fixed position. `fixed_before[k]`, k = 0..n: the number of fixed positions before
/// position k.
template <class Solution>
QAPFW_HD bool fbs_is_free(const Solution& s, uint32_t n, const uint32_t* fixed_before, const FbsMove& move) {
    uint32_t first = move.first;
    uint32_t last = move.second;
    switch (move.kind) {
        case kFbsMoveSwap:
            return fixed_before[first] == fixed_before[first + 1] && fixed_before[last] == fixed_before[last + 1];
        case kFbsMoveInsert:
            if (first == last) return true;
            if (first > last) {
                first = move.second;
                last = move.first;
            }
            break;
        case kFbsMoveSwapBays:
            first = fbs_bay(s, n, move.first).begin;
            last = fbs_bay(s, n, move.second).end - 1;
            break;
        default:
            return true;  // the move changes only bits
    }
    return fixed_before[first] == fixed_before[last + 1];
}

}  // namespace qapfw::kernels
