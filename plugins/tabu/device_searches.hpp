// SPDX-License-Identifier: Apache-2.0
// Tabu searches on one GPU: the compiled kernel, the searches' memory, and launches of bounded length. The device side
// is device/tabu_kernel.cuh; structures here mirror the ones there.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "plugins/tabu/searches.hpp"
#include "qapfw/kernels/tabu_rules.hpp"
#include "qapfw/sdk/device.hpp"
#include "qapfw/sdk/problem_ref.hpp"

namespace qapfw::tabu {

/// What a search is between launches, as in device/tabu_standing.cuh.
struct DeviceState {
    std::int64_t cost, best_cost;  ///< bit patterns where costs are binary64
    std::uint64_t iteration, best_iteration, idle, base;
};

/// Launches of the tabu kernel of one (problem, device).
class TabuKernel {
  public:
    enum Flag : std::uint32_t { kStart = 1, kImprove = 2, kNewCurrent = 4, kResume = 8 };
    /// Arrays of `count` searches; see TabuLaunch in device/tabu_kernel.cuh.
    struct Arrays {
        std::uint64_t current, best, expiry, states, digests, workspace, costs, numbers;
        std::uint32_t count, first_search, flags;
    };

    /// For launches of at most `searches` searches; 0: of any number, as many at a time as fit.
    TabuKernel(const qapfw_device& device, const sdk::ProblemRef& problem, const kernels::TabuOptions& options,
               const sdk::ThreadAssignment& assignment, std::uint64_t searches);

    /// Searches that the device works on at a time.
    std::uint32_t capacity() const { return capacity_; }
    std::uint64_t workspace_bytes() const { return layout_[3]; }  ///< of one search
    std::uint64_t expiry_words() const { return layout_[4]; }     ///< of one search
    bool has_own_neighbourhood() const { return layout_[5] != 0; }
    void launch(sdk::Stream& stream, const Arrays& arrays, const kernels::TabuOptions& options,
                std::uint64_t iterations);

  private:
    sdk::ProblemView view_;
    std::uint32_t stride_;  ///< elements from solution to solution
    sdk::Kernel layout_kernel_, kernel_;
    std::uint64_t layout_[6] = {};
    std::uint32_t capacity_ = 0;
};

/// Searches first .. first + count - 1 of a run, on one device.
class DeviceSearches {
  public:
    DeviceSearches(const qapfw_device& device, const sdk::ProblemRef& problem, const kernels::TabuOptions& options,
                   const sdk::ThreadAssignment& assignment, std::uint32_t first, std::uint32_t count, bool few);

    std::uint32_t first() const { return first_; }
    std::uint32_t count() const { return count_; }
    void start(std::span<const std::uint16_t> starts);  ///< length_ values per search
    /// Enqueues a slice; returns at once.
    void enqueue(std::uint64_t iterations);
    void wait() { stream_.synchronize(); }
    /// All searches go on from these solutions, length_ values each; those with forget set forget their best.
    void replace(std::span<const std::uint16_t> solutions, std::span<const std::uint8_t> forget);

    /// Valid after refresh().
    const std::vector<DeviceState>& states() const { return states_; }
    const std::vector<std::uint64_t>& digests() const { return digests_; }
    void refresh();
    std::vector<std::uint16_t> best_solutions(std::uint32_t from, std::uint32_t count);

    /// Everything a checkpoint needs, in the CPU's terms.
    struct Saved {
        std::vector<std::uint16_t> current, best;  ///< length values per search
        std::vector<std::int32_t> expiry;          ///< expiry_words per search
        std::vector<DeviceState> states;
    };
    Saved save();
    void load(const Saved& saved);
    std::uint64_t expiry_words() const { return kernel_.expiry_words(); }

  private:
    std::vector<std::uint16_t> padded(std::span<const std::uint16_t> solutions) const;
    std::vector<std::uint16_t> unpadded(const std::vector<std::uint16_t>& solutions) const;

    sdk::ProblemRef problem_;
    kernels::TabuOptions options_;
    std::uint32_t first_, count_, length_, stride_;
    TabuKernel kernel_;
    sdk::Stream stream_;
    sdk::DeviceBuffer<std::uint16_t> current_, best_;
    sdk::DeviceBuffer<std::int32_t> expiry_;
    sdk::DeviceBuffer<DeviceState> device_states_;
    sdk::DeviceBuffer<std::uint64_t> device_digests_;
    sdk::DeviceBuffer<unsigned char> workspace_;
    std::vector<DeviceState> states_;
    std::vector<std::uint64_t> digests_;
    std::uint32_t flags_ = 0;
};

}  // namespace qapfw::tabu
