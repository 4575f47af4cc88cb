// SPDX-License-Identifier: Apache-2.0
// Solver "ga_distributed": subpopulations that each run the base GA and exchange individuals every G_interval
// generations. Source: S. Tsutsui and N. Fujimoto, "Solving quadratic assignment problems by genetic algorithms with
// GPU computation: a case study", GECCO 2009, section 3.2. GA-1 and GA-2 (section 4.1) are settings of this solver.
#pragma once

#include <algorithm>

#include "plugins/ga_distributed/device/islands.hpp"
#include "plugins/ga_distributed/ga_distributed_parameters.hpp"
#include "qapfw/sdk/base_ga.hpp"

namespace qapfw::ga_distributed {

inline constexpr sdk::KernelName kBegin{"qapfw_ga_distributed_begin"}, kEvolve{"qapfw_ga_distributed_evolve"},
    kBreed{"qapfw_ga_distributed_breed"}, kSelect{"qapfw_ga_distributed_select"}, kMove{"qapfw_ga_distributed_move"},
    kBests{"qapfw_ga_distributed_bests"}, kReport{"qapfw_ga_distributed_report"},
    kDigest{"qapfw_ga_distributed_digest"};

class GaDistributed {
  public:
    static constexpr const char* kDeviceEncodings = nullptr;  ///< encodings that GPUs support; null: all
    static constexpr auto& kParameters = ga_distributed::kParameters;
    using View = Islands<qapfw_cost>;
    using Host = sdk::HostSteps<View>;
    using Device = sdk::DevicePlace<View>;

    explicit GaDistributed(const sdk::SolverContext& context);

    // The algorithm (section 3.2 of the paper).

    void start(auto& steps) {
        ga_.start(steps, kBegin);
        count_all(steps);
    }
    void generation(auto& steps, std::uint64_t t) {
        ga_.breed(steps, kBreed, t);
        count_all(steps);
        ga_.select(steps, kSelect, t);
    }
    template <class Population>
    bool meet(Population& population, std::uint64_t t) {
        if (exchange_every_ > 0 && t % exchange_every_ == 0 && moved_ > 0) exchange(population, t);
        return true;
    }

    /// Makes generations first+1 to `last`: in one launch if kernels can keep a subpopulation in shared memory,
    /// otherwise with one launch per step (see islands_kernels.cuh).
    void generations(Device& place, std::uint64_t first, std::uint64_t last);

    // Members that the population engine asks for.

    sdk::PopulationShape shape() const { return ga_.shape(); }
    void keep_to(std::uint64_t evaluations);
    void declare(sdk::Fields<View>& fields, const sdk::Run& run);
    template <class Steps>
    void prepare(Steps& steps) const {
        ga_.prepare(steps);
        steps.view().all.stride = steps.settings().stride();
    }
    /// Number of generations of the round that begins after generation t. A round ends at the next multiple of the
    /// round length or of the exchange period, also after a resume.
    std::uint64_t round_wanted(std::uint64_t t) const { return next_meeting(t, t + round_ - t % round_) - t; }
    std::uint64_t next_meeting(std::uint64_t t, std::uint64_t last) const {
        return exchange_every_ == 0 ? last : std::min(last, t + exchange_every_ - t % exchange_every_);
    }
    sdk::Leader leader(Host& steps) const;
    std::uint64_t digest(Host& steps, std::uint64_t t) const;
    void report(Device& place, std::uint64_t t, bool complete);
    sdk::KernelRequest kernel_request(const sdk::KernelName& name, const qapfw_device&, const sdk::Shard&) const;
    std::vector<sdk::KernelName> kernels() const;
    sdk::LaunchLength launches() const { return sdk::LaunchLength::of_generations(context_.improver != nullptr); }

  private:
    /// Counts a generation's evaluations on a device; host threads count their own.
    template <class Steps>
    static void count_all(Steps& steps) {
        if constexpr (Steps::kOnDevice) steps.count(steps.shard().individuals());
    }
    /// Deals `moved_` individuals to the groups again, by a random bijection of their numbers (section 3.2.2).
    template <class Population>
    void exchange(Population& population, std::uint64_t t) {
        population.each([&](auto& steps) { show_individuals(steps); });
        population.share({all_solutions_, all_costs_, all_found_});
        population.each([&](auto& steps) { take_individuals(steps, t); });
    }
    void show_individuals(Host& steps) const;
    void show_individuals(Device& place) const;
    void take_individuals(Host& steps, std::uint64_t t) const;
    void take_individuals(Device& place, std::uint64_t t) const;
    kernels::RandomBijection places_at(std::uint64_t t) const;

    sdk::SolverContext context_;
    sdk::BaseGa<View> ga_;
    std::uint64_t exchange_every_;
    std::uint32_t moved_;  ///< number of individuals that one exchange moves
    std::uint64_t round_;
    sdk::Fields<View>::Id all_solutions_{}, all_costs_{}, all_found_{};
};

}  // namespace qapfw::ga_distributed
