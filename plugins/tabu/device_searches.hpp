// SPDX-License-Identifier: Apache-2.0
// Tabu searches on one GPU: the compiled kernel, and its launches. The device side is device/tabu_kernel.cuh.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "plugins/tabu/device/tabu_rules.hpp"
#include "plugins/tabu/device/tabu_state.hpp"
#include "plugins/tabu/searches.hpp"
#include "qapfw/sdk/device.hpp"
#include "qapfw/sdk/device_moves.hpp"
#include "qapfw/sdk/problem_ref.hpp"
#include "qapfw/sdk/thread_assignment.hpp"

namespace qapfw::tabu {

/// The moves of a kernel: swaps of one permutation; swaps and moves of bays; moves of any segments; or insertions.
enum class KernelMoves { kExchanges, kLayouts, kSegments, kInsertions };
/// The moves for this problem: insertions if `inserts` is true, otherwise those that suit the segments of its
/// solutions. Bits of layouts move only if `moves_bits` is true.
KernelMoves kernel_moves(const sdk::ProblemRef& problem, bool moves_bits, bool inserts);

/// The tabu kernel, compiled for one problem and one device, and its launches.
class TabuKernel {
  public:
    enum Flag : std::uint32_t { kStart = 1, kImprove = 2, kNewCurrent = 4, kResume = 8 };
    /// Addresses of the arrays of `count` searches, and other arguments of a launch; see TabuLaunch in
    /// device/tabu_kernel.cuh.
    struct Arrays {
        std::uint64_t current, best, expiry, states, digests, workspace, costs, numbers, evaluations, evaluated;
        std::uint32_t count, first_search, flags;
    };

    /// `searches`: the greatest number of searches in a launch. If there are few, each may get more threads. 0: the
    /// number is not known.
    TabuKernel(const qapfw_device& device, const sdk::ProblemRef& problem, const kernels::TabuOptions& options,
               const sdk::ThreadAssignment& assignment, std::uint64_t searches, KernelMoves moves);

    /// Number of searches that the device runs at the same time.
    std::uint32_t capacity() const { return capacity_; }
    std::uint64_t workspace_bytes() const { return layout_.workspace_bytes; }  ///< bytes of workspace of one search
    /// Number of expiries of one search.
    std::uint64_t expiry_words() const { return segments_ ? segments_->expiry_words : layout_.expiry_words; }
    /// True if the kernel goes over a list of moves, without a table of deltas (segment_tabu_kernel.cuh).
    bool goes_over_list() const { return segments_.has_value(); }
    bool has_own_neighbourhood() const { return layout_.has_own_neighbourhood != 0; }
    void launch(sdk::Stream& stream, const Arrays& arrays, const kernels::TabuOptions& options,
                std::uint64_t iterations);

  private:
    /// Further arguments of a kernel that goes over a list of moves: moves of segments, or insertions.
    struct Segments {
        sdk::DeviceMoves moves;
        sdk::DeviceBuffer<std::uint64_t> offsets;  ///< for each element, the index of its first expiry in a search
        std::uint64_t expiry_words;                ///< number of expiries of one search
        std::uint32_t by_value;  ///< 1: one expiry for each value of an element; 0: one expiry for each element
    };
    static std::optional<Segments> segments_of(const qapfw_device& device, const sdk::ProblemRef& problem,
                                               KernelMoves moves);

    sdk::ProblemView view_;
    std::uint32_t stride_;  ///< elements from one solution to the next
    std::optional<Segments> segments_;
    sdk::Kernel layout_kernel_, kernel_;
    TabuLayout layout_{};
    std::uint32_t capacity_ = 0;
};

/// The searches of one GPU. The tabu kernel works on the fields of the place.
class DeviceSearches {
  public:
    using Place = sdk::DevicePlace<Searches>;

    DeviceSearches(Place& place, const kernels::TabuOptions& options, const sdk::ThreadAssignment& assignment,
                   std::uint64_t searches, KernelMoves moves);

    /// Enqueues the start of all searches: each at its current solution in the fields, which is also its best.
    void start(Place& place) { enqueue(place, 0, TabuKernel::kStart); }
    /// Enqueues `iterations` iterations of all searches.
    void advance(Place& place, std::uint64_t iterations);
    /// Enqueues a launch that makes all searches continue from new current solutions. Call it after you have written
    /// these solutions to the fields.
    void enter(Place& place) { enqueue(place, 0, TabuKernel::kNewCurrent); }
    /// Restores all searches from the fields, which a host or a GPU may have saved. Waits for the GPU.
    void restore(Place& place);
    /// Number of iterations that every search will have made when the enqueued work is done.
    std::uint64_t iteration() const { return iteration_; }

    /// Fetches the present states of the searches and their digests. Waits for the GPU.
    void look(Place& place);
    const std::vector<TabuState>& standings() const { return standings_; }
    std::uint64_t digest(const sdk::Shard& shard) const;
    /// Best solution of a search of this place, with the cost that is in the search's state. Waits for the GPU, unless
    /// the last call returned the same solution.
    const sdk::Leader& best_of(Place& place, std::size_t search);

  private:
    void enqueue(Place& place, std::uint64_t iterations, std::uint32_t flags) {
        enqueue(place, iterations, flags, 0, place.shard().groups);
    }
    void enqueue(Place& place, std::uint64_t iterations, std::uint32_t flags, std::uint32_t first, std::uint32_t count);
    void check_perturbations(const sdk::ProblemRef& problem) const;
    void catch_up(Place& place);

    kernels::TabuOptions options_;
    TabuKernel kernel_;
    sdk::DeviceBuffer<std::uint64_t> device_digests_;
    sdk::DeviceBuffer<unsigned char> workspace_;
    std::vector<TabuState> standings_;
    std::vector<std::uint64_t> digests_;
    sdk::Leader told_;  ///< answer of the last call of best_of
    std::uint64_t iteration_ = 0;
    std::uint32_t flags_ = 0;
};

/// The request for the tabu kernel. Its launches have at most `searches` searches; 0: any number.
sdk::KernelRequest search_request(const qapfw_device& device, const kernels::TabuOptions& options,
                                  const sdk::ThreadAssignment& assignment, std::uint64_t searches, KernelMoves moves);

/// Number of searches that all devices together run at the same time. Compiles the kernel only if the problem's device
/// code gives no hint of this number.
std::uint32_t gpu_capacity(std::span<const qapfw_device* const> devices, const sdk::ProblemRef& problem,
                           const kernels::TabuOptions& options, const sdk::ThreadAssignment& assignment,
                           KernelMoves moves);

}  // namespace qapfw::tabu
