// SPDX-License-Identifier: Apache-2.0
// The report of a population's kernels to the host at the end of a round. The solution of the leader, which is the best
// individual or group, follows the report in memory.
#pragma once

#include "qapfw/kernels/platform.hpp"

namespace qapfw::kernels {

constexpr uint32_t kNobody = 0xFFFFFFFFu;  ///< takes the place of an individual's number if there is no individual

/// The report of a place, in device memory: kernels write it, the host reads it after the round.
struct alignas(16) PopulationReport {
    unsigned long long digest;       ///< sum of the digests of all rounds since the run began
    unsigned long long evaluations;  ///< candidates whose cost a kernel has computed since the run began
    uint64_t found;                  ///< generation in which the leader was found
    int64_t cost;                    ///< the bits of the leader's cost
    uint64_t number;                 ///< number of the leading individual or group in the run
    uint64_t told[3];                ///< numbers from the solver's kernels to its host code; the solver defines them
};

}  // namespace qapfw::kernels
