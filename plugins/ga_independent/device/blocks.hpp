// SPDX-License-Identifier: Apache-2.0
// The fields of the independent blocks of the GA (CEC 2010, section III), as steps on the host and kernels get them.
#pragma once

#include "qapfw/kernels/ga_base.hpp"

namespace qapfw::ga_independent {

constexpr uint64_t kNotFound = ~uint64_t{0};  ///< when a block's best was found, before there is one

template <class Cost>
struct Blocks {
    static constexpr bool kWholeInKernels = true;
    kernels::GaPopulation<Cost> population;
    uint16_t* best_solutions;  ///< of each block since generation 0: a restart forgets the individuals
    Cost* best_costs;
    uint64_t* best_found;
    uint64_t* restarts;     ///< of each block
    uint64_t* evaluations;  ///< of each block, counted by kernels alone and without the improver's
    uint32_t* drawn_anew;   ///< of each block: in this generation
    uint64_t* end;          ///< the found flag of a GPU: no block has to go further than these generations, [0] lowered
                            ///< by kernels, [1] by the host when another GPU was first
    Cost target;            ///< where has_target is 1
    uint64_t restart_check;
    uint32_t restart_at;  ///< individuals with the block's best cost that restart it; 0: never
    uint32_t has_target;
    uint32_t improves;  ///< an improver works on new individuals before they count
    uint32_t unused;
};

/// Slot of the report in which a GPU tells the restarts of its blocks, see PopulationReport.
constexpr uint32_t kToldRestarts = 0;

}  // namespace qapfw::ga_independent
