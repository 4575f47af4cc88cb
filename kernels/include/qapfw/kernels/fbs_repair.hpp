// SPDX-License-Identifier: Apache-2.0
// Repairs an FBS solution for one orientation. Splits bays that are too wide for one of their departments. Merges bays
// that are too narrow for one of their departments with a neighbouring bay. Only bay bits change; a layout may stay
// infeasible. For one thread; no random numbers are used.
#pragma once

#include "qapfw/kernels/fbs_crossover.hpp"

namespace qapfw::kernels {

/// The area of a bay, and the interval of bay areas in which all its departments keep their shape rules.
template <class Real>
struct FbsBayFit {
    Real area;
    Real min_area;
    Real max_area;
};

template <class Real, class Solution>
QAPFW_HD FbsBayFit<Real> fbs_bay_fit(const FbsView<Real>& view, const Solution& s, FbsSegment bay, uint32_t o) {
    FbsBayFit<Real> fit{0, 0, 0};
    for (uint32_t k = bay.begin; k < bay.end; ++k) {
        const uint32_t d = s.perm[k];
        const Real lo = view.orientation[o].min_bay_area[d];
        const Real hi = view.orientation[o].max_bay_area[d];
        fit.area += view.area[d];
        if (k == bay.begin || lo > fit.min_area) fit.min_area = lo;
        if (k == bay.begin || hi < fit.max_area) fit.max_area = hi;
    }
    return fit;
}

template <class Solution>
QAPFW_HD uint32_t fbs_bay_end(const Solution& s, uint32_t begin, uint32_t n) {
    uint32_t k = begin;
    while (!fbs_ends_bay(s.bits, k, n)) ++k;
    return k + 1;
}

/// Returns where to split `bay` in two: the last position of the left part. The area of the left part is as near as
/// possible to half of `area`, the area of the bay. The bay must have at least two departments.
template <class Real, class Solution>
QAPFW_HD uint32_t fbs_halving_position(const FbsView<Real>& view, const Solution& s, FbsSegment bay, Real area) {
    Real sum = 0;
    uint32_t k = bay.begin;
    for (; k + 2 < bay.end; ++k) {
        sum += view.area[s.perm[k]];
        const Real with_next = sum + view.area[s.perm[k + 1]];
        if (with_next + sum >= area) break;  // another department would not bring the part nearer to area / 2
    }
    return k;
}

/// Halves each bay of two or more departments that is too wide, from left to right. Returns the number of splits. There
/// are fewer than n splits of O(n) each, since each split adds a bay.
template <class Real, class Solution>
QAPFW_HD uint32_t fbs_split_wide_bays(const FbsView<Real>& view, Solution& s, uint32_t o) {
    const uint32_t n = view.departments;
    uint32_t changes = 0;
    for (uint32_t begin = 0; begin < n;) {
        const FbsSegment bay{begin, fbs_bay_end(s, begin, n)};
        const FbsBayFit<Real> fit = fbs_bay_fit(view, s, bay, o);
        if (bay.end - bay.begin > 1 && fit.area > fit.max_area) {
            fbs_set_end(s.bits, fbs_halving_position(view, s, bay, fit.area), n, true);
            ++changes;
        } else {
            begin = bay.end;
        }
    }
    return changes;
}

/// Merges a bay with its right neighbour if the bay is too narrow and the merged bay is not too wide. The last bay is
/// merged with its left neighbour under the same conditions. Returns the number of merges.
template <class Real, class Solution>
QAPFW_HD uint32_t fbs_merge_narrow_bays(const FbsView<Real>& view, Solution& s, uint32_t o) {
    const uint32_t n = view.departments;
    uint32_t changes = 0;
    uint32_t previous = 0;  // first position of the bay left of `begin`
    for (uint32_t begin = 0; begin < n;) {
        const FbsSegment bay{begin, fbs_bay_end(s, begin, n)};
        const FbsBayFit<Real> fit = fbs_bay_fit(view, s, bay, o);
        const bool last = bay.end == n;
        if (fit.area < fit.min_area && !(last && begin == 0)) {
            const FbsSegment merged = last ? FbsSegment{previous, n} : FbsSegment{begin, fbs_bay_end(s, bay.end, n)};
            const FbsBayFit<Real> merged_fit = fbs_bay_fit(view, s, merged, o);
            if (merged_fit.area <= merged_fit.max_area) {
                fbs_set_end(s.bits, (last ? begin : bay.end) - 1, n, false);
                ++changes;
                if (last) break;
                continue;
            }
        }
        previous = begin;
        begin = bay.end;
    }
    return changes;
}

/// Splits bays that are too wide in orientation `o`, then merges bays that are too narrow. Returns the number of splits
/// and merges.
template <class Real, class Solution>
QAPFW_HD uint32_t fbs_repair(const FbsView<Real>& view, Solution s, uint32_t o) {
    const uint32_t splits = fbs_split_wide_bays(view, s, o);
    return splits + fbs_merge_narrow_bays(view, s, o);
}

}  // namespace qapfw::kernels
