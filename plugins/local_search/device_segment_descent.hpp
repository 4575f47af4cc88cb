// SPDX-License-Identifier: Apache-2.0
// Descents over the moves of any segments, or over insertions, on one GPU.
#pragma once

#include <memory>

#include "plugins/local_search/device_local_search.hpp"
#include "qapfw/sdk/device_moves.hpp"

namespace qapfw::local_search {

/// Descents over lists of moves, for batches of solutions.
class DeviceSegmentDescent {
  public:
    DeviceSegmentDescent(const qapfw_device& device, const sdk::ProblemRef& problem, Descent descent,
                         std::uint64_t capacity, bool inserts);
    static void announce(const qapfw_device& device, bool inserts);
    /// Starts to improve each solution of the batch. `limit`: largest number of scans for each solution; 0: no limit.
    /// `evaluations`: as in qapfw_improve_request.
    void enqueue(qapfw_stream* stream, const qapfw_device_batch& batch, std::uint64_t limit, std::uint64_t evaluations);
    std::uint64_t evaluations() const;

  private:
    const qapfw_device& device_;
    sdk::ProblemView view_;
    Descent descent_;
    std::uint32_t stride_;
    std::uint64_t moves_;
    sdk::Kernel kernel_;
    mutable sdk::Stream own_stream_;
    sdk::DeviceBuffer<std::uint64_t> scans_;
    sdk::DeviceMoves segments_;
};

/// The descent that suits the problem's solutions: a DeviceSegmentDescent if `inserts` is true or if sdk::has_segments
/// is true of the problem, otherwise a DeviceLocalSearch.
class DeviceDescent {
  public:
    DeviceDescent(const qapfw_device& device, const sdk::ProblemRef& problem, Descent descent, std::uint64_t capacity,
                  bool inserts, const sdk::ThreadAssignment& assignment = {});
    static void announce(const qapfw_device& device, const sdk::ProblemRef& problem, Descent descent,
                         std::uint64_t capacity, bool inserts, const sdk::ThreadAssignment& assignment = {});
    /// Number of solutions that the device works on at the same time.
    static std::uint64_t capacity(const qapfw_device& device, const sdk::ProblemRef& problem, Descent descent,
                                  bool inserts, const sdk::ThreadAssignment& assignment = {});
    void enqueue(qapfw_stream* stream, const qapfw_device_batch& batch, std::uint64_t limit, std::uint64_t evaluations);
    std::uint64_t evaluations() const;

  private:
    std::unique_ptr<DeviceLocalSearch> swaps_;  ///< null if segments_ is set
    std::unique_ptr<DeviceSegmentDescent> segments_;
};

}  // namespace qapfw::local_search
