// SPDX-License-Identifier: Apache-2.0
// The product of trace_product.hpp with the vectors that the compiler targets. This text is included once by each
// translation unit of an instruction set; everything is local to that unit.
#pragma once

#include <cstring>

#include "problems/qap/costs/trace_product.hpp"

namespace qapfw::qap {
namespace {

template <class Entry>
using VectorOf __attribute__((vector_size(kProductBytes))) = Entry;

/// Computes one column of vectors at a time; its sums stay in registers.
template <class Entry>
void multiply_rows(const Entry* rows, const Entry* matrix, uint32_t n, uint32_t stride, Entry* product) {
    using Vector = VectorOf<Entry>;
    for (uint32_t first = 0; first < stride; first += kProductBytes / sizeof(Entry)) {
        Vector sums[kProductRows] = {};
        for (uint32_t k = 0; k < n; ++k) {
            Vector entries;
            std::memcpy(&entries, matrix + std::size_t{k} * stride + first, sizeof entries);
            for (uint32_t r = 0; r < kProductRows; ++r) sums[r] += rows[std::size_t{r} * stride + k] * entries;
        }
        for (uint32_t r = 0; r < kProductRows; ++r) {
            std::memcpy(product + std::size_t{r} * stride + first, &sums[r], sizeof sums[r]);
        }
    }
}

}  // namespace
}  // namespace qapfw::qap
