// SPDX-License-Identifier: Apache-2.0
// The swap neighbourhood on AVX-512 without VNNI. Compile with
// -mavx512f -mavx512bw -mavx512dq -mavx512vl -mprefer-vector-width=512.
#include "problems/qap/neighbourhood/swap_neighbourhood_vectors_avx512.hpp"

#include "problems/qap/neighbourhood/swap_neighbourhood_kernel.hpp"

namespace qapfw::qap {

const SwapKernels* swap_kernels_avx512bw(SwapWidth width, bool asymmetric) {
    return kernels<Avx512Int32, Avx512Int64<false>, Avx512Int64<true>>(width, asymmetric);
}

}  // namespace qapfw::qap
