// SPDX-License-Identifier: Apache-2.0
// Unequal-area facility layout in flexible bays as device code, made of the same kernels that the host uses. Costs in
// double have the same bits as on the host; costs in float are rounded. The host describes the instance by these
// macros, before this text:
//   UAFLP_N             departments
//   UAFLP_BITS_OFFSET   bytes from a solution's start to its bay bits
//   UAFLP_REAL          type of the numbers that costs are computed with: double or float
//   UAFLP_EUCLIDEAN     1: Euclidean distances, 0: rectilinear distances
#include "problems/uaflp/device/fbs_warp.cuh"
#include "qapfw/kernels/device_team.hpp"
#include "qapfw/kernels/fbs_cost.hpp"

// Not inlined: searches evaluate at several places of their kernels. A call takes almost no time compared with an
// evaluation, but copies would take compile time and registers.
#if defined(__CUDACC__) || defined(__CUDACC_RTC__)
#define UAFLP_CALLED __device__ __noinline__
#else
#define UAFLP_CALLED inline
#endif

namespace qapfw::uaflp {

using Real = UAFLP_REAL;

/// Gives the kernels the department at each position of a search's solution.
template <class Solution>
struct DepartmentAt {
    const Solution& solution;
    QAPFW_DEVICE uint32_t operator[](uint32_t k) const { return static_cast<uint32_t>(solution(static_cast<int>(k))); }
};
/// Gives the kernels the bay bit at each position of a search's solution.
template <class Solution>
struct BitAt {
    const Solution& solution;
    QAPFW_DEVICE uint32_t operator[](uint32_t k) const {
        return static_cast<uint32_t>(solution.bit(static_cast<int>(k)));
    }
};

template <class Solution>
QAPFW_DEVICE auto layout_of(const Solution& solution) {
    return kernels::fbs_solution(DepartmentAt<Solution>{solution}, BitAt<Solution>{solution});
}

/// The view with the metric known at compile time, so that the code of the other metric is not compiled.
QAPFW_DEVICE kernels::FbsView<Real> with_metric(const kernels::FbsView<Real>& view) {
    kernels::FbsView<Real> known = view;
    known.euclidean = UAFLP_EUCLIDEAN;
    return known;
}

/// The sums over all pairs. The threads of a group split the work of the 32 partial sums of fbs_cost.hpp: thread r
/// computes the partial sums number r, r + size, ...
template <class Group>
QAPFW_DEVICE kernels::FbsSums<Real> sum_pairs(Group group, const kernels::FbsView<Real>& view, const Real* x,
                                              const Real* y) {
    constexpr uint32_t kThreads = static_cast<uint32_t>(Group::size());
    static_assert(kThreads <= kernels::kFbsLanes && kernels::kFbsLanes % kThreads == 0,
                  "a layout's cost is computed by a thread, a warp or a part of a warp");
    constexpr uint32_t kOwn = kernels::kFbsLanes / kThreads;
    kernels::FbsSums<Real> partial[kOwn] = {};
    for (uint32_t base = static_cast<uint32_t>(group.rank()); base < view.pairs; base += kernels::kFbsLanes) {
        for (uint32_t own = 0; own < kOwn; ++own) {
            const uint32_t pair = base + own * kThreads;
            if (pair < view.pairs) kernels::fbs_add_pair(view, pair, x, y, partial[own]);
        }
    }
    for (uint32_t half = kOwn / 2; half > 0; half /= 2) {
        for (uint32_t own = 0; own < half; ++own) {
            partial[own].sum[0] += partial[own + half].sum[0];
            partial[own].sum[1] += partial[own + half].sum[1];
        }
    }
    return {{group.sum(partial[0].sum[0]), group.sum(partial[0].sum[1])}};
}

}  // namespace qapfw::uaflp

namespace qapfw::device {

struct Problem {
    using View = kernels::FbsView<uaflp::Real>;
    using Cost = double;
    static constexpr int kPositions = UAFLP_N;
    static constexpr int kBits = UAFLP_N - 1;
    static constexpr int kBitsOffset = UAFLP_BITS_OFFSET;
    /// Bytes of memory that cost_in needs for a warp, a multiple of 16. Shared memory is best.
    static constexpr uint64_t kScratchBytes = kernels::fbs_warp_scratch_bytes<uaflp::Real>(UAFLP_N);

    /// The cost with its penalty. Without scratch, each thread of the group decodes the layout for itself.
    template <class Group, class Solution>
    static UAFLP_CALLED Cost cost(Group group, const View& instance, Solution solution) {
        const View view = uaflp::with_metric(instance);
        uaflp::Real x[kPositions], y[kPositions];
        uint32_t violations[2];
        kernels::fbs_decode(view, uaflp::layout_of(solution), &x[0], &y[0], violations);
        return kernels::fbs_select(view, uaflp::sum_pairs(group, view, x, y), violations).objective;
    }

    /// Returns the same cost as cost(), but faster: the lanes of one warp decode the layout together in scratch memory.
    /// `scratch`: kScratchBytes bytes, aligned to 16. cost_in is inlined, so call it at one place of a kernel only.
    template <class Solution>
    static QAPFW_DEVICE Cost cost_in(kernels::WarpGroup group, const View& view, Solution solution, void* scratch) {
        return kernels::fbs_evaluate_warp(uaflp::with_metric(view), uaflp::layout_of(solution),
                                          kernels::fbs_warp_scratch<uaflp::Real>(scratch, UAFLP_N),
                                          static_cast<uint32_t>(group.rank()))
            .objective;
    }
};

}  // namespace qapfw::device
