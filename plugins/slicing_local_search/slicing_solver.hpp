// SPDX-License-Identifier: Apache-2.0
// Solver "slicing_local_search": parallel searches. Each search anneals a slicing tree. Then it anneals the best tree
// that it has found, again and again, at lower temperatures. The solver is for problems that describe their instance
// for slicing trees (abi/slicing.h).
#pragma once

#include <algorithm>
#include <vector>

#include "plugins/slicing_local_search/device/searches.hpp"
#include "plugins/slicing_local_search/host_team.hpp"
#include "plugins/slicing_local_search/slicing_instance.hpp"
#include "plugins/slicing_local_search/slicing_parameters.hpp"
#include "qapfw/abi/slicing.h"
#include "qapfw/sdk/population_solver.hpp"

namespace qapfw::slicing_local_search {

class SlicingLocalSearch {
  public:
    static constexpr auto& kParameters = slicing_local_search::kParameters;
    static constexpr const char* kDeviceEncodings = nullptr;  ///< encodings that GPUs support; null: all
    using View = Searches<qapfw_cost>;
    using Host = sdk::HostSteps<View>;
    using Device = sdk::DevicePlace<View>;
    static constexpr const char* kAutoByGpus[] = {"searches", "round", nullptr};

    /// Throws qapfw::Error if the problem's solutions are not slicing trees.
    explicit SlicingLocalSearch(const sdk::SolverContext& context);

    // The steps of the algorithm.

    /// Starts each search with a random tree, or with a warm start.
    void start(Host& steps);
    void start(Device& place);
    /// Each search makes some steps of its annealing. If the annealing ends, the next one begins.
    void generation(Host& steps, std::uint64_t t);
    void generation(Device& place, std::uint64_t t) { generations(place, t - 1, t); }
    void generations(Device& place, std::uint64_t first, std::uint64_t last);

    /// If a meeting is due, each search may take over the best tree of another search.
    template <class Population>
    bool meet(Population& population, std::uint64_t t) {
        if (share_every_ == 0 || t % share_every_ != 0) return true;
        population.each([&](auto& steps) { show_elites(steps); });
        population.share({shown_, shown_costs_});
        population.each([&](auto& steps) { take_over_elites(steps, t); });
        return true;
    }
    std::uint64_t next_meeting(std::uint64_t t, std::uint64_t last) const {
        return share_every_ == 0 ? last : std::min(last, t + share_every_ - t % share_every_);
    }

    // Members that the population engine asks for.

    sdk::PopulationShape shape() const { return shape_; }
    void keep_to(std::uint64_t evaluations);
    void declare(sdk::Fields<View>& fields, const sdk::Run& run);
    void prepare(Host& steps) const;
    void prepare(Device& place) const { fill(place.view(), place.settings(), place.shard()); }
    std::uint64_t round_wanted(std::uint64_t t) const { return round_ - t % round_; }
    sdk::Leader leader(Host& steps) const;
    std::uint64_t digest(Host& steps, std::uint64_t t) const;
    void put_state(Host&) const {}
    void take_state(Host& steps) const;
    void put_state(Device&) const {}
    void take_state(Device&) const {}
    sdk::KernelRequest kernel_request(const sdk::KernelName& name, const qapfw_device&, const sdk::Shard&) const;
    std::vector<sdk::KernelName> kernels() const;
    sdk::LaunchLength launches() const { return {1, 4096}; }
    void report(Device& place, std::uint64_t t, bool complete);

  private:
    void fill(View& view, const sdk::PopulationSettings& settings, const sdk::Shard& shard) const;
    void show_elites(Host& steps) const;
    void show_elites(Device& place) const;
    void take_over_elites(Host& steps, std::uint64_t t) const;
    void take_over_elites(Device& place, std::uint64_t t) const;
    void begin(Host& steps, std::uint32_t k, std::uint32_t worker) const;
    void run_on(Host& steps, std::uint32_t k, std::uint32_t worker, std::uint64_t t) const;
    void keep_best(Host& steps, std::uint32_t k, std::uint32_t worker, std::uint64_t t) const;

    sdk::SolverContext context_;
    const qapfw_slicing& data_;
    SlicingInstance instance_;
    const kernels::SlicingView& slicing_;
    sdk::PopulationShape shape_;
    Plan plan_{};
    kernels::SlicingAnnealing settings_{};
    std::uint64_t steps_each_, round_;
    std::uint64_t share_every_ = 0;  ///< generations between two meetings of the searches
    std::uint32_t rivals_ = 1;
    sdk::Fields<View>::Id shown_{}, shown_costs_{};
    std::uint64_t seed_ = 0;
    mutable std::vector<HostWorkspace> workspaces_;  ///< memory of each worker
};

}  // namespace qapfw::slicing_local_search
