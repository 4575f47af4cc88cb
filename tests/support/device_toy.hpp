// SPDX-License-Identifier: Apache-2.0
// The toy problem on emulated GPUs. A solver may use one thread for each GPU.
#pragma once

#include <memory>
#include <vector>

#include "qapfw/sdk/free_positions.hpp"
#include "tests/support/emulated_device.hpp"
#include "tests/support/threaded_host.hpp"
#include "tests/support/toy_problems.hpp"

namespace qapfw::test {

constexpr std::uint32_t kMuchShared = 200'000, kNoShared = 0;  ///< bytes of shared memory of a CUDA block

/// ToyOrdering, or a class derived from it, with the data for its emulated kernels.
template <class Problem = ToyOrdering>
struct DeviceToy {
    explicit DeviceToy(const Given& given) : problem(host, given), place(sdk::kernel_order(problem.ref())) {
        const std::uint32_t n = problem.ref().length();
        for (std::uint32_t k = 0; k < n * n; ++k) {  // the weights that ToyOrdering draws
            weights.push_back(static_cast<std::int64_t>(kernels::below(kernels::draw(7, 0, 0, 1, k), 201)) - 100);
        }
        view = {weights.data(), place.data(), static_cast<std::int32_t>(n)};
    }
    ThreadedHost host{5};
    TestProblem<Problem> problem;
    std::vector<std::int64_t> weights;
    std::vector<std::uint16_t> place;
    ToyView view{};
};

/// A list of `count` emulated GPUs for a run. If it is empty, the run works on the CPU.
class EmulatedGpus {
  public:
    EmulatedGpus(const ToyView& view, std::uint32_t count, std::uint32_t shared_bytes) {
        for (std::uint32_t d = 0; d < count; ++d) {
            devices_.push_back(std::make_unique<EmulatedDevice>(view));
            devices_.back()->shared_bytes_per_block = shared_bytes;
            tables_.push_back(std::make_unique<qapfw_device>(*devices_.back()->get()));
            tables_.back()->ordinal = d;
            tables_.back()->shared_bytes_per_block = shared_bytes;
            tables_.back()->shared_bytes_per_multiprocessor = shared_bytes;
            pointers_.push_back(tables_.back().get());
        }
    }
    void give_to(qapfw_run& run) const {
        run.devices = pointers_.data();
        run.device_count = static_cast<std::uint32_t>(pointers_.size());
    }
    const qapfw_device& operator[](std::size_t k) const { return *pointers_[k]; }
    void check_all_worked() const {
        for (const auto& device : devices_) CHECK(device->launches > 0);
    }

  private:
    std::vector<std::unique_ptr<EmulatedDevice>> devices_;
    std::vector<std::unique_ptr<qapfw_device>> tables_;
    std::vector<const qapfw_device*> pointers_;
};

}  // namespace qapfw::test
