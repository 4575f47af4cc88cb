// SPDX-License-Identifier: Apache-2.0
// Data that host and GPU exchange about rounds and the best solution, and data of a round that a GPU keeps.
#pragma once

#include "qapfw/kernels/platform.hpp"

namespace qapfw::mapping {

/// The description of one round. All searches use the same description.
struct DeviceOrder {
    uint64_t number;     ///< number of the round in the run
    double scale;        ///< the temperature times 2^-16
    uint64_t exclusive;  ///< 1: of two swaps whose positions are neighbours, at most one is made; 0: no such limit
};

/// An accepted proposal: the swap of the elements at positions u and v.
struct alignas(16) AcceptedPair {
    uint32_t u, v, priority, unused;
};

/// The best solution among the searches of one GPU. Searches::look() finds it.
struct DeviceBest {
    int64_t cost;        ///< cost of the solution; before one is found, the cost to beat
    uint64_t iteration;  ///< iteration of the look that found the solution
    uint32_t search;     ///< number of the search that found the solution, counted from 0 on this GPU
    uint32_t found;      ///< 1: one of the looks found a solution below the cost to beat; 0: none did
    uint32_t taken;      ///< 1: the last look found a new best solution; 0: it found none
    uint32_t unused;
};

}  // namespace qapfw::mapping
