// SPDX-License-Identifier: Apache-2.0
// The body of slicing_flow_*. It is included once for each instruction set, with QAPFW_TARGET (a function attribute, so
// that no file needs compiler flags of its own), QAPFW_VECTOR_BYTES, QAPFW_SLICING_FLOW (the function's name) and
// QAPFW_SQRT_PD (an intrinsic). It has no include guard on purpose. Products and sums are separate operations: compile
// with -ffp-contract=off.

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

/// The distance of one coordinate to those from `others` on.
QAPFW_TARGET inline void slicing_distance(double one, const double* others, SlicingLanes& out) {
    SlicingLanes at;
    std::memcpy(&at, others, sizeof at);
    out = reinterpret_cast<SlicingLanes>(reinterpret_cast<SlicingWords>(one - at) & kSlicingNoSign);
}

template <bool kEuclidean>
QAPFW_TARGET inline double slicing_sum(const kernels::SlicingView& view, const double* x, const double* y) {
    double partial[4 * kernels::kSlicingBlock];
    for (std::uint32_t r = 0; r < 4; ++r) {
        SlicingLanes sums[kSlicingParts] = {};
        for (std::uint32_t i = r; i < view.rows; i += 4) {
            const double* flow = view.flow + std::size_t{i} * view.stride;
            const double own_x = x[i], own_y = y[i];
            for (std::uint32_t j = i / kernels::kSlicingBlock * kernels::kSlicingBlock; j < view.stride;
                 j += kernels::kSlicingBlock) {
                for (std::uint32_t part = 0; part < kSlicingParts; ++part) {
                    const std::uint32_t at = j + part * kSlicingWidth;
                    SlicingLanes amount, dx, dy;
                    std::memcpy(&amount, flow + at, sizeof amount);
                    slicing_distance(own_x, x + at, dx);
                    slicing_distance(own_y, y + at, dy);
                    if constexpr (kEuclidean) {
                        dx = dx * dx + dy * dy;
                        dx = QAPFW_SQRT_PD(dx);
                    } else {
                        dx = dx + dy;
                    }
                    sums[part] += amount * dx;
                }
            }
        }
        std::memcpy(partial + r * kernels::kSlicingBlock, sums, sizeof sums);
    }
    return kernels::slicing_fold(partial);
}

}  // namespace

QAPFW_TARGET double QAPFW_SLICING_FLOW(const kernels::SlicingView& view, const double* x, const double* y) {
    return view.euclidean != 0 ? slicing_sum<true>(view, x, y) : slicing_sum<false>(view, x, y);
}

}  // namespace qapfw::uaflp
