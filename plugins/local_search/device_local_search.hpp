// SPDX-License-Identifier: Apache-2.0
// 2-opt and greedy 2-opt on one GPU; the device code is device/local_search_kernel.cuh.
#pragma once

#include <cstdint>

#include "qapfw/abi/improver.h"
#include "qapfw/sdk/device.hpp"
#include "qapfw/sdk/problem_ref.hpp"
#include "qapfw/sdk/thread_assignment.hpp"

namespace qapfw::local_search {

enum class Descent : std::uint32_t { kBestImprovement = 0, kGreedySweeps = 1, kRisingSweeps = 2 };

class DeviceLocalSearch {
  public:
    DeviceLocalSearch(const qapfw_device& device, const sdk::ProblemRef& problem, Descent descent,
                      std::uint64_t capacity, const sdk::ThreadAssignment& assignment = {});
    /// Starts to compile the kernels for `capacity` solutions.
    static void announce(const qapfw_device& device, Descent descent, std::uint64_t capacity,
                         const sdk::ThreadAssignment& assignment = {});
    /// Starts a descent from each solution of the batch. A descent ends when no swap improves its solution. `limit`:
    /// largest number of swaps (kBestImprovement) or of sweeps; 0: no limit. `evaluations`: as in
    /// qapfw_improve_request.
    void enqueue(qapfw_stream* stream, const qapfw_device_batch& batch, std::uint64_t limit, std::uint64_t evaluations);
    /// Number of solutions that the device works on at the same time.
    std::uint64_t solutions_at_a_time() const;
    /// Number of pairs checked so far, in all finished calls of enqueue() together.
    std::uint64_t evaluations() const;

  private:
    const qapfw_device& device_;
    sdk::ProblemView view_;
    Descent descent_;
    std::uint32_t stride_;  ///< elements from one solution to the next
    std::uint64_t pairs_;
    sdk::Kernel layout_kernel_, kernel_;
    mutable sdk::Stream own_stream_;
    std::uint64_t layout_[4] = {};
    sdk::DeviceBuffer<std::uint64_t> scans_;
    sdk::DeviceBuffer<unsigned char> workspace_;
};

}  // namespace qapfw::local_search
