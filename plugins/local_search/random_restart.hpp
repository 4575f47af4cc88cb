// SPDX-License-Identifier: Apache-2.0
// Solver "random_restart": batches of uniformly random solutions, each improved by the configured improver. Every other
// solver must beat it. Each solution of a batch is a group of one individual, which lives for a generation.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "qapfw/sdk/population_solver.hpp"

namespace qapfw::local_search {

class Restarts {
  public:
    static constexpr sdk::ParameterTable kParameters{
        sdk::integer("batch", 64)
            .range(1, 1'000'000)
            .unit("solutions")
            .summary("Solutions drawn, improved and compared in one iteration.")};
    static constexpr bool kStaysOnHost = true;
    static constexpr bool kGoesOnFromCuts = true;
    struct View {};  ///< nothing of a batch outlives its generation
    using Host = sdk::HostSteps<View>;

    explicit Restarts(const sdk::SolverContext& context);

    // The algorithm.

    void start(Host&) {}  ///< Generation 0 is drawn as the others are.
    /// A batch is drawn and improved. Nothing: cut short.
    template <class Population>
    std::optional<std::uint64_t> evolve(Population& population, std::uint64_t t, std::uint64_t last) {
        for (; t < last; ++t) {
            if (!draw_batch(population.steps(), t) || !improve_batch(population.steps(), t)) return std::nullopt;
            if (t + 1 < last) remember_best(population, t);
        }
        return last;
    }
    /// At the end of a round: the best of all processes stays.
    template <class Population>
    bool meet(Population& population, std::uint64_t t) {
        remember_best(population, t - 1);
        return true;
    }

    // What the engine asks.

    sdk::PopulationShape shape() const { return {batch_, 1}; }
    void declare(sdk::Fields<View>&, const sdk::Run&) {}
    void prepare(Host& steps) const;
    std::uint64_t round_wanted(std::uint64_t) const { return 1; }
    std::uint64_t next_meeting(std::uint64_t, std::uint64_t last) const { return last; }
    sdk::RoundReport look(Host& steps, std::uint64_t t, bool complete);
    void save(sdk::Writer& writer) const;
    void load(sdk::Reader& reader);

  private:
    /// The solutions of this process. Memory of a batch that is never drawn is never touched.
    struct Batch {
        std::unique_ptr<unsigned char[]> solutions;
        std::unique_ptr<qapfw_cost[]> costs;
        std::vector<std::uint8_t> drawn;  ///< whether this generation came to it before it was to stop
    };

    template <class Population>
    void remember_best(Population& population, std::uint64_t generation) {
        sdk::RoundReport own;
        own.leader = best_of_batch(population.steps(), generation);
        own = population.merge(std::move(own));
        if (own.leader.leads(best_, problem_.less())) best_ = std::move(own.leader);
    }
    /// Whether the first solution of the run is to be drawn at any rate: there is always a result.
    bool needs_one(Host& steps) const;
    /// Returns whether all were drawn and evaluated; a large batch may take minutes, and a stop does not wait for it.
    bool draw_batch(Host& steps, std::uint64_t generation);
    void draw_solution(Host& steps, std::uint32_t k, std::uint64_t generation);
    void draw_bits(void* solution, std::uint64_t seed, std::uint64_t generation, std::uint32_t individual) const;
    /// Returns whether all were improved.
    bool improve_batch(Host& steps, std::uint64_t generation);
    sdk::Leader best_of_batch(Host& steps, std::uint64_t generation) const;

    sdk::ProblemRef problem_;
    std::uint32_t batch_;
    std::vector<std::uint16_t> free_;
    mutable Batch here_;
    sdk::Leader best_;  ///< of the complete generations
};

using RandomRestart = sdk::PopulationSolver<Restarts>;

}  // namespace qapfw::local_search
