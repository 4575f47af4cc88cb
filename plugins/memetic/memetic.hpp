// SPDX-License-Identifier: Apache-2.0
// Solver "memetic": elites on islands, recombined and improved by a local search (P. Moscato, "On evolution, search,
// optimization, genetic algorithms and martial arts", Caltech 826, 1989), with mutations whose strength changes as in
// U. Benlic, J.-K. Hao, "Memetic search for the quadratic assignment problem", Expert Systems with Applications 42
// (2015). Islands differ in their settings, which race for islands (race.hpp).
#pragma once

#include <memory>
#include <vector>

#include "plugins/memetic/arms.hpp"
#include "plugins/memetic/islands.hpp"
#include "plugins/memetic/memetic_parameters.hpp"
#include "qapfw/kernels/island_ga.hpp"
#include "qapfw/sdk/population_solver.hpp"

namespace qapfw::memetic {

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
        for (const auto field : {emigrants_, emigrant_costs_, results_}) population.share(field);
        population.each([&](auto& steps) {
            take_immigrants(steps, t);
            if (rung_at(t, rung_) > 0) race(steps, t);
        });
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
    static constexpr std::uint32_t kImproverStream = 64;    ///< and 65
    static constexpr std::uint32_t kParentStream = 120;     ///< two parents, whether to mutate
    static constexpr std::uint32_t kEmigrantStream = 121;   ///< which elite is shown
    static constexpr std::uint32_t kImmigrantStream = 122;  ///< where an elite is taken from

    /// Memory of one worker.
    struct Scratch {
        std::vector<std::uint8_t> child, mirror;
        std::vector<std::uint16_t> positions;
    };
    /// What is known of an arm in a run.
    struct Told {
        std::uint32_t islands = 0;
        std::uint64_t spent = 0, won = 0;
    };
    struct Island;

    void declare_islands(sdk::Fields<View>& fields);
    void make_rules(std::uint64_t seed);
    kernels::FbsMutationWeights weights() const;
    void show(Host& steps) const;
    void take_immigrants(Host& steps, std::uint64_t t) const;
    void race(Host& steps, std::uint64_t t) const;
    void give_arm(Host& steps, std::uint32_t island, std::uint32_t arm) const;
    std::uint32_t source_of(const View& all, std::uint32_t island, std::uint64_t t) const;
    void tell_arms(sdk::Run& run, const View& all, const sdk::Shard& shard);
    void say_leader() const;

    sdk::SolverContext context_;
    std::vector<Arm> arms_;
    sdk::PopulationShape shape_;
    std::uint64_t round_, rung_;
    std::uint32_t distance_;
    std::uint64_t migrate_every_, restart_after_;
    std::uint32_t cross_arms_;
    std::uint32_t bits_offset_;
    std::uint64_t seed_ = 0;
    std::vector<kernels::IslandRules> rules_;                    ///< of each arm
    std::vector<std::uint16_t> fixed_;                           ///< positions
    std::vector<std::uint16_t> base_;                            ///< the fixed solution
    std::vector<std::unique_ptr<sdk::ImproverPool>> improvers_;  ///< of each arm
    mutable std::vector<Scratch> scratch_;                       ///< of each worker
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
