// SPDX-License-Identifier: Apache-2.0
// The islands that live on one GPU between two migrations: buffers, kernels, the improver's workspace. Calls enqueue
// and return; those that move data say which host memory must stay until synchronize.
#pragma once

#include "plugins/imga/imga_options.hpp"
#include "plugins/imga/island_state.hpp"
#include "qapfw/sdk/device_improver.hpp"
#include "qapfw/sdk/device_population.hpp"

namespace qapfw::imga {

class DeviceShare {
  public:
    /// `islands` of the process' islands from `first` on.
    DeviceShare(const qapfw_device& device, const sdk::ProblemRef& problem, const qapfw_improver_ref* improver,
                const ImgaOptions& options, std::uint32_t first, std::uint32_t islands);

    /// This share's part of the state to and from the host. The state must stay until synchronize.
    void upload(const IslandState& state);
    void download(IslandState& state);
    /// Generations first+1..last.
    void evolve(std::uint64_t first, std::uint64_t last, const sdk::Run& run);
    /// As many generations as keep a queue of launches to some hundredths of a second.
    std::uint64_t slice() const { return slice_; }
    void synchronize() { stream_.synchronize(); }
    /// Since the last upload, as of the last download; the improver's since the beginning.
    std::uint64_t evaluations() const { return evaluations_; }
    std::uint64_t improver_evaluations() const { return improver_.evaluations(); }

  private:
    kernels::IslandArrays<qapfw_cost> make_arrays() const;
    template <class Move>
    void for_all_arrays(const Move& move);
    void improve(std::uint64_t generation, const sdk::Run& run);

    sdk::Stream stream_;
    ImgaOptions options_;  ///< of this share: its number of islands and its first one
    std::uint32_t first_;  ///< number of its first island within this process
    std::uint64_t bytes_;  ///< of one solution
    sdk::DeviceBuffer<unsigned char> parents_, children_, mirrors_, improved_children_, best_solutions_;
    sdk::DeviceBuffer<std::uint16_t> positions_, fixed_;
    sdk::DeviceBuffer<qapfw_cost> costs_, child_costs_, improved_costs_, best_costs_, present_best_;
    sdk::DeviceBuffer<std::uint32_t> survivors_, sorted_;
    sdk::DeviceBuffer<std::uint8_t> changed_;
    sdk::DeviceBuffer<std::uint64_t> best_found_, improved_, count_;
    sdk::DevicePositions order_;
    sdk::ProblemView problem_view_;
    sdk::DeviceImprover improver_;
    sdk::Kernel breed_, take_improved_, replace_;
    kernels::IslandArrays<qapfw_cost> arrays_;
    std::uint64_t slice_, evaluations_ = 0;
};

}  // namespace qapfw::imga
