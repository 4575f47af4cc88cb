// SPDX-License-Identifier: Apache-2.0
// Islands of the memetic algorithm on the device: common parts of their kernels. Where nothing else is said, a CUDA
// block is one warp and works for one island. The problem's device code must come before this file. The host defines:
//   MEMETIC_HAS_BITS   1: solutions have bay bits, 0: they are permutations alone
#pragma once

#include "plugins/memetic/device/island_steps.hpp"
#include "qapfw/kernels/population_steps.hpp"

namespace qapfw::memetic {

using Problem = device::Problem;
using Cost = Problem::Cost;
using Arrays = IslandsOf<Cost>;

/// The order of costs, for steps on the device.
struct DeviceCosts {
    QAPFW_DEVICE bool operator()(Cost a, Cost b) const { return a < b; }
    QAPFW_DEVICE bool equal(Cost a, Cost b) const { return kernels::island_equal_costs(a, b); }
};
using OnDevice = Island<Cost, DeviceCosts, kernels::WarpGroup>;

/// Computes a solution's cost by a warp, and counts the evaluation.
QAPFW_DEVICE void evaluate(const Arrays& all, const Problem::View& problem, const uint8_t* solution, Cost* cost) {
    const kernels::SolutionInMemory<Problem> whole{reinterpret_cast<const uint16_t*>(solution)};
    const Cost found = Problem::cost(kernels::WarpGroup{}, problem, whole);
    if (kernels::lane_number() == 0) {
        *cost = found;
        atomicAdd(all.evaluations, 1ull);
    }
    __syncwarp();
}

/// Computes the costs of an island's elites from number `first` on.
QAPFW_DEVICE void evaluate_from(const Arrays& all, const Problem::View& problem, const OnDevice& own, uint32_t first) {
    for (uint32_t k = first; k < own.end(); ++k) evaluate(all, problem, all.elite(k), all.costs + k);
}

}  // namespace qapfw::memetic
