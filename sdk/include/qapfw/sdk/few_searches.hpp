// SPDX-License-Identifier: Apache-2.0
// The number of searches that a solver or improver has on a GPU. The problem's device code may adapt to that number.
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

constexpr std::uint32_t kFewSearches = 4;  ///< largest number of searches per multiprocessor that counts as few

/// Number of searches over the problem's swap neighbourhood that the GPU runs at the same time. The number follows from
/// the hints in the problem's device code, so no kernel is compiled. 0: unknown.
inline std::uint64_t hinted_searches(const ProblemRef& problem, const qapfw_device& device,
                                     const ThreadAssignment& assignment = {}) {
    const auto* const table = problem.capability<qapfw_problem_device>(QAPFW_PROBLEM_DEVICE);
    if (assignment.kind != ThreadAssignment::kTiled || table == nullptr || table->searches == nullptr) return 0;
    return std::uint64_t{table->searches(problem.get()->problem, &device)} * device.multiprocessors;
}

/// The least number of searches on the GPU that no longer counts as few (see kFewSearches). From this number on, a
/// problem gives each search only the usual number of threads.
inline std::uint32_t many_searches(const qapfw_device& device) {
    return kFewSearches * device.multiprocessors + 1;
}

/// Size of the batch to announce to an improver that gets `own` of the `on_gpu` solutions on the GPU. The improver
/// chooses its kernel by this size. So a GPU with many searches must not look like one with few.
inline std::uint32_t batch_beside_others(const qapfw_device& device, std::uint32_t own, std::uint32_t on_gpu) {
    return std::max(own, std::min(on_gpu, many_searches(device)));
}

/// Defines a macro for the kernel if a multiprocessor has at most kFewSearches searches. The macro's value is this
/// number of searches, rounded up to a power of two, so that few kernels are compiled. With the macro, a problem may
/// give each search more threads: see qapfw/kernels/swap_neighbourhood.hpp. `searches`: number of searches on the GPU.
/// If it is 0, the number is unknown and no macro is defined.
inline void define_searches(KernelRequest& request, const qapfw_device& device, std::uint64_t searches) {
    const std::uint64_t each = (searches + device.multiprocessors - 1) / std::max(device.multiprocessors, 1u);
    if (each == 0 || each > kFewSearches) return;
    request.defines.push_back("QAPFW_SEARCHES_PER_MULTIPROCESSOR=" + std::to_string(std::bit_ceil(each)));
}

}  // namespace qapfw::sdk
