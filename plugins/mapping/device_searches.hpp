// SPDX-License-Identifier: Apache-2.0
// Searches by annealing; each GPU has a part of them. If a search fits into the shared memory of a CUDA block, the
// block plays many rounds in one launch (device/block_kernel.cuh). Larger searches take two launches for each round
// (device/mapping_kernels.cuh).
#pragma once

#include <array>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "plugins/mapping/device/device_order.hpp"
#include "plugins/mapping/searches.hpp"
#include "qapfw/sdk/device.hpp"
#include "qapfw/sdk/problem_ref.hpp"

namespace qapfw::mapping {

/// The searches of one GPU. play(), look() and begin_states() do not wait for the GPU; the other functions may. The
/// class Searches describes the functions of the same names.
class DevicePart {
  public:
    DevicePart(const qapfw_device& device, std::uint32_t positions, std::uint32_t movers, SearchRange range);

    const SearchRange& range() const { return range_; }
    /// Makes the searches continue from `solutions`: one solution for each search, or one for all.
    void reset(std::span<const std::vector<std::uint32_t>> solutions);
    void play(std::span<const RoundOrder> orders);
    void set_record(std::int64_t cost);
    void look(std::uint64_t iteration);
    void begin_states();
    void finish_states(std::vector<SearchState>& states);
    bool has_better(Best& best);
    std::vector<std::uint32_t> best_solution();
    std::vector<std::uint32_t> solution(std::uint32_t search);
    void wait();

  private:
    /// Shape of a CUDA block that keeps a search in shared memory: its threads, the steps in which they make the
    /// proposals of a round, and the bytes of shared memory.
    struct BlockShape {
        std::uint32_t threads, steps, shared_bytes;
    };
    static std::optional<BlockShape> block_shape(const qapfw_device& device, std::uint32_t positions,
                                                 std::uint32_t proposals);
    void play_in_blocks(std::span<const RoundOrder> orders);
    void play_on_all(std::span<const RoundOrder> orders);
    std::array<std::uint64_t, 3> walk_addresses() const;
    sdk::ArgumentBytes place_arguments(std::optional<std::uint32_t> search) const;
    void download(std::optional<std::uint32_t> search, std::vector<std::uint32_t>& to);
    sdk::ArgumentBytes round_arguments(const RoundOrder& order) const;
    sdk::ArgumentBytes look_arguments(std::uint64_t iteration) const;

    const SearchRange range_;
    const std::uint32_t positions_, movers_, proposals_;
    const std::optional<BlockShape> shape_;
    /// For each CUDA block that makes proposals: the number of its threads, and the number of movers (see
    /// qapfw_sampled_facts) that it looks through.
    const std::uint32_t proposing_threads_, span_;
    sdk::ProblemView view_;
    sdk::Stream stream_;
    std::optional<sdk::Kernel> block_, propose_, exchange_, place_, take_;
    sdk::Kernel costs_kernel_, choose_, keep_, digests_kernel_;
    sdk::DeviceBuffer<std::uint32_t> location_of_, best_location_of_;
    // The members from here to claims_ are used if a search needs more than one CUDA block.
    std::uint32_t blocks_ = 0;                   ///< CUDA blocks of a search in each round
    sdk::DeviceBuffer<std::uint32_t> solution_;  ///< holds a solution on its way from or to the host
    sdk::DeviceBuffer<std::uint32_t> vertex_at_, counts_;
    sdk::DeviceBuffer<AcceptedPair> accepted_;
    sdk::DeviceBuffer<std::uint64_t> code_of_, claims_;
    sdk::DeviceBuffer<std::int32_t> logarithms_;
    sdk::DeviceBuffer<std::uint64_t> sums_, digests_;
    sdk::DeviceBuffer<std::int64_t> costs_;
    sdk::DeviceBuffer<DeviceBest> best_;
    sdk::DeviceBuffer<DeviceOrder> orders_;
    std::deque<std::vector<DeviceOrder>> told_;  ///< orders that are being copied to the GPU
    DeviceBest record_{};
    bool record_is_here_ = false;  ///< false: `best_` on the GPU may be newer than `record_`
    std::vector<std::uint64_t> digests_here_;
    std::vector<std::int64_t> costs_here_;
};

class DeviceSearches final : public Searches {
  public:
    /// Swaps are proposed only for positions below `movers` (see qapfw_sampled_facts).
    DeviceSearches(std::span<const qapfw_device* const> devices, const sdk::ProblemRef& problem, std::uint32_t movers,
                   SearchRange range);

    void reset(std::span<const std::vector<unsigned char>> solutions) override;
    std::uint64_t play(std::span<const RoundOrder> orders, const sdk::StopQuestion& stop) override;
    void wait() override;
    void set_record(std::int64_t cost) override;
    void look(std::uint64_t iteration) override;
    std::vector<SearchState> states() override;
    bool has_better(Best& best) override;
    void best_solution(unsigned char* to) override;
    void solution(std::uint32_t search, unsigned char* to) override;

  private:
    std::vector<std::uint32_t> decoded(const unsigned char* solution) const;
    void encode(const std::vector<std::uint32_t>& location_of, unsigned char* to) const;

    const sdk::ProblemRef problem_;
    const std::uint32_t movers_;
    const SearchRange range_;
    std::vector<std::unique_ptr<DevicePart>> parts_;
    DevicePart* holder_ = nullptr;  ///< the part that has the best solution
};

}  // namespace qapfw::mapping
