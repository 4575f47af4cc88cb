// SPDX-License-Identifier: Apache-2.0
// The fields of the GA's independent blocks (CEC 2010, section III), for steps on the host and for kernels.
#pragma once

#include "qapfw/kernels/ga_base.hpp"

namespace qapfw::ga_independent {

constexpr uint64_t kNotFound = ~uint64_t{0};  ///< value of `best_found` for a block that has no best yet

template <class Cost>
struct Blocks {
    static constexpr bool kWholeInKernels = true;
    kernels::GaPopulation<Cost> population;
    uint16_t* best_solutions;  ///< best of each block over all its restarts
    Cost* best_costs;
    uint64_t* best_found;
    uint64_t* restarts;     ///< number of restarts of each block
    uint64_t* evaluations;  ///< evaluations that the kernels of this solver made for each block, without the improver's
    uint32_t* drawn_anew;   ///< 1 for each block that was drawn again in this generation
    /// The found flags of a GPU: the numbers of two generations. Blocks stop after the earlier of them. Kernels lower
    /// end[0] to a generation in which a block reached the target. The host lowers end[1] if a GPU reached the target.
    uint64_t* end;
    Cost target;             ///< valid if has_target is 1
    uint64_t restart_check;  ///< generations between two checks of the restart rule
    uint32_t restart_at;     ///< a block restarts if this many individuals have its best cost; 0: never
    uint32_t has_target;
    uint32_t improves;  ///< 1: an improver works on new individuals before they join the population
    uint32_t unused;
};

/// PopulationReport::told[kToldRestarts] is how often the blocks of a GPU have restarted, all together.
constexpr uint32_t kToldRestarts = 0;

}  // namespace qapfw::ga_independent
