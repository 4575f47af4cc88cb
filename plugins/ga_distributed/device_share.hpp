// SPDX-License-Identifier: Apache-2.0
// The subpopulations that live on one GPU: buffers, kernels, the improver's workspace. Calls enqueue and return; those
// that move data say which host memory must stay until synchronize.
#pragma once

#include <vector>

#include "plugins/ga_distributed/islands.hpp"
#include "qapfw/sdk/device_improver.hpp"
#include "qapfw/sdk/device_population.hpp"

namespace qapfw::ga_distributed {

class DeviceShare {
  public:
    /// `islands` of the process' subpopulations from `first` on.
    DeviceShare(const qapfw_device& device, const sdk::ProblemRef& problem, const qapfw_improver_ref* improver,
                const IslandOptions& options, std::uint32_t first, std::uint32_t islands);

    /// Generation 0 with the improver: `warm` has the first solutions of the process, the others are drawn. Waits where
    /// there are warm ones and where the improver does.
    void begin(const std::vector<unsigned char>& warm, const sdk::Run& run);
    /// Generations first+1..last: in one launch, or step by step where an improver works between the steps or the
    /// pools do not fit shared memory. Waits where the improver does.
    void evolve(std::uint64_t first, std::uint64_t last, const sdk::Run& run);
    /// Where this GPU holds all individuals.
    void exchange(std::uint64_t generation, std::uint32_t moved);
    void mark() { marked_here_ = true; }
    void revert();
    void start_report(std::uint64_t generation, bool with_digest);
    /// After synchronize.
    const sdk::DeviceReport<kernels::GaReport<qapfw_cost>>& report() const { return report_; }
    std::uint64_t improver_evaluations() const { return improver_.evaluations(); }

    /// This share's part of the state to and from the host.
    void upload(const Individuals& state);
    void download(Individuals& state);
    void synchronize() { stream_.synchronize(); }

  private:
    std::uint32_t fitting_blocks(const qapfw_device& device) const;
    /// CUDA blocks that work on all individuals outside of shared memory.
    std::uint32_t blocks_of_tiles() const;
    kernels::GaPools<qapfw_cost> pools() const;
    kernels::GaPopulation<qapfw_cost> view() const;
    void evolve_in_shared(std::uint64_t first, std::uint64_t last);
    void step(std::uint64_t generation, const sdk::Run& run);

    sdk::Stream stream_;
    IslandOptions options_;  ///< of this share: its number of subpopulations and its first individual
    std::uint64_t stride_;
    std::uint32_t first_here_;  ///< number of its first individual within this process
    sdk::DevicePopulation now_, marked_, next_;
    bool marked_here_ = false;  ///< what is marked is still in now_
    sdk::DeviceBuffer<std::uint16_t> children_, scratch_;
    sdk::DevicePositions positions_;
    sdk::DeviceBuffer<qapfw_cost> child_costs_;
    sdk::DeviceBuffer<qapfw_cost> best_costs_;  ///< of each subpopulation
    sdk::DeviceBuffer<std::uint64_t> best_found_;
    sdk::DeviceBuffer<std::uint32_t> best_individuals_;
    sdk::DeviceReport<kernels::GaReport<qapfw_cost>> report_;
    sdk::ProblemView problem_view_;
    sdk::DeviceImprover improver_;
    sdk::Kernel begin_, evolve_, breed_, select_, move_, bests_, report_kernel_, digest_;
    std::uint32_t fitting_;  ///< see fitting_blocks
    std::uint32_t threads_;  ///< of the block that breeds a subpopulation in shared memory
};

}  // namespace qapfw::ga_distributed
