// SPDX-License-Identifier: Apache-2.0
// A warp as the team of one search, for any number of departments. whole_team.cuh is for searches in shared memory.
#pragma once

#include "plugins/slicing_local_search/device/searches.hpp"
#include "qapfw/kernels/device_team.hpp"

namespace qapfw::slicing_local_search {

struct WarpTeam {
    static constexpr uint32_t kLanes = 0xFFFFFFFFu;

    QAPFW_DEVICE uint32_t rank() const { return threadIdx.x; }
    QAPFW_DEVICE uint32_t size() const { return 32; }
    QAPFW_DEVICE void sync() const { __syncwarp(); }
    QAPFW_DEVICE uint32_t broadcast(uint32_t value) const { return from(value, 0); }
    QAPFW_DEVICE uint32_t from(uint32_t value, uint32_t lane) const {
        return __shfl_sync(kLanes, value, static_cast<int>(lane));
    }
    QAPFW_DEVICE uint32_t ballot(bool flag) const { return __ballot_sync(kLanes, flag); }
    /// Does what kernels::slicing_shapes does. Lanes k, k + 8, k + 16 and k + 24 compute the same partial sum.
    QAPFW_DEVICE kernels::SlicingShapes shapes(const kernels::SlicingView& view,
                                               const kernels::SlicingPlaces& places) const {
        double excess = 0.0;
        uint32_t bad = 0;
        for (uint32_t d = rank() % kernels::kSlicingBlock;
             d < kernels::slicing_padded(view.departments + kernels::slicing_rules_of(view.practice));
             d += kernels::kSlicingBlock) {
            excess += places.excess[d];
            bad += places.excess[d] > 0.0 ? 1u : 0u;
        }
        for (uint32_t half = kernels::kSlicingBlock / 2; half > 0; half /= 2) {
            excess = excess + __shfl_xor_sync(kLanes, excess, half);
            bad += __shfl_xor_sync(kLanes, bad, half);
        }
        return {bad, excess};
    }
    /// Does what kernels::slicing_flow_cost does, with one partial sum per lane.
    QAPFW_DEVICE double flow_cost(const kernels::SlicingView& view, const kernels::SlicingPlaces& places) const {
        const double own = kernels::slicing_partial(view, places.x, places.y, rank() / kernels::kSlicingBlock,
                                                    rank() % kernels::kSlicingBlock);
        return kernels::WarpGroup{}.sum(own);
    }
};

}  // namespace qapfw::slicing_local_search
