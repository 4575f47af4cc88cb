// SPDX-License-Identifier: Apache-2.0
// Solver "memetic": elites on islands are recombined, mutated and improved by a local search. Islands differ in their
// settings. Better settings get more islands (race.hpp). Sources: P. Moscato, "On evolution, search, optimization,
// genetic algorithms and martial arts", Caltech 826, 1989; for mutations whose strength changes, U. Benlic, J.-K. Hao,
// "Memetic search for the quadratic assignment problem", Expert Systems with Applications 42 (2015).
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "plugins/memetic/arms.hpp"
#include "plugins/memetic/device/island_steps.hpp"
#include "plugins/memetic/memetic_parameters.hpp"
#include "plugins/memetic/race.hpp"
#include "plugins/memetic/sizes.hpp"
#include "qapfw/sdk/population_solver.hpp"
#include "qapfw/sdk/segments.hpp"

namespace qapfw::memetic {

using Islands = IslandsOf<qapfw_cost>;

/// The order of costs, for steps on the host.
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
    static constexpr const char* kAutoByGpus[] = {
        "arms",       "first_arms",        "islands",       "first_islands", "size", "first_size",          "brood",
        "child_work", "leader_child_work", "restart_after", "migrants",      "lead", "chain_restart_after", "lengthen",
        nullptr};
    static constexpr const char* kDeviceEncodings = nullptr;  ///< encodings that the solver supports on GPUs; null: all
    static constexpr auto& kParameters = memetic::kParameters;
    static constexpr sdk::SolverTraits kTraits{.has_own_improvers = true, .leader_is_group = true};
    using View = Islands;
    using Host = sdk::HostSteps<View>;
    using Device = sdk::DevicePlace<View>;

    explicit Memetic(const sdk::SolverContext& context);

    // The steps of the algorithm.

    /// Makes the first elites of all islands from warm starts and random solutions. Gives each island an arm; the arms
    /// are dealt out in turn.
    void start(Host& steps);
    void start(Device& place);
    // [round]
    /// Makes one round: every island makes children until it has done its work of the round.
    void generation(Host& steps, std::uint64_t t);
    bool generation(Device& place, std::uint64_t t) const;  ///< returns false after an early stop
    /// After a round, islands take in elites of other islands. At the end of a rung (see race.hpp) better arms get more
    /// islands. Returns false after an early stop.
    template <class Population>
    bool meet(Population& population, std::uint64_t t) {
        population.each([&](auto& steps) { show(steps); });
        population.share({emigrants_, emigrant_costs_, results_, births_});
        population.each([&](auto& steps) { take_immigrants(steps, t); });
        if (rung_at(t, plan_.rung) == 0) return true;
        const std::vector<NextArm> arms = race(population.template values<EraResult>(results_), t);
        return population.each([&](auto& steps) { give_arms(steps, arms, t); });
    }
    // [round-end]

    // Members that are called by sdk::PopulationSolver and by the SDK's populations on the host and on GPUs.

    template <class Population>
    std::optional<std::uint64_t> evolve(Population& population, std::uint64_t first, std::uint64_t last) {
        if constexpr (Population::kOnDevice) {
            std::atomic<bool> complete{true};
            population.each([&](Device& place) {
                for (std::uint64_t t = first + 1; t <= last && complete; ++t) {
                    if (!generation(place, t)) complete = false;
                }
            });
            return complete ? std::optional(last) : std::nullopt;
        } else {
            return population.evolve(*this, first, last) ? std::optional(last) : std::nullopt;
        }
    }

    sdk::PopulationShape shape() const { return plan_.shape; }
    void keep_to(std::uint64_t budget);
    std::uint32_t places_on_gpu() const;
    void declare(sdk::Fields<View>& fields, sdk::Run& run);
    void prepare(Host& steps) const;
    void prepare(Device& place) const;
    std::uint64_t round_wanted(std::uint64_t) const { return 1; }
    std::uint64_t next_meeting(std::uint64_t t, std::uint64_t) const { return t + 1; }
    sdk::Leader leader(Host& steps) const;
    std::uint64_t digest(Host& steps, std::uint64_t t) const;
    void report(Device& place, std::uint64_t t, bool complete) const;
    sdk::KernelRequest kernel_request(const sdk::KernelName& name, const qapfw_device& gpu, const sdk::Shard&) const;
    std::vector<sdk::KernelName> kernels() const;
    sdk::LaunchLength launches() const { return sdk::LaunchLength::of_generations(true); }
    template <class Population>
    void tell(sdk::Run& run, Population& population) {
        std::vector<Shares> shares;
        for (auto& place : population.places()) {
            Shares& own = shares.emplace_back(place->shard().groups, arms_.size());
            place->read(arms_of_islands_, bytes_of(own.arms), false);
            place->read(restarts_, bytes_of(own.restarts), false);
            place->read(spent_, bytes_of(own.spent), false);
            place->read(won_, bytes_of(own.won), false);
        }
        population.synchronize();
        tell_arms(run, shares);
    }
    /// At the end of a run, reports each arm's number of islands, part of the work and number of improvements.
    void tell_end() const;

  private:
    using Id = sdk::Fields<View>::Id;
    static constexpr std::uint32_t kImproverStream = 64;  ///< random draws of the improver: streams 64 and 65
    /// Largest number of places on one GPU. Also the largest number of queues that an arm's improver has at a place.
    static constexpr std::uint32_t kMostParts = 4;
    using OnHost = Island<qapfw_cost, HostCosts>;

    /// Totals of an arm in the last report: its islands, evaluations and improvements.
    struct Told {
        std::uint32_t islands = 0;
        std::uint64_t spent = 0, won = 0;
    };

    /// Statistics of a place's islands. `arms` and `restarts` have an entry for each island. `spent`
    /// (evaluations) and `won` (improvements) have an entry for each island and arm.
    struct Shares {
        Shares(std::uint32_t islands, std::size_t arm_count)
            : arms(islands), restarts(islands), spent(islands * arm_count), won(islands * arm_count) {}
        std::vector<std::uint32_t> arms;
        std::vector<std::uint64_t> restarts, spent, won;
    };
    template <class T>
    static std::span<unsigned char> bytes_of(std::vector<T>& values) {
        return {reinterpret_cast<unsigned char*>(values.data()), values.size() * sizeof(T)};
    }

    std::uint64_t work_by(std::uint64_t t) const;
    std::vector<std::uint32_t> elites_wanted(std::uint64_t t) const;
    void declare_islands(sdk::Fields<View>& fields);
    void declare_scratch(sdk::Fields<View>& fields);
    void declare_constants(sdk::Fields<View>& fields);
    kernels::IslandRules drawing_rules(std::uint64_t seed) const;
    void set_values(View& all, const sdk::Shard& shard) const;
    OnHost at(Host& steps, std::uint32_t island) const;
    bool make_brood(Host& steps, std::uint32_t island, std::uint32_t worker, std::uint64_t t) const;
    bool evaluate_from(std::uint32_t first, Host& steps, std::uint32_t island, std::uint32_t worker,
                       std::uint64_t t) const;
    bool improve(Host& steps, std::uint32_t island, std::uint32_t c, std::uint32_t worker, std::uint64_t t) const;
    void show(Host& steps) const;
    void take_immigrants(Host& steps, std::uint64_t t) const;
    std::vector<NextArm> race(const std::vector<EraResult>& results, std::uint64_t t) const;
    void give_arms(Host& steps, const std::vector<NextArm>& arms, std::uint64_t t) const;
    struct Queue;
    std::vector<Queue> make_queues(Device& place) const;
    std::uint32_t parts_of(const Arm& arm, std::uint32_t islands) const;
    std::uint32_t room_in_queue(const Arm& arm, std::uint32_t islands, std::uint32_t on_gpu,
                                const qapfw_device& gpu) const;
    void announce_kernels(std::uint32_t islands) const;
    void set_paces(Device& place, std::vector<Queue>& queues) const;
    void breed(Device& place, Queue& queue, std::uint64_t t) const;
    void improve(Device& place, Queue& queue, std::uint64_t t) const;
    void show(Device& place) const;
    void take_immigrants(Device& place, std::uint64_t t) const;
    void give_arms(Device& place, const std::vector<NextArm>& arms, std::uint64_t t) const;
    void tell_arms(sdk::Run& run, const std::vector<Shares>& shares);
    void say_leader() const;

    sdk::SolverContext context_;
    std::vector<Arm> arms_;
    sdk::SegmentArrays segments_;  ///< empty if solutions are permutations or layouts
    std::uint32_t bits_offset_;
    RunPlan plan_;
    kernels::IslandRules drawing_{};
    std::vector<std::unique_ptr<sdk::ImproverPool>> improvers_;  ///< on the CPU: improver of each arm
    std::vector<Told> told_;                                     ///< last report about each arm
    Id emigrants_{}, emigrant_costs_{}, results_{}, births_{}, seats_taken_{}, next_arms_{};
    Id arms_of_islands_{}, paces_{}, restarts_{}, spent_{}, won_{};
};

/// Runs Memetic and, at the end, reports how much work and how many improvements each arm had.
class MemeticSolver : public sdk::PopulationSolver<Memetic> {
  public:
    using PopulationSolver::PopulationSolver;
    void run(sdk::Run& run) {
        PopulationSolver::run(run);
        algorithm().tell_end();
    }
};

}  // namespace qapfw::memetic
