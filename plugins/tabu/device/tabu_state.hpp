// SPDX-License-Identifier: Apache-2.0
// State of a search between launches, and how a compiled kernel must be launched, for host and device.
#pragma once

#include "qapfw/kernels/platform.hpp"

namespace qapfw::tabu {

/// The state of a search between launches, except its solutions and its table of expiries.
struct TabuState {
    int64_t cost, best_cost;  ///< bit patterns if costs are binary64
    uint64_t iteration, best_iteration, idle;
    uint64_t base;  ///< expiries in memory are relative to this iteration
};

/// How a compiled kernel must be launched.
struct TabuLayout {
    uint64_t shared_bytes;                   ///< dynamic shared memory of a CUDA block
    uint64_t block_threads;                  ///< number of threads of a CUDA block
    uint64_t block_searches;                 ///< number of searches in a CUDA block
    uint64_t workspace_bytes, expiry_words;  ///< memory of one search: bytes of workspace, 32-bit words of expiries
    uint64_t has_own_neighbourhood;          ///< 1: the problem has a neighbourhood of its own
};

}  // namespace qapfw::tabu
