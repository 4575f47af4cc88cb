// SPDX-License-Identifier: Apache-2.0
// Solver "ga_independent": blocks that run the base GA independently, restart when they stagnate, and stop as soon
// as one of them reaches the target. Source: S. Tsutsui and N. Fujimoto, "An analytical study of GPU computation for
// solving QAPs by parallel evolutionary computation with independent run", CEC 2010, section III.
#pragma once

#include <atomic>
#include <optional>

#include "plugins/ga_independent/device/blocks.hpp"
#include "plugins/ga_independent/ga_independent_parameters.hpp"
#include "qapfw/sdk/base_ga.hpp"

namespace qapfw::ga_independent {

inline constexpr sdk::KernelName kBegin{"qapfw_ga_independent_begin"}, kEvolve{"qapfw_ga_independent_evolve"},
    kBreed{"qapfw_ga_independent_breed"}, kEndGeneration{"qapfw_ga_independent_end_generation"},
    kKeepBest{"qapfw_ga_independent_keep_best"}, kReport{"qapfw_ga_independent_report"},
    kDigest{"qapfw_ga_independent_digest"};

/// Returns share * size, rounded up. A block restarts when at least this number of its individuals have the block's
/// best cost. `size`: number of individuals of a block.
std::uint32_t restart_threshold(double share, std::uint32_t size);

class GaIndependent {
  public:
    static constexpr const char* kDeviceEncodings = nullptr;  ///< encodings that GPUs support; null: all
    static constexpr auto& kParameters = ga_independent::kParameters;
    using View = Blocks<qapfw_cost>;
    using Host = sdk::HostSteps<View>;
    using Device = sdk::DevicePlace<View>;
    using OnHost = sdk::PopulationOnHost<View>;
    using OnDevices = sdk::PopulationOnDevices<View>;

    explicit GaIndependent(const sdk::SolverContext& context);

    // The algorithm (section III.B). `steps` works on all blocks, or on one block.

    void start(auto& steps) {
        ga_.start(steps, kBegin);
        keep_bests(steps, 0);
    }
    void generation(auto& steps, std::uint64_t t) {
        if (is_over(steps, t)) return;
        ga_.breed(steps, kBreed, t);
        end_generation(steps, t);
    }
    /// Makes the generations after `first` up to the end. The end is generation `last`, or the generation in which a
    /// block first reaches the target. Returns the number of this generation, or nothing after an early stop. Blocks do
    /// not wait for each other, so some may run beyond the end. Unless found_flag is asynchronous, all blocks then
    /// repeat the generations after `first` up to the end.
    template <class Population>
    std::optional<std::uint64_t> evolve(Population& population, std::uint64_t first, std::uint64_t last) {
        if (first == 0 && is_reached(population)) return first;
        const std::uint64_t evaluations = population.evaluations();
        bool ran_ahead = false;
        const bool complete = advance(population, first, last, ran_ahead);
        if (!meet_at_end(population.processes(), complete, ran_ahead)) return std::nullopt;
        if (!ran_ahead || asynchronous_) return end_;
        population.revert();
        population.discount(evaluations);
        if (!advance(population, first, end_, ran_ahead)) return std::nullopt;
        return end_;
    }

    // The steps of a generation.

    /// True if a block reached the target in an earlier generation. Kernels check this themselves.
    bool is_over(Host&, std::uint64_t t) const { return t > end_; }
    static bool is_over(Device&, std::uint64_t) { return false; }
    /// Makes step 6 (selection), updates each block's best, and applies the restart rule.
    void end_generation(Host& steps, std::uint64_t t);
    void end_generation(Device& place, std::uint64_t t);
    /// Each block has a stored best solution. Replaces it by the best individual of the block's present population, if
    /// that individual is better.
    void keep_bests(Host& steps, std::uint64_t t);
    void keep_bests(Device& place, std::uint64_t t);
    /// Makes generations first+1 to `last`. Makes them in one launch if a block of the GA fits into shared memory,
    /// otherwise with one launch per step (see blocks_kernels.cuh).
    void generations(Device& place, std::uint64_t first, std::uint64_t last);

    // Members that the population engine asks for.

    sdk::PopulationShape shape() const { return ga_.shape(); }
    void keep_to(std::uint64_t evaluations) { ga_.keep_to(evaluations); }
    void declare(sdk::Fields<View>& fields, const sdk::Run& run);
    template <class Steps>
    void prepare(Steps& steps) const {
        ga_.prepare(steps);
        View& view = steps.view();
        view.restart_check = restart_check_;
        view.restart_at = restart_at_;
        view.improves = steps.improves() ? 1 : 0;
        view.has_target = steps.run().has_target() ? 1 : 0;
        view.target = steps.run().target();
    }
    std::uint64_t round_wanted(std::uint64_t t) const { return round_ - t % round_; }
    sdk::Leader leader(Host& steps) const;
    std::uint64_t digest(Host& steps, std::uint64_t t) const;
    void report(Device& place, std::uint64_t t, bool complete);
    /// Reports the number of restarts, and the winner: the block that reached the target in the earliest generation. Of
    /// several such blocks the first one is the winner.
    template <class Population>
    void tell(sdk::Run& run, Population& population);
    sdk::KernelRequest kernel_request(const sdk::KernelName& name, const qapfw_device&, const sdk::Shard&) const;
    std::vector<sdk::KernelName> kernels() const;
    sdk::LaunchLength launches() const { return sdk::LaunchLength::of_generations(context_.improver != nullptr); }

  private:
    std::uint64_t restarts_of(OnHost& population) const;
    std::uint64_t restarts_of(OnDevices& population) const;
    bool leader_has_reached(OnHost& population) const;
    bool leader_has_reached(OnDevices& population) const;

    bool has_reached(Host& steps, std::uint32_t block) const;
    template <class Population>
    bool is_reached(Population& population);
    void restart(Host& steps, std::uint64_t t);
    void look_at_target(Host& steps, std::uint64_t t);
    void keep_best(Host& steps, std::uint32_t block) const;
    bool restart_is_due(Host& steps, std::uint32_t block, std::uint64_t t) const;
    bool advance(OnHost& population, std::uint64_t first, std::uint64_t last, bool& ran_ahead);

    bool meet_at_end(const sdk::Processes& processes, bool complete, bool& ran_ahead);
    void improve_restarted(Device& place, std::uint64_t t);
    bool advance(OnDevices& population, std::uint64_t first, std::uint64_t last, bool& ran_ahead);
    void relay_found_flag(OnDevices& population, std::uint64_t last);

    sdk::SolverContext context_;
    sdk::BaseGa<View> ga_;
    std::uint32_t restart_at_;
    std::uint64_t restart_check_;
    /// True if found_flag is asynchronous. Then blocks that ran beyond the end of a round keep their later generations.
    /// False: if a block ran beyond the end, all blocks repeat the round up to its end.
    bool asynchronous_;
    std::uint64_t round_;
    sdk::Fields<View>::Id best_costs_{}, best_found_{};
    std::atomic<std::uint64_t> end_{~std::uint64_t{0}};  ///< the found flag: number of the last generation to make
    std::vector<std::uint64_t> stands_at_;               ///< present generation of each block of this process
    /// For each block of this process: 1 if it reached the target before this generation.
    std::vector<std::uint8_t> reached_;
    std::vector<std::uint8_t> restarts_now_;  ///< for each block of this process: 1 if it restarts in this generation
};

template <class Population>
bool GaIndependent::is_reached(Population& population) {
    const sdk::Run& run = population.places().front()->run();
    if (!run.has_target()) return false;
    const sdk::CostLess less = context_.problem.less();
    for (const qapfw_cost cost : population.template values<qapfw_cost>(best_costs_)) {
        if (!less(run.target(), cost)) return true;
    }
    return false;
}

template <class Population>
void GaIndependent::tell(sdk::Run& run, Population& population) {
    if (asynchronous_) run.statistic("reproducible", 0);
    const sdk::Processes& processes = population.processes();
    const std::vector<std::uint64_t> all = processes.gather_values(restarts_of(population));
    const std::uint64_t restarts = std::accumulate(all.begin(), all.end(), std::uint64_t{0});
    run.statistic("restarts", static_cast<double>(restarts));
    if (!processes.any_of(leader_has_reached(population))) return;
    const auto costs = population.template values<qapfw_cost>(best_costs_);
    const auto found = population.template values<std::uint64_t>(best_found_);
    const sdk::CostLess less = context_.problem.less();
    std::size_t winner = costs.size();
    for (std::size_t block = 0; block < shape().groups; ++block) {
        if (found[block] == kNotFound || less(run.target(), costs[block])) continue;
        if (winner == costs.size() || found[block] < found[winner]) winner = block;
    }
    if (winner == costs.size()) return;
    run.statistic("winner_block", static_cast<double>(winner));
    run.statistic("winner_generation", static_cast<double>(found[winner]));
}

}  // namespace qapfw::ga_independent
