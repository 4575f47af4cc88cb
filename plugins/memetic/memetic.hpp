// SPDX-License-Identifier: Apache-2.0
// Solver "memetic": elites on islands, recombined and improved by a local search (P. Moscato, "On evolution, search,
// optimization, genetic algorithms and martial arts", Caltech 826, 1989), with mutations whose strength changes as in
// U. Benlic, J.-K. Hao, "Memetic search for the quadratic assignment problem", Expert Systems with Applications 42
// (2015). Islands differ in their settings, which race for islands (race.hpp).
#pragma once

#include <memory>
#include <vector>

#include "plugins/memetic/arms.hpp"
#include "plugins/memetic/device/island_steps.hpp"
#include "plugins/memetic/memetic_parameters.hpp"
#include "plugins/memetic/race.hpp"
#include "qapfw/sdk/population_solver.hpp"

namespace qapfw::memetic {

using Islands = IslandsOf<qapfw_cost>;

/// The order of costs, as steps on the host take it.
struct HostCosts {
    sdk::CostLess less;
    bool operator()(qapfw_cost a, qapfw_cost b) const { return less(a, b); }
    bool equal(qapfw_cost a, qapfw_cost b) const {
        return less.kind == QAPFW_COST_FLOAT64 ? kernels::island_equal_costs(a.f, b.f)
                                               : kernels::island_equal_costs(a.i, b.i);
    }
};

class Memetic {
  public:
    static constexpr auto& kParameters = memetic::kParameters;
    static constexpr bool kLeaderIsGroup = true;
    using View = Islands;
    using Host = sdk::HostSteps<View>;

    explicit Memetic(const sdk::SolverContext& context);

    // The algorithm.

    /// Random elites on all islands, the warm starts among them; the arms are dealt out in turn.
    void start(Host& steps);
    // [round]
    /// One round: every island makes children until it has done its share of work.
    void generation(Host& steps, std::uint64_t t);
    /// After a round: islands take in elites of others, and at the end of a rung the better arms get islands.
    template <class Population>
    bool meet(Population& population, std::uint64_t t) {
        population.each([&](auto& steps) { show(steps); });
        population.share({emigrants_, emigrant_costs_, results_});
        population.each([&](auto& steps) { take_immigrants(steps, t); });
        if (rung_at(t, rung_) == 0) return true;
        const std::vector<std::uint32_t> arms = race(population.template values<RungResult>(results_), t);
        population.each([&](auto& steps) { give_arms(steps, arms); });
        return true;
    }
    // [round-end]

    // What the engine asks.

    sdk::PopulationShape shape() const { return shape_; }
    void declare(sdk::Fields<View>& fields, sdk::Run& run);
    void prepare(Host& steps) const;
    std::uint64_t round_wanted(std::uint64_t) const { return 1; }
    std::uint64_t next_meeting(std::uint64_t t, std::uint64_t) const { return t + 1; }
    sdk::Leader leader(Host& steps) const;
    std::uint64_t digest(Host& steps, std::uint64_t t) const;
    template <class Population>
    void tell(sdk::Run& run, Population& population) {
        tell_arms(run, population.places().front()->view(), population.shard());
    }
    /// In the end: what was tried and what won.
    void tell_end() const;

  private:
    using Id = sdk::Fields<View>::Id;
    static constexpr std::uint32_t kImproverStream = 64;  ///< and 65
    using OnHost = Island<qapfw_cost, HostCosts>;

    /// What is known of an arm in a run.
    struct Told {
        std::uint32_t islands = 0;
        std::uint64_t spent = 0, won = 0;
    };

    void declare_islands(sdk::Fields<View>& fields);
    void declare_scratch(sdk::Fields<View>& fields);
    void declare_constants(sdk::Fields<View>& fields);
    kernels::IslandRules drawing_rules(std::uint64_t seed) const;
    void set_values(View& all, const sdk::Shard& shard) const;
    OnHost at(Host& steps, std::uint32_t island) const;
    bool make_child(Host& steps, std::uint32_t island, std::uint32_t worker, std::uint64_t t) const;
    bool improve(Host& steps, std::uint32_t island, std::uint32_t worker, std::uint64_t t) const;
    void show(Host& steps) const;
    void take_immigrants(Host& steps, std::uint64_t t) const;
    std::vector<std::uint32_t> race(const std::vector<RungResult>& results, std::uint64_t t) const;
    void give_arms(Host& steps, const std::vector<std::uint32_t>& arms) const;
    void tell_arms(sdk::Run& run, const View& all, const sdk::Shard& shard);
    void say_leader() const;

    sdk::SolverContext context_;
    std::vector<Arm> arms_;
    sdk::PopulationShape shape_;
    std::uint64_t round_, rung_;
    std::uint32_t bits_offset_;
    kernels::IslandRules drawing_{};
    std::vector<std::unique_ptr<sdk::ImproverPool>> improvers_;  ///< of each arm
    std::vector<Told> told_;                                     ///< of each arm
    Id emigrants_{}, emigrant_costs_{}, results_{};
};

/// Memetic with its last words.
class MemeticSolver : public sdk::PopulationSolver<Memetic> {
  public:
    using PopulationSolver::PopulationSolver;
    void run(sdk::Run& run) {
        PopulationSolver::run(run);
        algorithm().tell_end();
    }
};

}  // namespace qapfw::memetic
