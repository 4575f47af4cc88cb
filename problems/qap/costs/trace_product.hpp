// SPDX-License-Identifier: Apache-2.0
// Products of some rows with a matrix, for the trace formulation. Each instruction set has a translation unit.
#pragma once

#include <cstdint>

namespace qapfw::qap {

constexpr uint32_t kProductRows = 4;    ///< rows that are multiplied together
constexpr uint32_t kProductBytes = 32;  ///< rows are whole vectors of this many bytes

/// product = rows * matrix, for kProductRows rows. All rows are `stride` entries apart, and `matrix` has n rows. No
/// entry of the product, and no partial sum on the way to it, may overflow.
template <class Entry>
using RowProduct = void (*)(const Entry* rows, const Entry* matrix, uint32_t n, uint32_t stride, Entry* product);

/// The function for entries of 16, 32 and 64 bits.
template <class Entry>
RowProduct<Entry> row_product_plain();
template <class Entry>
RowProduct<Entry> row_product_avx2();

}  // namespace qapfw::qap
