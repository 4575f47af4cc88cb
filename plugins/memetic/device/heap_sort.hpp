// SPDX-License-Identifier: Apache-2.0
// Heapsort (Williams 1964), for CPU and GPU: one thread sorts in place, in O(n log n) steps.
#pragma once

#include "qapfw/kernels/platform.hpp"

namespace qapfw::memetic {

/// Moves the entry heap[root] down the heap until no child of the entry comes after the entry in the order `before`.
template <class Before>
QAPFW_HD void sift_down(uint32_t* heap, uint32_t root, uint32_t count, const Before& before) {
    const uint32_t moved = heap[root];
    for (uint32_t child = 2 * root + 1; child < count; child = 2 * root + 1) {
        if (child + 1 < count && before(heap[child], heap[child + 1])) ++child;
        if (!before(moved, heap[child])) break;
        heap[root] = heap[child];
        root = child;
    }
    heap[root] = moved;
}

/// Sorts `count` numbers. before(a, b) says whether a comes before b, by a strict order.
template <class Before>
QAPFW_HD void heap_sort(uint32_t* numbers, uint32_t count, const Before& before) {
    for (uint32_t root = count / 2; root-- > 0;) sift_down(numbers, root, count, before);
    for (uint32_t left = count; left-- > 1;) {
        const uint32_t last = numbers[0];
        numbers[0] = numbers[left];
        numbers[left] = last;
        sift_down(numbers, 0, left, before);
    }
}

}  // namespace qapfw::memetic
