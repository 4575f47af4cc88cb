// SPDX-License-Identifier: Apache-2.0
// The swap neighbourhood on AVX-512 with VNNI. Compile with
// -mavx512f -mavx512bw -mavx512dq -mavx512vl -mavx512vnni -mprefer-vector-width=512.
#include "problems/qap/neighbourhood/swap_neighbourhood_vectors_avx512.hpp"

#include "problems/qap/neighbourhood/swap_neighbourhood_kernel.hpp"

namespace qapfw::qap {

const SwapKernels* swap_kernels_avx512(SwapWidth width, bool asymmetric) {
    switch (width) {
        case SwapWidth::k8:
            return kernels_of<Avx512Int32, SwapWidth::k8>(asymmetric);
        case SwapWidth::k16:
            return kernels_of<Avx512Int32, SwapWidth::k16>(asymmetric);
        case SwapWidth::k16Wide:
            return kernels_of<Avx512Int32, SwapWidth::k16Wide>(asymmetric);
        default:  // VNNI multiplies only bytes and shorts
            return swap_kernels_avx512bw(width, asymmetric);
    }
}

}  // namespace qapfw::qap
