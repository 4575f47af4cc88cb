// SPDX-License-Identifier: Apache-2.0
// Solver "island_ga": islands of a genetic algorithm with a crossover of its own, on the population engine. It supports
// any problem whose solutions are a permutation, with or without bits, on CPU threads and on GPUs.
#pragma once

#include <algorithm>
#include <vector>

#include "islands.hpp"
#include "qapfw/sdk/population_solver.hpp"

namespace island_ga {
namespace sdk = qapfw::sdk;

// [ga-class]
class IslandGa {
  public:
    static constexpr sdk::ParameterTable kParameters{
        sdk::integer("islands", 8).range(1, 100000).summary("Number of islands. They form a ring."),
        sdk::integer("size", 32)
            .range(2, 100000)
            .unit("individuals")
            .summary("Number of individuals (solutions) on an island. A larger number keeps more variety, but a "
                     "generation takes longer."),
        sdk::real("mutation_rate", 0.5).range(0, 1).summary("Probability that a child is mutated."),
        sdk::integer("migrate_every", 20)
            .range(1, 1000000)
            .unit("generations")
            .summary("Generations between two migrations.")};
    using View = Islands<qapfw_cost>;
    using Host = sdk::HostSteps<View>;
    using Device = sdk::DevicePlace<View>;

    explicit IslandGa(const sdk::SolverContext& context);

    // The steps of the algorithm.
    template <class Steps>
    void generation(Steps& steps, std::uint64_t t) {
        make(steps, kBreed, t);
        evaluate_children(steps, t);
        make(steps, kSelect, t);
    }
    template <class Population>
    bool meet(Population& population, std::uint64_t t) {
        if (t % migrate_every_ != 0 || shape().groups < 2) return true;
        population.each([&](auto& steps) { make(steps, kShow, t); });
        population.share(guests_);
        population.each([&](auto& steps) { make(steps, kTake, t); });
        return true;
    }

    // The algorithm's steps on CPU threads and on a GPU.
    void start(Host& steps);
    void start(Device& place);
    void make(Host& steps, Step step, std::uint64_t t);
    void make(Device& place, Step step, std::uint64_t t);
    void evaluate_children(Host& steps, std::uint64_t t);
    void evaluate_children(Device& place, std::uint64_t) {
        evaluate(place, place.view().children, place.view().child_costs);
    }
    void evaluate(Device& place, const std::uint16_t* solutions, const qapfw_cost* costs);

    // The members that the engine requires of an algorithm.
    sdk::PopulationShape shape() const { return {numbers_.islands, numbers_.size}; }
    void declare(sdk::Fields<View>& fields, const sdk::Run& run);
    template <class Steps>
    void prepare(Steps& steps) const {  // sets the view's numbers; its pointers are set already
        static_cast<Numbers&>(steps.view()) = numbers_;
        steps.view().individuals = steps.shard().individuals();
        steps.view().first = steps.shard().first_individual();
    }
    std::uint64_t round_wanted(std::uint64_t t) const { return migrate_every_ - t % migrate_every_; }
    std::uint64_t next_meeting(std::uint64_t t, std::uint64_t to) const { return std::min(to, t + round_wanted(t)); }
    sdk::Leader leader(Host& steps) const;
    std::uint64_t digest(Host& steps, std::uint64_t t) const;
    void report(Device& place, std::uint64_t t, bool complete);
    sdk::KernelRequest kernel_request(const sdk::KernelName& name, const qapfw_device&, const sdk::Shard&) const;
    std::vector<sdk::KernelName> kernels() const;
    sdk::LaunchLength launches() const { return sdk::LaunchLength::of_generations(false); }

  private:
    sdk::SolverContext context_;
    Numbers numbers_{};
    std::uint64_t migrate_every_;
    std::vector<sdk::Fields<View>::Id> guests_;
};
// [ga-class-end]

}  // namespace island_ga
