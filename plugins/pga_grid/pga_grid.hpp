// SPDX-License-Identifier: Apache-2.0
// Solver "pga_grid": a fine-grained genetic algorithm on a toroidal grid, with a local search for every individual, in
// one or several grids. Source: "PGAGrid", PhD thesis, 2018, chapter 3, algorithm 18.
#pragma once

#include <algorithm>
#include <array>

#include "plugins/pga_grid/device/grid_steps.hpp"
#include "plugins/pga_grid/pga_grid_parameters.hpp"
#include "plugins/pga_grid/topology.hpp"
#include "qapfw/sdk/ga_kernels.hpp"
#include "qapfw/sdk/operator_parameters.hpp"
#include "qapfw/sdk/population_solver.hpp"
#include "qapfw/sdk/segments.hpp"

namespace qapfw::pga_grid {

constexpr std::uint32_t kImproverStream = 64;  ///< random draws of the improver: streams 64 and 65

inline constexpr sdk::KernelName kPopulate{"qapfw_pga_grid_populate"}, kSelect{"qapfw_pga_grid_select"},
    kCross{"qapfw_pga_grid_cross"}, kRemember{"qapfw_pga_grid_remember"}, kChange{"qapfw_pga_grid_change"},
    kKeepBest{"qapfw_pga_grid_keep_best"}, kEmigrate{"qapfw_pga_grid_emigrate"}, kImmigrate{"qapfw_pga_grid_immigrate"},
    kReport{"qapfw_pga_grid_report"}, kDigest{"qapfw_pga_grid_digest"};

class PgaGrid {
  public:
    static constexpr const char* kDeviceEncodings = nullptr;  ///< encodings that GPUs support; null: all
    static constexpr auto& kParameters = pga_grid::kParameters;
    static constexpr sdk::SolverTraits kTraits{.digests_need_leader = true};
    using View = Grids<qapfw_cost>;
    using Host = sdk::HostSteps<View>;
    using Device = sdk::DevicePlace<View>;
    using OnHost = sdk::PopulationOnHost<View>;
    using OnDevices = sdk::PopulationOnDevices<View>;

    explicit PgaGrid(const sdk::SolverContext& context);

    /// The body of the loop of algorithm 18. Mutation leaves the best individual of every grid unchanged.
    template <class Steps>
    void generation(Steps& steps, std::uint64_t t) {
        select(steps, t);
        cross(steps, t);
        remember_best(steps);
        mutate_and_transpose(steps, t);
        improve(steps, t);
        keep_best(steps, t);
    }
    /// If an exchange is due, sends every grid's best to the next grid on the ring.
    template <class Population>
    bool meet(Population& population, std::uint64_t t) {
        if (exchange_every_ == 0 || t % exchange_every_ != 0 || shape().groups == 1) return true;
        population.each([&](auto& steps) { emigrate(steps); });
        population.share({emigrants_, emigrant_costs_});
        population.each([&](auto& steps) {
            immigrate(steps);
            keep_best(steps, t);
        });
        return true;
    }

    // The steps.

    /// Makes a random individual in every cell; the first cells get the warm starts.
    void start(Host& steps);
    void start(Device& place);
    /// Holds a tournament in each grid: a random permutation of the cells gives every cell an opponent. The cell
    /// selects the better of the two individuals.
    void select(Host& steps, std::uint64_t t);
    void select(Device& place, std::uint64_t t);
    /// Crosses each cell with its mate with probability crossover_rate. A child replaces the cell's individual unless
    /// the child is worse.
    void cross(Host& steps, std::uint64_t t);
    void cross(Device& place, std::uint64_t t);
    void remember_best(auto& steps) const {
        on_grids(steps, kRemember, [](const auto& grids, std::uint32_t grid) { grids.remember_best(grid); });
    }
    /// Mutates and transposes random cells, except the cells that remember_best chose. Then computes the new costs.
    void mutate_and_transpose(Host& steps, std::uint64_t t);
    void mutate_and_transpose(Device& place, std::uint64_t t);
    template <class Steps>
    void improve(Steps& steps, std::uint64_t t) {
        steps.improve_all(steps.view().solutions, steps.view().costs, t, kImproverStream);
    }
    /// Keeps, for each grid, the best individual of all generations so far.
    void keep_best(auto& steps, std::uint64_t t) const {
        on_grids(
            steps, kKeepBest,
            [](const auto& grids, std::uint32_t grid, std::uint64_t now) { grids.keep_best(grid, now); }, t);
    }
    void emigrate(auto& steps) const {
        on_grids(steps, kEmigrate, [](const auto& grids, std::uint32_t grid) { grids.emigrate(grid); });
    }
    /// Replaces each grid's worst individual by the newcomer (the best of the preceding grid) if the newcomer costs
    /// less. A grid that already has the newcomer does not change.
    void immigrate(Host& steps);
    void immigrate(Device& place);

    // Members that the population engine asks for.

    sdk::PopulationShape shape() const { return {grids_, shape_.cells()}; }
    void declare(sdk::Fields<View>& fields, const sdk::Run& run);
    template <class Steps>
    void prepare(Steps& steps) const {
        View& view = steps.view();
        view.rules = rules_;
        view.rules.first = steps.shard().first_individual();
        view.stride = steps.settings().stride();
        view.cells = steps.shard().individuals();
        view.first_grid = steps.shard().first_group;
        view.grids_of_run = grids_;
        segments_.set(steps.view().segments);
        prepare_scratch(steps);
    }
    /// Number of generations of the round that begins after generation t. A round ends at the next multiple of the
    /// round length or of the exchange period, also after a resume.
    std::uint64_t round_wanted(std::uint64_t t) const { return next_meeting(t, t + round_ - t % round_) - t; }
    std::uint64_t next_meeting(std::uint64_t t, std::uint64_t last) const {
        return exchange_every_ == 0 ? last : std::min(last, t + exchange_every_ - t % exchange_every_);
    }
    sdk::Leader leader(Host& steps) const;
    std::uint64_t digest(Host& steps, std::uint64_t t, qapfw_cost best) const;
    void report(Device& place, std::uint64_t t, bool complete);
    void digest(Device& place, std::uint64_t t, qapfw_cost best);
    /// Reports how many children the crossovers made, how many were kept, and how many were better than their parents.
    template <class Population>
    void tell(sdk::Run& run, Population& population) const {
        static constexpr const char* kNames[kChildCounts] = {"children", "children_kept", "children_better"};
        ChildCounts all{};
        for (const ChildCounts& own : population.processes().gather_values(children_of(population))) {
            for (std::size_t k = 0; k < kChildCounts; ++k) all[k] += own[k];
        }
        for (std::size_t k = 0; k < kChildCounts; ++k) run.statistic(kNames[k], static_cast<double>(all[k]));
    }
    sdk::KernelRequest kernel_request(const sdk::KernelName& name, const qapfw_device&, const sdk::Shard&) const;
    std::vector<sdk::KernelName> kernels() const;
    sdk::LaunchLength launches() const { return sdk::LaunchLength::of_generations(context_.improver != nullptr); }

  private:
    using ChildCounts = std::array<std::uint64_t, kChildCounts>;

    /// Makes a step of every grid. On the CPU, a thread calls `body` for the grid. On a GPU, a warp runs `kernel` for
    /// the grid. `body` and `kernel` both get `arguments`.
    template <class Body, class... Arguments>
    void on_grids(Host& steps, const sdk::KernelName&, const Body& body, const Arguments&... arguments) const {
        const sdk::CostLess less = context_.problem.less();
        const auto row = static_cast<std::uint32_t>(steps.view().stride);
        const GridSteps<qapfw_cost, sdk::CostLess> grids(steps.view(), less, row);
        steps.groups([&](std::uint32_t grid, std::uint32_t) { body(grids, grid, arguments...); });
    }
    template <class Body, class... Arguments>
    void on_grids(Device& place, const sdk::KernelName& kernel, const Body&, const Arguments&... arguments) const {
        place.launch(kernel, place.shard().groups, 32, 0, place.view(), arguments...);
    }
    ChildCounts children_of(OnHost& population) const;
    ChildCounts children_of(OnDevices& population) const;
    void prepare_scratch(Host& steps) const {
        scratch_.resize(std::size_t{steps.settings().host.workers()} * rules_.values);
    }
    std::uint16_t* scratch_of(std::uint32_t worker) const {
        return scratch_.data() + std::size_t{worker} * rules_.values;
    }
    void prepare_scratch(Device& place) const;
    void cross_cell(Host& steps, std::uint32_t cell, std::uint64_t t, std::uint32_t worker);

    sdk::SolverContext context_;
    Shape shape_;
    std::uint32_t grids_;
    Neighbours neighbours_;
    kernels::PgaRules rules_{};
    std::uint64_t exchange_every_, round_;
    sdk::Fields<View>::Id emigrants_{}, emigrant_costs_{};
    sdk::SegmentArrays segments_;                 ///< empty if solutions are permutations or layouts
    mutable std::vector<std::uint16_t> scratch_;  ///< scratch of operators, one per worker
};

}  // namespace qapfw::pga_grid
