// SPDX-License-Identifier: Apache-2.0
// The cost of an FBS layout by one warp: 32 lanes scan the areas, place the departments and sum the pairs. Sums have
// the order of fbs_cost.hpp, so the result has the same bits as the scalar code's. Device code only.
#pragma once

#include "qapfw/kernels/fbs_cost.hpp"

#if defined(QAPFW_DEVICE)

namespace qapfw::kernels {

/// The centroid of a department, read in one access.
template <class Real>
struct alignas(2 * sizeof(Real)) FbsPoint {
    Real x, y;
};

/// The memory of one warp (shared or device memory): 3 n numbers, and a bit for each position.
template <class Real>
struct FbsWarpScratch {
    FbsPoint<Real>* centroid;  ///< centroid of each department
    Real* sum;                 ///< for each position, the sum of the areas up to and including that position
    uint32_t* breaks;          ///< bit k % 32 of word k / 32: position k ends its bay
};

template <class Real>
QAPFW_HD constexpr size_t fbs_warp_scratch_bytes(uint32_t n) {
    return (3 * static_cast<size_t>(n) * sizeof(Real) + (n + 31) / 32 * sizeof(uint32_t) + 15) / 16 * 16;
}

/// Divides `memory` into the arrays of a warp. The memory must have fbs_warp_scratch_bytes(n) and be aligned to 16
/// bytes.
template <class Real>
QAPFW_DEVICE FbsWarpScratch<Real> fbs_warp_scratch(void* memory, uint32_t n) {
    Real* numbers = static_cast<Real*>(memory);
    return FbsWarpScratch<Real>{static_cast<FbsPoint<Real>*>(memory), numbers + 2 * n,
                                reinterpret_cast<uint32_t*>(numbers + 3 * n)};
}

template <class Real>
QAPFW_DEVICE Real fbs_warp_inclusive_sum(Real value, uint32_t lane) {
    for (uint32_t step = 1; step < 32; step *= 2) {
        const Real below = __shfl_up_sync(0xFFFFFFFFu, value, step);
        if (lane >= step) value += below;
    }
    return value;
}

/// Computes for each position the sum of the areas up to that position, and marks the ends of bays as bits of
/// `scratch.breaks`.
template <class Real, class Solution>
QAPFW_DEVICE void fbs_warp_scan(const FbsView<Real>& view, const Solution& solution, FbsWarpScratch<Real> scratch,
                                uint32_t lane) {
    const uint32_t n = view.departments;
    Real carry = 0;
    for (uint32_t base = 0; base < n; base += 32) {
        const uint32_t k = base + lane;
        const bool inside = k < n;
        const Real area = inside ? view.area[solution.perm[k]] : Real(0);
        const uint32_t word = __ballot_sync(0xFFFFFFFFu, inside && fbs_ends_bay(solution.bits, k, n));
        const Real sum = carry + fbs_warp_inclusive_sum(area, lane);
        if (inside) scratch.sum[k] = sum;
        if (lane == 0) scratch.breaks[base / 32] = word;
        carry = __shfl_sync(0xFFFFFFFFu, sum, 31);
    }
    __syncwarp();
}

/// The sum of the areas before the bay of position k.
template <class Real>
QAPFW_DEVICE Real fbs_warp_bay_start(FbsWarpScratch<Real> scratch, uint32_t k) {
    uint32_t word = k / 32;
    uint32_t mask = scratch.breaks[word] & ((1u << (k % 32)) - 1u);
    while (mask == 0 && word > 0) mask = scratch.breaks[--word];
    return mask == 0 ? Real(0) : scratch.sum[word * 32 + 31u - static_cast<uint32_t>(__clz(static_cast<int>(mask)))];
}

/// The sum of the areas up to the end of the bay of position k.
template <class Real>
QAPFW_DEVICE Real fbs_warp_bay_end(FbsWarpScratch<Real> scratch, uint32_t k) {
    uint32_t word = k / 32;
    uint32_t mask = scratch.breaks[word] & (0xFFFFFFFFu << (k % 32));
    while (mask == 0) mask = scratch.breaks[++word];
    return scratch.sum[word * 32 + static_cast<uint32_t>(__ffs(static_cast<int>(mask))) - 1u];
}

/// Stores each department's centroid in `scratch`. Every lane gets in `violations` the number of departments that
/// break their shape rule: entry 0 for orientation 0, entry 1 for orientation 1.
template <class Real, class Solution>
QAPFW_DEVICE void fbs_warp_decode(const FbsView<Real>& view, const Solution& solution, FbsWarpScratch<Real> scratch,
                                  uint32_t lane, uint32_t* violations) {
    fbs_warp_scan(view, solution, scratch, lane);
    // Counts the violations of orientation 0 in the lower 16 bits, those of orientation 1 in the upper 16; n < 65536.
    uint32_t count = 0;
    for (uint32_t k = lane; k < view.departments; k += 32) {
        const uint32_t d = solution.perm[k];
        const Real start = fbs_warp_bay_start(scratch, k);
        const Real end = fbs_warp_bay_end(scratch, k);
        const Real bay_area = end - start;
        const Real area = view.area[d];
        scratch.centroid[d] = {fbs_bay_centre(start, end),
                               fbs_department_centre(scratch.sum[k] - area, area, start, Real(1) / bay_area)};
        for (int o = 0; o < 2; ++o) {
            const bool bad =
                fbs_violates(bay_area, view.orientation[o].min_bay_area[d], view.orientation[o].max_bay_area[d]);
            count += bad ? 1u << (16 * o) : 0u;
        }
    }
    for (int step = 16; step > 0; step /= 2) count += __shfl_xor_sync(0xFFFFFFFFu, count, step);
    violations[0] = count & 0xFFFFu;
    violations[1] = count >> 16;
    __syncwarp();
}

/// Calls add(flow, dx, dy, sums) for each pair of departments that this lane handles, in ascending order. Returns the
/// sums.
template <class Real, class Add>
QAPFW_DEVICE FbsSums<Real> fbs_warp_sum_pairs(const FbsView<Real>& view, const FbsPoint<Real>* centroid, uint32_t lane,
                                              const Add& add) {
    const uint32_t* const pairs = view.pair;
    const Real* const flows = view.flow;
    const uint32_t count = view.pairs;
    FbsSums<Real> sums{};
#if defined(__CUDA_ARCH__)
#pragma unroll 4
#endif
    for (uint32_t p = lane; p < count; p += 32) {
        const uint32_t pair = pairs[p];
        const FbsPoint<Real> a = centroid[pair & 0xFFFFu], b = centroid[pair >> 16];
        add(flows[p], fbs_distance(a.x, b.x), fbs_distance(a.y, b.y), sums);
    }
    return sums;
}

/// Evaluates a layout by the 32 lanes of a warp; every lane gets the result. `lane` is 0..31.
template <class Real, class Solution>
QAPFW_DEVICE FbsResult<Real> fbs_evaluate_warp(const FbsView<Real>& view, const Solution& solution,
                                               FbsWarpScratch<Real> scratch, uint32_t lane) {
    uint32_t violations[2];
    fbs_warp_decode(view, solution, scratch, lane, violations);
    const auto add_rectilinear = [](Real flow, Real dx, Real dy, FbsSums<Real>& to) {
        fbs_add_rectilinear(flow, dx, dy, to);
    };
    const auto add_euclidean = [&](Real flow, Real dx, Real dy, FbsSums<Real>& to) {
        fbs_add_euclidean(view, flow, dx, dy, to);
    };
    FbsSums<Real> sums = view.euclidean ? fbs_warp_sum_pairs(view, scratch.centroid, lane, add_euclidean)
                                        : fbs_warp_sum_pairs(view, scratch.centroid, lane, add_rectilinear);
    for (int step = 16; step > 0; step /= 2) {  // a + b == b + a, so all lanes get the same sums
        sums.sum[0] += __shfl_xor_sync(0xFFFFFFFFu, sums.sum[0], step);
        sums.sum[1] += __shfl_xor_sync(0xFFFFFFFFu, sums.sum[1], step);
    }
    __syncwarp();  // the scratch may be reused from here on
    return fbs_select(view, sums, violations);
}

}  // namespace qapfw::kernels

#endif
