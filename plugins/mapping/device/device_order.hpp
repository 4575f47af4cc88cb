// SPDX-License-Identifier: Apache-2.0
// Messages between host and GPU about rounds and the best solution, and what a GPU keeps of a round.
#pragma once

#include "qapfw/kernels/platform.hpp"

namespace qapfw::mapping {

/// One round, the same for all searches.
struct DeviceOrder {
    uint64_t number;     ///< of all rounds of the run
    double scale;        ///< temperature times 2^-16
    uint64_t exclusive;  ///< 1: exchanges with a common neighbour exclude each other; else 0
};

/// A proposal that is accepted: u and v are numbers of positions.
struct alignas(16) AcceptedPair {
    uint32_t u, v, priority, unused;
};

/// The best solution that the searches of one GPU have had at a look.
struct DeviceBest {
    int64_t cost;        ///< what must be beaten, then its cost
    uint64_t iteration;  ///< of the look that found it
    uint32_t search;     ///< whose it was, from 0 on this GPU
    uint32_t found;      ///< 1: there is one; 0: nothing was cheaper
    uint32_t taken;      ///< 1: the present look has found it; else 0
    uint32_t unused;
};

}  // namespace qapfw::mapping
