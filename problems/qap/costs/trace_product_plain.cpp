// SPDX-License-Identifier: Apache-2.0
// The products of the trace formulation on the vectors that every processor has.
#include "problems/qap/costs/trace_product_kernel.hpp"

namespace qapfw::qap {

template <class Entry>
RowProduct<Entry> row_product_plain() {
    return multiply_rows<Entry>;
}

template RowProduct<int16_t> row_product_plain<int16_t>();
template RowProduct<int32_t> row_product_plain<int32_t>();
template RowProduct<int64_t> row_product_plain<int64_t>();

}  // namespace qapfw::qap
