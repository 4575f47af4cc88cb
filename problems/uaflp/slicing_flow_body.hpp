// SPDX-License-Identifier: Apache-2.0
// The body of slicing_flow_*. This file is included once for each instruction set. Each file that includes it defines
// these macros: QAPFW_TARGET (a function attribute, so that no file needs compiler flags of its own),
// QAPFW_VECTOR_BYTES, QAPFW_SLICING_FLOW (the function's name) and QAPFW_SQRT_PD (an intrinsic). This file has no
// include guard on purpose. Products and sums are separate operations: compile with -ffp-contract=off.

#include <immintrin.h>

#include <cstring>

#include "problems/uaflp/slicing_flow.hpp"
#include "qapfw/kernels/slicing_cost.hpp"

namespace qapfw::uaflp {
namespace {

typedef double SlicingLanes __attribute__((vector_size(QAPFW_VECTOR_BYTES)));
typedef std::int64_t SlicingWords __attribute__((vector_size(QAPFW_VECTOR_BYTES)));
constexpr std::uint32_t kSlicingWidth = QAPFW_VECTOR_BYTES / sizeof(double);
constexpr std::uint32_t kSlicingParts = kernels::kSlicingBlock / kSlicingWidth;
constexpr std::int64_t kSlicingNoSign = 0x7FFFFFFFFFFFFFFF;

/// Sets out[k] to the distance between the coordinates `one` and others[k].
QAPFW_TARGET inline void slicing_distance(double one, const double* others, SlicingLanes& out) {
    SlicingLanes at;
    std::memcpy(&at, others, sizeof at);
    out = reinterpret_cast<SlicingLanes>(reinterpret_cast<SlicingWords>(one - at) & kSlicingNoSign);
}

/// Adds flow * distance of `kRows` rows, from row `first` on, to `sums`. Each row has its own sums, so the processor
/// can add the terms of several rows at the same time.
template <bool kEuclidean, std::uint32_t kRows>
QAPFW_TARGET inline void slicing_add_rows(const kernels::SlicingView& view, const double* x, const double* y,
                                          std::uint32_t first, SlicingLanes (&sums)[4][kSlicingParts]) {
    const double* const flow = view.flow + std::size_t{first} * view.stride;
    for (std::uint32_t j = first / kernels::kSlicingBlock * kernels::kSlicingBlock; j < view.stride;
         j += kernels::kSlicingBlock) {
        for (std::uint32_t part = 0; part < kSlicingParts; ++part) {
            const std::uint32_t at = j + part * kSlicingWidth;
            for (std::uint32_t r = 0; r < kRows; ++r) {
                SlicingLanes amount, dx, dy;
                std::memcpy(&amount, flow + r * view.stride + at, sizeof amount);
                slicing_distance(x[first + r], x + at, dx);
                slicing_distance(y[first + r], y + at, dy);
                if constexpr (kEuclidean) {
                    dx = dx * dx + dy * dy;
                    dx = QAPFW_SQRT_PD(dx);
                } else {
                    dx = dx + dy;
                }
                sums[r][part] += amount * dx;
            }
        }
    }
}

template <bool kEuclidean>
QAPFW_TARGET inline double slicing_sum(const kernels::SlicingView& view, const double* x, const double* y) {
    SlicingLanes sums[4][kSlicingParts] = {};
    std::uint32_t i = 0;
    for (; i + 4 <= view.rows; i += 4) slicing_add_rows<kEuclidean, 4>(view, x, y, i, sums);
    if (i + 3 == view.rows) slicing_add_rows<kEuclidean, 3>(view, x, y, i, sums);
    if (i + 2 == view.rows) slicing_add_rows<kEuclidean, 2>(view, x, y, i, sums);
    if (i + 1 == view.rows) slicing_add_rows<kEuclidean, 1>(view, x, y, i, sums);
    double partial[4 * kernels::kSlicingBlock];
    static_assert(sizeof partial == sizeof sums);
    std::memcpy(partial, sums, sizeof sums);
    return kernels::slicing_fold(partial);
}

}  // namespace

QAPFW_TARGET double QAPFW_SLICING_FLOW(const kernels::SlicingView& view, const double* x, const double* y) {
    return view.euclidean != 0 ? slicing_sum<true>(view, x, y) : slicing_sum<false>(view, x, y);
}

}  // namespace qapfw::uaflp
