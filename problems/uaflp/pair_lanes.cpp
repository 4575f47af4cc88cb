// SPDX-License-Identifier: Apache-2.0
// Chooses the instruction set at run time.
#include "problems/uaflp/pair_lanes.hpp"

namespace qapfw::uaflp {

VectorLevel best_vector_level() {
    static const VectorLevel level = [] {
        __builtin_cpu_init();
        if (__builtin_cpu_supports("avx512f")) return VectorLevel::kAvx512;
        if (__builtin_cpu_supports("avx2")) return VectorLevel::kAvx2;
        return VectorLevel::kPlain;
    }();
    return level;
}

const char* vector_level_name(VectorLevel level) {
    return level == VectorLevel::kAvx512 ? "AVX-512" : level == VectorLevel::kAvx2 ? "AVX2" : "SSE2";
}

template <class Real>
PairSumFunction<Real> pair_sum_function(VectorLevel level) {
    switch (level) {
        case VectorLevel::kAvx512:
            return pair_sums_avx512<Real>;
        case VectorLevel::kAvx2:
            return pair_sums_avx2<Real>;
        default:
            return pair_sums_plain<Real>;
    }
}

template PairSumFunction<double> pair_sum_function<double>(VectorLevel);
template PairSumFunction<float> pair_sum_function<float>(VectorLevel);

RowSumFunction row_sum_function(VectorLevel level) {
    switch (level) {
        case VectorLevel::kAvx512:
            return row_sum_avx512;
        case VectorLevel::kAvx2:
            return row_sum_avx2;
        default:
            return row_sum_plain;
    }
}

}  // namespace qapfw::uaflp
