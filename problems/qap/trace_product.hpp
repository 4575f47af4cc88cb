// SPDX-License-Identifier: Apache-2.0
// Products of some rows with a matrix, for the trace formulation; a translation unit for each instruction set.
#pragma once

#include <cstdint>

namespace qapfw::qap {

constexpr uint32_t kProductRows = 4;    ///< rows multiplied together
constexpr uint32_t kProductBytes = 32;  ///< rows are whole vectors of so many bytes

/// product = rows * matrix, for kProductRows rows; all rows lie `stride` entries apart, and `matrix` has n of them. No
/// entry of the product, and no partial sum on the way to it, may overflow.
template <class Entry>
using RowProduct = void (*)(const Entry* rows, const Entry* matrix, uint32_t n, uint32_t stride, Entry* product);

/// For entries of 16, 32 and 64 bits.
template <class Entry>
RowProduct<Entry> row_product_plain();
template <class Entry>
RowProduct<Entry> row_product_avx2();

}  // namespace qapfw::qap
