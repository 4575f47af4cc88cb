// SPDX-License-Identifier: Apache-2.0
// Turns an FBS encoding into centroids, and counts violated shape rules. A department has coordinates X and Y that do
// not depend on the orientation. X is the centre of the department's bay on the axis of summed areas. Y is the centre
// of the department as a fraction of the bay height B. The centroid is (X / B, Y * B), so one decoding serves both
// orientations.
//
// Areas are multiples of a power of two, and their total fits the mantissa. So prefix sums are exact in any order, and
// a scan by a warp gives the same bits as the scalar loop. X is exact too; Y takes one division and one product.
#pragma once

#include "qapfw/kernels/fbs_view.hpp"

namespace qapfw::kernels {

/// Returns the centre of a bay on the axis of summed areas. `start`: sum of the areas before the bay. `end`: `start`
/// plus the bay's area.
template <class Real>
QAPFW_HD Real fbs_bay_centre(Real start, Real end) {
    return (start + end) * Real(0.5);
}

/// Returns the centre of a department within its bay, from 0 to 1. `before`: sum of the areas of all departments before
/// this one, in this and earlier bays. `start`: sum of the areas of the earlier bays.
template <class Real>
QAPFW_HD Real fbs_department_centre(Real before, Real area, Real start, Real inverse_bay_area) {
    return ((before + area * Real(0.5)) - start) * inverse_bay_area;
}

/// Returns whether a department breaks its shape rule in a bay. No other code decides this. The width and height of a
/// department follow from its area and its bay's area. So every shape rule is a range of allowed bay areas. The limits
/// include the tolerance (see the problem's evaluator).
template <class Real>
QAPFW_HD bool fbs_violates(Real bay_area, Real min_bay_area, Real max_bay_area) {
    return !(bay_area >= min_bay_area && bay_area <= max_bay_area);
}

/// Computes the centroids of the departments in the bay at positions [first, last). Adds the bay's number of violations
/// in each orientation to `violations`.
template <class Real, class Perm, class X, class Y>
QAPFW_HD void fbs_place_bay(const FbsView<Real>& view, const Perm& perm, uint32_t first, uint32_t last, Real start,
                            Real end, X& x, Y& y, uint32_t* violations) {
    const Real bay_area = end - start;
    const Real inverse = Real(1) / bay_area;
    const Real centre = fbs_bay_centre(start, end);
    Real before = start;
    for (uint32_t k = first; k < last; ++k) {
        const uint32_t d = perm[k];
        const Real area = view.area[d];
        x[d] = centre;
        y[d] = fbs_department_centre(before, area, start, inverse);
        before += area;
        for (int o = 0; o < 2; ++o) {
            violations[o] +=
                fbs_violates(bay_area, view.orientation[o].min_bay_area[d], view.orientation[o].max_bay_area[d]);
        }
    }
}

/// Writes each department's centroid to `x` and `y` (n entries each). Writes the number of violations in each of the
/// two orientations to `violations`. O(n).
template <class Real, class Solution, class X, class Y>
QAPFW_HD void fbs_decode(const FbsView<Real>& view, const Solution& solution, X x, Y y, uint32_t* violations) {
    violations[0] = violations[1] = 0;
    uint32_t first = 0;
    Real start = 0;
    Real sum = 0;
    for (uint32_t k = 0; k < view.departments; ++k) {
        sum += view.area[solution.perm[k]];
        if (!fbs_ends_bay(solution.bits, k, view.departments)) continue;
        fbs_place_bay(view, solution.perm, first, k + 1, start, sum, x, y, violations);
        first = k + 1;
        start = sum;
    }
}

}  // namespace qapfw::kernels
