// SPDX-License-Identifier: Apache-2.0
// The blocks that live on one GPU: buffers, kernels, the improver's workspace. Calls enqueue and return; those that
// move data say which host memory must stay until synchronize.
#pragma once

#include <vector>

#include "plugins/ga_independent/blocks.hpp"
#include "qapfw/sdk/device_improver.hpp"
#include "qapfw/sdk/device_population.hpp"

namespace qapfw::ga_independent {

/// What the kernels get by value; device/blocks_kernels.cuh has the same struct.
struct DeviceView {
    kernels::GaPopulation<qapfw_cost> population;
    std::uint64_t best_solutions, best_costs, best_found, restarts, evaluations, drawn_anew, end;
    qapfw_cost target;
    std::uint64_t restart_check;
    std::uint32_t restart_at, has_target, improves, unused;
};
static_assert(sizeof(DeviceView) == 216, "as in device/blocks_kernels.cuh");

class DeviceShare {
  public:
    /// `blocks` of the process' blocks from `first` on.
    DeviceShare(const qapfw_device& device, const sdk::ProblemRef& problem, const qapfw_improver_ref* improver,
                const BlockOptions& options, std::uint32_t first, std::uint32_t blocks);

    /// Generation 0 with the improver: `warm` has the first solutions of the process, the others are drawn. Waits where
    /// there are warm ones and where the improver does.
    void begin(const std::vector<unsigned char>& warm, const sdk::Run& run);
    /// Generations first+1..last: in one launch, or step by step where an improver works between the steps or the
    /// pools do not fit shared memory. Waits where the improver does, and where blocks with one may restart.
    void evolve(std::uint64_t first, std::uint64_t last, const sdk::Run& run);
    void mark();
    void revert();
    /// After synchronize `take_bests` brings the bests to the state; the digest is that of `generation`.
    void start_report(std::uint64_t generation);
    void take_bests(BlockBests& bests) const;
    std::uint64_t digest() const { return report_.header().digest; }
    /// Blocks stop after generation `end` or when one reaches the run's target.
    void start_round(std::uint64_t end, const sdk::Run& run);
    /// After synchronize: the generation in which a block first reached the target, else the round's end.
    void start_end_download() { end_.download(stream_, {found_at_, 1}); }
    std::uint64_t end() const { return found_at_[0]; }
    /// The same while blocks run, and word from another GPU; for the asynchronous found flag.
    std::uint64_t look_at_end();
    void send_end(std::uint64_t end);
    bool finished() { return stream_.finished(); }
    std::uint64_t improver_evaluations() const { return improver_.evaluations(); }

    /// This share's part of the state to and from the host; what take_bests brings does not come again.
    void upload(const BlockState& state);
    void download(BlockState& state);
    void synchronize() { stream_.synchronize(); }

  private:
    /// What a round changes.
    struct State {
        State(const qapfw_device& device, const BlockOptions& options, std::uint64_t stride);
        void clear(sdk::Stream& stream);
        sdk::DevicePopulation individuals;
        sdk::DeviceBuffer<std::uint64_t> records;  ///< of the blocks; see for_all_records
        sdk::DeviceBuffer<std::uint16_t> best_solutions;
    };

    std::uint32_t fitting_blocks(const qapfw_device& device) const;
    /// CUDA blocks that work on all individuals outside of shared memory.
    std::uint32_t blocks_of_tiles() const;
    kernels::GaPools<qapfw_cost> pools() const;
    DeviceView view() const;
    void evolve_in_shared(std::uint64_t first, std::uint64_t last);
    void step(std::uint64_t generation, const sdk::Run& run);
    void improve_restarted(std::uint64_t generation, const sdk::Run& run);

    sdk::Stream stream_, side_stream_;
    BlockOptions options_;  ///< of this share: its number of blocks and its first individual
    std::uint64_t stride_;
    std::uint32_t first_block_, blocks_;
    State now_, marked_;
    bool marked_here_ = false;  ///< the individuals that are marked are still in now_
    sdk::DeviceBuffer<std::uint16_t> children_, scratch_;
    sdk::DevicePositions positions_;
    sdk::DeviceBuffer<qapfw_cost> child_costs_;
    sdk::DeviceBuffer<std::uint32_t> drawn_anew_;
    sdk::DeviceBuffer<std::uint64_t> end_;
    sdk::DeviceReport<kernels::GaReport<qapfw_cost>> report_;
    sdk::ProblemView problem_view_;
    sdk::DeviceImprover improver_;
    sdk::Kernel begin_, evolve_, breed_, settle_, keep_best_, report_kernel_, digest_;
    std::uint32_t fitting_;  ///< see fitting_blocks
    std::uint32_t threads_;  ///< of the block that breeds a subpopulation in shared memory
    std::uint64_t found_at_[2] = {};
    std::uint64_t sent_ = 0;
    qapfw_cost target_{};
    bool has_target_ = false;
    std::vector<std::uint32_t> restarted_;
    std::vector<std::uint64_t> records_;  ///< as downloaded last
};

}  // namespace qapfw::ga_independent
