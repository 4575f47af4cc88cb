// SPDX-License-Identifier: Apache-2.0
// The grids that live on one GPU: buffers, kernels, the improver's workspace. Calls enqueue and return; those that move
// data say which host memory must stay until synchronize.
#pragma once

#include <vector>

#include "plugins/pga_grid/grids.hpp"
#include "qapfw/sdk/device_improver.hpp"
#include "qapfw/sdk/device_population.hpp"

namespace qapfw::pga_grid {

/// What the kernels get by value; device/grids_kernels.cuh has the same struct.
struct DeviceView {
    kernels::PgaRules rules;
    std::uint64_t first_neighbour, neighbours, positions, order, base, solutions, costs, selected, selected_costs,
        scratch, opponents, remembered, best_solutions, best_costs, best_generations, best_cells, emigrants,
        emigrant_costs, evaluations, stride;
    std::uint32_t cells, first_here, first_grid, opponents_in_shared;
};
static_assert(sizeof(DeviceView) == 216, "as in device/grids_kernels.cuh");

class DeviceShare {
  public:
    /// `grids` of the process' grids from `first` on.
    DeviceShare(const qapfw_device& device, const sdk::ProblemRef& problem, const qapfw_improver_ref* improver,
                const GridOptions& options, std::uint32_t first, std::uint32_t grids);

    /// The first population: `warm` has the first solutions of the process, the others are drawn. Waits where there are
    /// warm ones.
    void populate(const std::vector<unsigned char>& warm);
    void select(std::uint64_t generation);
    void cross(std::uint64_t generation);
    void remember_best();
    /// Mutation and transposition of all cells but the remembered ones, with their costs.
    void change(std::uint64_t generation);
    /// Waits where the improver does.
    void improve(std::uint64_t generation, const sdk::Run& run);
    void keep_best(std::uint64_t generation);

    /// The best of every grid steps forward; the last one's to `emigrant`, after synchronize.
    void emigrate(Champion& emigrant);
    /// `newcomer`, which has to stay until synchronize, at the first grid, the others on the ring.
    void immigrate(const Champion& newcomer);

    void mark();
    void revert();
    void start_bests();
    /// After synchronize: takes the place of `best` where a grid of this share has a better one, or one found before.
    void merge_bests(const sdk::CostLess& less, Champion& best);
    void start_digest(qapfw_cost best, std::uint64_t generation);
    /// After synchronize.
    std::uint64_t digest() const { return digest_; }
    /// As of the bests.
    std::uint64_t evaluations() const { return evaluated_ + improver_.evaluations(); }

    /// This share's part of the state to and from the host.
    void upload(const GridState& state);
    void download(GridState& state);
    void synchronize() { stream_.synchronize(); }

  private:
    /// CUDA blocks that work on all cells.
    std::uint32_t blocks_of_tiles() const;
    /// What a round changes.
    struct State {
        State(const qapfw_device& device, std::uint64_t cells, std::uint64_t grids, std::uint64_t stride);
        void copy_from(sdk::Stream& stream, const State& other);
        sdk::DeviceBuffer<std::uint16_t> solutions, best_solutions;
        sdk::DeviceBuffer<qapfw_cost> costs, best_costs;
        sdk::DeviceBuffer<std::uint64_t> best_generations;
        sdk::DeviceBuffer<std::uint32_t> best_cells;
    };

    DeviceView make_view(const sdk::ProblemRef& problem) const;

    sdk::Stream stream_;
    GridOptions options_;  ///< of this share: its number of grids and its first one
    std::uint64_t stride_;
    std::uint32_t first_here_;  ///< number of its first cell within this process
    State now_, marked_;
    sdk::DeviceBuffer<std::uint16_t> selected_, scratch_, emigrants_;
    sdk::DeviceBuffer<qapfw_cost> selected_costs_, emigrant_costs_;
    sdk::DeviceBuffer<std::uint64_t> first_neighbour_;
    sdk::DeviceBuffer<std::uint32_t> neighbours_, opponents_, remembered_;
    sdk::DeviceBuffer<std::uint64_t> evaluations_, digest_sum_;
    sdk::DevicePositions positions_;
    sdk::ProblemView problem_view_;
    sdk::DeviceImprover improver_;
    sdk::Kernel populate_, select_, cross_, remember_, change_, keep_best_, emigrate_, immigrate_, digest_kernel_;
    DeviceView view_;
    std::uint64_t digest_ = 0;
    std::uint64_t evaluated_ = 0;         ///< as downloaded last
    std::vector<qapfw_cost> best_costs_;  ///< per grid, as downloaded last
    std::vector<std::uint64_t> best_generations_;
    std::vector<std::uint32_t> best_cells_;
};

}  // namespace qapfw::pga_grid
