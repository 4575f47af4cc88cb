// SPDX-License-Identifier: Apache-2.0
// Sums over pairs for several candidates at once. Each vector lane handles one candidate, so each sum keeps the order
// of kernels/fbs_cost.hpp for any width of vectors. There is one function per instruction set, chosen at run time. The
// sums over rows of flows for bounds are here too; their order of summation is free.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "qapfw/kernels/fbs_view.hpp"

namespace qapfw::uaflp {

enum class VectorLevel { kPlain, kAvx2, kAvx512 };

/// Returns the level of the widest vectors that this processor has.
VectorLevel best_vector_level();
const char* vector_level_name(VectorLevel level);

/// The pairs of departments, ordered by the partial sum (0..31) to which they belong.
template <class Real>
struct PairLanes {
    std::uint32_t begin[kernels::kFbsLanes + 1];  ///< pairs of partial sum l: [begin[l], begin[l + 1])
    const std::uint32_t* pair;                    ///< first | second << 16
    const Real* flow;
    bool euclidean;
    Real inverse_bay_height[2];
    Real bay_height[2];
};

/// The number of candidates that one call evaluates at a level.
template <class Real>
constexpr size_t candidates_per_call(VectorLevel level) {
    const size_t vector_bytes = level == VectorLevel::kAvx512 ? 64 : level == VectorLevel::kAvx2 ? 32 : 16;
    return 2 * vector_bytes / sizeof(Real);
}

/// Computes the sums of FbsSums for G = candidates_per_call candidates. x[d * G + c] and y[d * G + c] are the centroid
/// of department d in candidate c. sums[s * G + c] becomes sum s of candidate c.
template <class Real>
using PairSumFunction = void (*)(const PairLanes<Real>& lanes, const Real* x, const Real* y, Real* sums);

template <class Real>
PairSumFunction<Real> pair_sum_function(VectorLevel level);

/// The sum of flow(d, e) * |y[d] - y[e]| * weight[e] over all d in `departments` and all e. Row d of flows starts at
/// rows[d * stride]. stride, y and weight are padded to a multiple of 8. The order of summation differs between levels.
using RowSumFunction = double (*)(const double* rows, size_t stride, std::span<const std::uint16_t> departments,
                                  const double* y, const double* weight);
RowSumFunction row_sum_function(VectorLevel level);

/// The functions that pair_sum_function and row_sum_function choose from. The end of a name tells the VectorLevel, also
/// in the names of files: the functions *_avx2 are in pair_lanes_avx2.cpp.
template <class Real>
void pair_sums_plain(const PairLanes<Real>& lanes, const Real* x, const Real* y, Real* sums);
template <class Real>
void pair_sums_avx2(const PairLanes<Real>& lanes, const Real* x, const Real* y, Real* sums);
template <class Real>
void pair_sums_avx512(const PairLanes<Real>& lanes, const Real* x, const Real* y, Real* sums);
double row_sum_plain(const double* rows, size_t stride, std::span<const std::uint16_t> departments, const double* y,
                     const double* weight);
double row_sum_avx2(const double* rows, size_t stride, std::span<const std::uint16_t> departments, const double* y,
                    const double* weight);
double row_sum_avx512(const double* rows, size_t stride, std::span<const std::uint16_t> departments, const double* y,
                      const double* weight);

}  // namespace qapfw::uaflp
