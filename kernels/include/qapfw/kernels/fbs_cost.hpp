// SPDX-License-Identifier: Apache-2.0
// Cost of a layout in flexible bays (FBS): the sum over pairs of flow * distance of centroids. The order of summation
// is fixed. Pair p (in the view's order) is added to partial sum p % 32, in ascending order. Then partial sum l + 16 is
// added to partial sum l for each l < 16. The same follows with 8, 4, 2 and 1 instead of 16. Three implementations keep
// this order: the scalar code here, the warp code (problems/uaflp/device/fbs_warp.cuh) and the vector code, with one
// candidate per vector lane (problems/uaflp/pair_lanes.hpp). So all give the same bits in double precision. The only
// operations are +, -, *, / and sqrt; products are rounded before they are added.
//
// Rectilinear: sum f (|dX| / B + |dY| B) = Sx / B + Sy B with Sx = sum f |dX|, Sy = sum f |dY| and the bay height B
// (see fbs_decode.hpp). So Sx and Sy give the costs in both orientations.
// Euclidean: sum f sqrt((dX / B)^2 + (dY B)^2), so each orientation has its own sum.
#pragma once

#include "qapfw/kernels/fbs_decode.hpp"

namespace qapfw::kernels {

/// Returns a * b, never contracted into a fused multiply-add. On the device an intrinsic prevents the contraction,
/// whatever the compiler's flags. On the host the flag -ffp-contract=off prevents the contraction.
QAPFW_HD double fbs_product(double a, double b) {
#if defined(__CUDA_ARCH__)
    return __dmul_rn(a, b);
#else
    return a * b;
#endif
}

QAPFW_HD float fbs_product(float a, float b) {
#if defined(__CUDA_ARCH__)
    return __fmul_rn(a, b);
#else
    return a * b;
#endif
}

QAPFW_HD double fbs_square_root(double a) {
#if defined(__CUDA_ARCH__)
    return __dsqrt_rn(a);
#else
    return __builtin_sqrt(a);
#endif
}

QAPFW_HD float fbs_square_root(float a) {
#if defined(__CUDA_ARCH__)
    return __fsqrt_rn(a);
#else
    return __builtin_sqrtf(a);
#endif
}

QAPFW_HD double fbs_distance(double a, double b) {
#if defined(__CUDA_ARCH__)
    return fabs(a - b);
#else
    return __builtin_fabs(a - b);
#endif
}

QAPFW_HD float fbs_distance(float a, float b) {
#if defined(__CUDA_ARCH__)
    return fabsf(a - b);
#else
    return __builtin_fabsf(a - b);
#endif
}

/// Two sums over pairs. Rectilinear metric: the sums of flow * dx and of flow * dy. Euclidean metric: for each of the
/// two orientations, the sum of flow * distance.
template <class Real>
struct FbsSums {
    Real sum[2];
};

/// Adds a pair of departments that are dx and dy apart: flow * dx to sum[0], flow * dy to sum[1].
template <class Real>
QAPFW_HD void fbs_add_rectilinear(Real flow, Real dx, Real dy, FbsSums<Real>& sums) {
    sums.sum[0] += fbs_product(flow, dx);
    sums.sum[1] += fbs_product(flow, dy);
}

template <class Real>
QAPFW_HD void fbs_add_euclidean(const FbsView<Real>& view, Real flow, Real dx, Real dy, FbsSums<Real>& sums) {
    for (int o = 0; o < 2; ++o) {
        const Real across = fbs_product(dx, view.orientation[o].inverse_bay_height);
        const Real along = fbs_product(dy, view.orientation[o].bay_height);
        const Real d = fbs_square_root(fbs_product(across, across) + fbs_product(along, along));
        sums.sum[o] += fbs_product(flow, d);
    }
}

/// Adds pair p to `sums`.
template <class Real, class X, class Y>
QAPFW_HD void fbs_add_pair(const FbsView<Real>& view, uint32_t p, const X& x, const Y& y, FbsSums<Real>& sums) {
    const uint32_t i = view.pair[p] & 0xFFFFu;
    const uint32_t j = view.pair[p] >> 16;
    const Real dx = fbs_distance(x[i], x[j]), dy = fbs_distance(y[i], y[j]);
    if (view.euclidean) {
        fbs_add_euclidean(view, view.flow[p], dx, dy, sums);
    } else {
        fbs_add_rectilinear(view.flow[p], dx, dy, sums);
    }
}

template <class Real>
QAPFW_HD Real fbs_orientation_cost(const FbsView<Real>& view, const FbsSums<Real>& sums, int o) {
    if (view.euclidean) return sums.sum[o];
    return fbs_product(sums.sum[0], view.orientation[o].inverse_bay_height) +
           fbs_product(sums.sum[1], view.orientation[o].bay_height);
}

/// Returns `cost` with the view's penalty for this number of violations. Works for bays and for slicing trees.
template <class View, class Real>
QAPFW_HD Real fbs_objective(const View& view, Real cost, uint32_t violations) {
    switch (view.penalty) {
        case kFbsPenaltyPower:
            return violations ? fbs_product(cost, Real(1) + view.penalty_weight[violations]) : cost;
        case kFbsPenaltyAdaptive:
            return cost + fbs_product(view.penalty_weight[violations], view.penalty_scale);
        case kFbsPenaltyFeasibleFirst:
            return cost + fbs_product(static_cast<Real>(violations), view.penalty_scale);
        default:
            return cost;
    }
}

/// Compares the orientations that the view tries, and returns the result with the lowest objective. If two results are
/// equal, returns the one of the first orientation.
template <class Real>
QAPFW_HD FbsResult<Real> fbs_select(const FbsView<Real>& view, const FbsSums<Real>& sums, const uint32_t* violations) {
    FbsResult<Real> best{};
    bool found = false;
    for (uint32_t o = 0; o < 2; ++o) {
        if (!(view.orientations >> o & 1u)) continue;
        const Real cost = fbs_orientation_cost(view, sums, static_cast<int>(o));
        const Real objective = fbs_objective(view, cost, violations[o]);
        if (found && !(objective < best.objective)) continue;
        best = FbsResult<Real>{objective, cost, violations[o], o};
        found = true;
    }
    return best;
}

/// Folds 32 partial sums into partial[0].
template <class Real>
QAPFW_HD void fbs_fold(FbsSums<Real>* partial) {
    for (uint32_t half = kFbsLanes / 2; half > 0; half /= 2) {
        for (uint32_t lane = 0; lane < half; ++lane) {
            partial[lane].sum[0] += partial[lane + half].sum[0];
            partial[lane].sum[1] += partial[lane + half].sum[1];
        }
    }
}

/// Evaluates a layout by one thread. `x` and `y` are scratch of n numbers each. O(n + pairs).
template <class Real, class Solution, class X, class Y>
QAPFW_HD FbsResult<Real> fbs_evaluate(const FbsView<Real>& view, const Solution& solution, X x, Y y) {
    uint32_t violations[2];
    fbs_decode(view, solution, x, y, violations);
    FbsSums<Real> partial[kFbsLanes] = {};
    for (uint32_t base = 0; base < view.pairs; base += kFbsLanes) {
        const uint32_t lanes = view.pairs - base < kFbsLanes ? view.pairs - base : kFbsLanes;
        for (uint32_t lane = 0; lane < lanes; ++lane) fbs_add_pair(view, base + lane, x, y, partial[lane]);
    }
    fbs_fold(partial);
    return fbs_select(view, partial[0], violations);
}

}  // namespace qapfw::kernels
