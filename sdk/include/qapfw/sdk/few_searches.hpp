// SPDX-License-Identifier: Apache-2.0
// The number of searches of a solver or improver on a GPU, as its kernels' problem learns it.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>

#include "qapfw/abi/device.h"
#include "qapfw/sdk/device.hpp"
#include "qapfw/sdk/problem_ref.hpp"
#include "qapfw/sdk/thread_assignment.hpp"

namespace qapfw::sdk {

constexpr std::uint32_t kFewSearches = 4;  ///< on a multiprocessor

/// Searches over the problem's swap neighbourhood that the GPU works on at a time, by the hints of the problem's device
/// code. No kernel is compiled for this number. 0: it is not known.
inline std::uint64_t hinted_searches(const ProblemRef& problem, const qapfw_device& device,
                                     const ThreadAssignment& assignment = {}) {
    const auto* const table = problem.capability<qapfw_problem_device>(QAPFW_PROBLEM_DEVICE);
    if (assignment.kind != ThreadAssignment::kTiled || table == nullptr || table->searches == nullptr) return 0;
    return std::uint64_t{table->searches(problem.get()->problem, &device)} * device.multiprocessors;
}

/// Least number of searches from which on no search gets more threads.
inline std::uint32_t many_searches(const qapfw_device& device) {
    return kFewSearches * device.multiprocessors + 1;
}

/// Size of the batch to announce to an improver that gets `own` of the `on_gpu` solutions on the GPU. The improver
/// chooses its kernel by this size. So a GPU with many searches is not announced as one with few.
inline std::uint32_t batch_beside_others(const qapfw_device& device, std::uint32_t own, std::uint32_t on_gpu) {
    return std::max(own, std::min(on_gpu, many_searches(device)));
}

/// For few searches over a swap neighbourhood a problem may give each of them more threads: see
/// qapfw/kernels/swap_neighbourhood.hpp. Powers of two, so that few kernels are compiled. `searches`: 0 if not known.
inline void define_searches(KernelRequest& request, const qapfw_device& device, std::uint64_t searches) {
    const std::uint64_t each = (searches + device.multiprocessors - 1) / std::max(device.multiprocessors, 1u);
    if (each == 0 || each > kFewSearches) return;
    request.defines.push_back("QAPFW_SEARCHES_PER_MULTIPROCESSOR=" + std::to_string(std::bit_ceil(each)));
}

}  // namespace qapfw::sdk
