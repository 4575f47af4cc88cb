// SPDX-License-Identifier: Apache-2.0
// The fields of the distributed GA (GECCO 2009, section 3.2), for steps on the host and for kernels.
#pragma once

#include "plugins/ga_distributed/device/ga_exchange.hpp"
#include "qapfw/kernels/ga_base.hpp"

namespace qapfw::ga_distributed {

/// The best individual of each subpopulation: its cost, the generation in which it was found, and its index in the
/// population of this place.
template <class Cost>
struct Bests {
    Cost* costs;
    uint64_t* found;
    uint32_t* individuals;
};

template <class Cost>
struct Islands {
    kernels::GaPopulation<Cost> population;
    kernels::GaPools<Cost> all;  ///< during an exchange: individuals of all subpopulations of the run, without children
    Bests<Cost> bests;
};

}  // namespace qapfw::ga_distributed
