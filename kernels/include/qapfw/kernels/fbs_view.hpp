// SPDX-License-Identifier: Apache-2.0
// The flexible bay structure (FBS; Tong 1991, Tate and Smith 1995) as plain data: what a cost function of the
// unequal-area facility layout problem reads. Valid on the host and on the device; owns nothing.
//
// Encoding: perm[0..n-1] lists the departments bay by bay. bits[k] = 1 (k = 0..n-2) says that position k is the last of
// its bay; position n-1 always is. Bays lie side by side and fill the plant's height ("bay height" B). A bay's width is
// the sum of its departments' areas / B. A department's height is its area / that width.
#pragma once

#include "qapfw/kernels/operators/solution_view.hpp"

namespace qapfw::kernels {

/// The number of partial sums of every cost: pair p belongs to partial sum p % 32, see fbs_cost.hpp.
constexpr uint32_t kFbsLanes = 32;

/// Penalty in the cost of an infeasible layout. D: number of departments that break their shape rule; k: the penalty's
/// exponent; V_feas and V_all: the least costs, without penalty, of feasible and of all layouts.
enum FbsPenalty : uint32_t {
    kFbsPenaltyNone = 0,          ///< the cost without penalty
    kFbsPenaltyPower = 1,         ///< cost * (1 + D^k)
    kFbsPenaltyAdaptive = 2,      ///< cost + D^k * (V_feas - V_all), Coit, Smith and Tate 1996
    kFbsPenaltyFeasibleFirst = 3  ///< cost + D * M with M above every cost: orders by D first, then by cost
};

/// One orientation of the bays. Orientation 0: bays lie side by side along the plant's width, so the bay height is the
/// plant's height. Orientation 1: bays lie side by side along the plant's height.
template <class Real>
struct FbsOrientation {
    Real bay_height;
    Real inverse_bay_height;
    const Real* min_bay_area;  ///< per department: least area of a bay in which its shape is allowed
    const Real* max_bay_area;  ///< per department: greatest area of a bay in which its shape is allowed
};

template <class Real>
struct FbsView {
    using Number = Real;
    uint32_t departments;
    uint32_t pairs;         ///< number of pairs of departments with flow between them
    uint32_t orientations;  ///< bit o set: orientation o is tried; at least one bit is set
    uint32_t euclidean;     ///< 1: Euclidean distance; 0: rectilinear distance
    FbsPenalty penalty;
    Real penalty_scale;          ///< the factor (V_feas - V_all) or M in the formulas at FbsPenalty
    const Real* penalty_weight;  ///< entry D is D^k (see FbsPenalty), for D = 0..departments
    const Real* area;            ///< per department: multiples of one power of two, so that sums of areas are exact
    const uint32_t* pair;        ///< pairs of departments a < b as a | b << 16, sorted by a, then by b
    const Real* flow;            ///< per pair: flow in both directions together
    FbsOrientation<Real> orientation[2];
};

/// Result of an evaluation. A search minimises `objective`: the cost with its penalty.
template <class Real>
struct FbsResult {
    Real objective;
    Real cost;
    uint32_t violations;   ///< number of departments that break their shape rule; 0: feasible
    uint32_t orientation;  ///< the better of the orientations that are tried; the first one if they are equal

    QAPFW_HD bool feasible() const { return violations == 0; }
};

/// A layout: departments by position, and where bays end.
template <class Perm, class Bits>
using FbsSolution = SolutionView<Perm, Bits>;
using FbsNoBits = NoBits;

template <class Perm, class Bits>
QAPFW_HD FbsSolution<Perm, Bits> fbs_solution(Perm perm, Bits bits) {
    return solution_view(perm, bits);
}

template <class Bits>
QAPFW_HD bool fbs_ends_bay(const Bits& bits, uint32_t k, uint32_t n) {
    return k + 1 == n || bits[k] != 0;
}

/// Sets whether position k is the last of its bay. Does nothing if k is n - 1: this position always ends a bay.
template <class Bits>
QAPFW_HD void fbs_set_end(Bits& bits, uint32_t k, uint32_t n, bool ends) {
    if (k + 1 < n) bits[k] = static_cast<uint8_t>(ends ? 1 : 0);
}

}  // namespace qapfw::kernels
