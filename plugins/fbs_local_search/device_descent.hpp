// SPDX-License-Identifier: Apache-2.0
// fbs_local_search on one GPU; the device code is device/fbs_local_search_kernel.cuh.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "plugins/fbs_local_search/device/fbs_move_order.hpp"
#include "plugins/fbs_local_search/fbs_parameters.hpp"
#include "qapfw/abi/improver.h"
#include "qapfw/sdk/device.hpp"
#include "qapfw/sdk/launch_length.hpp"
#include "qapfw/sdk/problem_ref.hpp"

namespace qapfw::fbs_local_search {

/// The settings of a descent.
struct DescentOptions {
    Improvement improvement = Improvement::kFirst;
    std::span<const kernels::FbsMoveRange> ranges;
    std::uint64_t moves = 0, evaluations = 0;  ///< limits for one solution; 0: none is allowed
    /// Largest number of neighbours that one launch checks for each solution. should_stop is called between launches.
    std::uint64_t slice = 20'000;
};

/// Estimates how many neighbours of each solution a GPU checks in some hundredths of a second, at least 100 and at most
/// 20,000. The GPU works on `count` solutions of n departments. A CUDA block works on one solution and checks
/// 4e8 / n^2 neighbours in that time. The estimate counts four CUDA blocks for each multiprocessor.
constexpr std::uint64_t neighbours_of_launch(std::uint64_t count, std::uint64_t n, std::uint32_t multiprocessors) {
    const std::uint64_t waves = multiprocessors == 0 ? count + 1 : count / (4 * std::uint64_t{multiprocessors}) + 1;
    return std::clamp<std::uint64_t>(400'000'000 / (waves * n * n), 100, 20'000);
}

/// The most solutions that a multiprocessor works on at the same time, one in each of 8 CUDA blocks of 256 threads.
/// With more than about 120 departments there are fewer blocks, for lack of shared memory. The number is a constant:
/// to ask the driver for it, a kernel would have to be compiled first.
constexpr std::uint64_t kDescentsOfMultiprocessor = 8;

class DeviceDescent {
  public:
    /// Starts to compile the kernels.
    static void announce(const qapfw_device& device);
    /// Throws qapfw::Error if the problem fixes positions, because positions may be numbered differently on a GPU.
    DeviceDescent(const qapfw_device& device, const sdk::ProblemRef& problem, std::uint64_t capacity);
    void enqueue(qapfw_stream* stream, const qapfw_device_batch& batch, const qapfw_improve_request& request,
                 const DescentOptions& options);
    /// The number of neighbours that all finished calls checked.
    std::uint64_t evaluations() const;

  private:
    static constexpr std::uint64_t kLongestSlice = 20'000, kShortestSlice = 1000;
    static constexpr double kSecondsOfLaunch = 0.1;

    const qapfw_device& device_;
    sdk::ProblemView view_;
    std::uint32_t stride_;  ///< bytes from one solution to the next
    sdk::Kernel layout_kernel_, kernel_;
    mutable sdk::Stream own_stream_;
    std::uint64_t layout_[2] = {};
    sdk::DeviceBuffer<std::uint64_t> looked_at_;
    sdk::DeviceBuffer<std::uint32_t> unfinished_;
    sdk::DeviceBuffer<unsigned char> states_;
    /// Limit on the neighbours of each solution that one launch looks at. It falls if other work slows the GPU down.
    sdk::LaunchLength slices_{kLongestSlice, kLongestSlice, kSecondsOfLaunch};
};

}  // namespace qapfw::fbs_local_search
