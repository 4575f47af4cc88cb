// SPDX-License-Identifier: Apache-2.0
// What host and device know of a search between rounds, beside its solutions and its table of expiries.
#pragma once

#include "qapfw/kernels/platform.hpp"

namespace qapfw::tabu {

/// The state of a search between launches, beside its solutions and its table of expiries.
struct TabuState {
    int64_t cost, best_cost;  ///< bit patterns if costs are binary64
    uint64_t iteration, best_iteration, idle;
    uint64_t base;  ///< expiries in memory are relative to this iteration
};

}  // namespace qapfw::tabu
