// SPDX-License-Identifier: Apache-2.0
// The base genetic algorithm of Tsutsui and Fujimoto (GECCO 2009, section 3.2.1; CEC 2010, section III.B) as fields and
// steps of a solver on the engine (population_solver.hpp). The solver's View has a member `population`, a
// kernels::GaPopulation. The solver's device text has kernels that call the functions of qapfw/kernels/ga_block.hpp.
#pragma once

#include <string>
#include <vector>

#include "qapfw/kernels/ga_base.hpp"
#include "qapfw/sdk/ga_kernels.hpp"
#include "qapfw/sdk/operator_parameters.hpp"
#include "qapfw/sdk/population_solver.hpp"
#include "qapfw/sdk/round_length.hpp"
#include "qapfw/sdk/segments.hpp"

namespace qapfw::sdk {

/// Returns the parameter `round`, in generations. With an improver, "auto" is 1. Otherwise "auto" is a number from 100
/// to 500, with which a round takes about 20 ms on one core. If 100 generations would take more than 2 s, "auto" is the
/// number that takes about 2 s. bounded_round may lower the number.
inline std::uint64_t resolve_ga_round(const SolverContext& context, std::uint64_t individuals) {
    if (!context.parameters.is_auto("round")) return static_cast<std::uint64_t>(context.parameters.integer("round"));
    const std::uint64_t n = context.problem.length(), work = individuals * n * n;
    const std::uint64_t least = std::clamp<std::uint64_t>(2'000'000'000 / work, 1, 100);
    const std::uint64_t alone = std::clamp<std::uint64_t>(20'000'000 / work, least, 500);
    const std::uint64_t round = context.improver != nullptr ? 1 : bounded_round(context.problem, individuals, alone);
    context.host.resolve("round", static_cast<std::int64_t>(round));
    return round;
}

/// The fields and steps of the base GA. Call steps on the host from the main thread, unless they have a parameter
/// `worker`. Steps on a device only enqueue work.
template <class View>
class BaseGa {
  public:
    using Id = typename Fields<View>::Id;                 ///< identifies a field
    static constexpr std::uint32_t kImproverStream = 64;  ///< the improver's draws for children: streams 64, 65
    static constexpr std::uint32_t kStartImproverStream =
        68;                                      ///< the improver's draws for new individuals: streams 68 and 69
    static constexpr std::uint32_t kBatch = 32;  ///< children made between two calls of should_stop; 1 with an improver
    static constexpr std::uint32_t kThreads = kernels::kGaThreads;  ///< threads of a CUDA block

    /// Throws Error(kUsage) if the parameters contradict each other. Reads size, crossover, cut_points, mutation,
    /// mutation_rate, mutation_per and bay_moves. `groups`: name of the parameter with the number of groups.
    BaseGa(const SolverContext& context, const char* groups)
        : free_(free_positions(context.problem)),
          segments_(context.problem, static_cast<std::uint32_t>(context.parameters.choice("crossover")),
                    static_cast<std::uint32_t>(context.parameters.choice("mutation"))) {
        const Parameters& p = context.parameters;
        shape_ = {static_cast<std::uint32_t>(p.integer(groups)), static_cast<std::uint32_t>(p.integer("size"))};
        rules_.size = shape_.size;
        rules_.n = static_cast<std::uint32_t>(free_.size());
        rules_.values = segments_ ? static_cast<std::uint32_t>(context.problem.solution_bytes() / sizeof(std::uint16_t))
                                  : context.problem.length();
        rules_.crossover = static_cast<std::uint32_t>(p.choice("crossover"));
        rules_.cuts = static_cast<std::uint32_t>(p.choice("cut_points"));
        rules_.mutation = kernels::probability_threshold(p.real("mutation_rate"));
        rules_.mutates = p.choice("mutation_per") == 0 ? kernels::kGaByString : kernels::kGaByPosition;
        rules_.move = static_cast<std::uint32_t>(p.choice("mutation"));
        rules_.shape = solution_shape(context.problem);
        rules_.bay_moves = kernels::probability_threshold(p.real("bay_moves"));
        rules_.bit_flips = kernels::probability_threshold(p.real("mutation_rate") * p.real("bay_moves"));
        if (rules_.mutates == kernels::kGaByPosition && p.text("mutation") != "exchange") {
            throw Error(ErrorKind::kUsage,
                        "mutation_per = \"position\" exchanges positions, so mutation must be \"exchange\", found \"" +
                            p.text("mutation") + "\"");
        }
        check_cuts(p);
        if (std::uint64_t{shape_.groups} * shape_.size > kMostIndividuals) {
            throw Error(ErrorKind::kUsage, std::string(groups) + " * size must be at most " +
                                               std::to_string(kMostIndividuals) + ", found " +
                                               std::to_string(shape_.groups) + " * " + std::to_string(shape_.size));
        }
    }

    /// Uses fewer groups if the limit on evaluations is small. Call it before `declare`.
    void keep_to(std::uint64_t evaluations) {
        shape_.groups = groups_of_budget(evaluations, std::uint64_t{2} * shape_.size, shape_.groups);
    }
    const PopulationShape& shape() const { return shape_; }          ///< groups and individuals of the run
    const kernels::GaRules& rules() const { return rules_; }         ///< rules for kernels; `declare` sets their seed
    bool has_bits() const { return rules_.shape.bits_offset != 0; }  ///< true if solutions have bay bits
    /// True if solutions have segments other than a permutation and bays.
    bool has_segments() const { return static_cast<bool>(segments_); }
    const std::vector<std::uint16_t>& free() const { return free_; }  ///< free positions, ascending

    /// Declares pools P (parents) and W (children), and the arrays that kernels read. `seed`: seed of the run.
    void declare(Fields<View>& fields, const SolverContext& context, std::uint64_t seed) {
        using Population = decltype(View::population);
        using Pools = decltype(Population::pools);
        const std::uint64_t stride = context.problem.solution_bytes() / sizeof(std::uint16_t);
        rules_.seed = seed;
        solutions = fields.template add<&View::population, &Population::pools, &Pools::parents>(
            {.count = stride, .is_state = true, .is_apart = true, .is_solution = true});
        costs = fields.template add<&View::population, &Population::pools, &Pools::costs>(
            {.is_state = true, .is_apart = true});
        found = fields.template add<&View::population, &Population::pools, &Pools::found>(
            {.is_state = true, .is_apart = true});
        fields.template add<&View::population, &Population::pools, &Pools::children>({.count = stride});
        fields.template add<&View::population, &Population::pools, &Pools::child_costs>({});
        fields.template add<&View::population, &Population::scratch>({.count = stride, .is_for_device = true});
        std::vector<std::uint16_t> base(stride);
        base_solution(context.problem, base.data());
        fields.template constant<&View::population, &Population::positions>(free_);
        fields.template constant<&View::population, &Population::order>(kernel_order(context.problem));
        fields.template constant<&View::population, &Population::base>(base);
        segments_.declare<&View::population, &Population::segments>(fields);
    }
    /// Sets the members of a place's view that are not pointers: rules, stride, number of individuals.
    template <class Steps>
    void prepare(Steps& steps) const {
        auto& population = steps.view().population;
        population.rules = rules_;
        population.rules.first = steps.shard().first_individual();
        population.pools.stride = steps.settings().stride();
        population.individuals = steps.shard().individuals();
        segments_.set(population.segments);
        if constexpr (!Steps::kOnDevice)
            scratch_.resize(steps.settings().host.workers() * std::size_t{2} * rules_.values);
    }

    /// Completes individual k of the first generation or of a restart on the host: computes its cost and improves it.
    void settle_individual(HostSteps<View>& steps, std::uint32_t k, std::uint64_t generation,
                           std::uint32_t worker) const {
        auto& pools = steps.view().population.pools;
        pools.found[k] = generation;
        steps.evaluate(worker, {pools.parent(k), pools.costs + k, 1}, k, generation);
        steps.improve(worker, pools.parent(k), pools.costs + k, k, generation, kStartImproverStream);
    }
    /// Fills individual k of the place with a random solution that keeps the fixed values. Does not compute its cost.
    void draw_individual(HostSteps<View>& steps, std::uint32_t k, std::uint64_t generation) const {
        const auto& population = steps.view().population;
        if (segments_) {
            kernels::ga_draw_segments(population.rules, population.segments, population.base,
                                      population.pools.parent(k), k, generation);
            return;
        }
        kernels::ga_draw<kernels::AllOperators>(population.rules, population.positions, population.base,
                                                population.pools.parent(k), k, generation);
    }

    // The steps of the base GA, numbered as in the papers' algorithm. On a GPU, a kernel of the solver does each step;
    // the argument of type KernelName names the kernel. On the host, steps ignore this argument.

    /// Steps 1 and 2: makes the first individuals, from warm starts or at random. The kernel calls ga_begin_tile.
    void start(HostSteps<View>& steps, const KernelName&) const {
        steps.individuals(1, [&](std::uint32_t k, std::uint32_t, std::uint32_t worker) {
            const std::uint64_t number = std::uint64_t{steps.shard().first_individual()} + k;
            if (number < steps.settings().warm_count()) {
                std::memcpy(steps.view().population.pools.parent(k), steps.settings().warm_start(number),
                            steps.settings().bytes());
            } else {
                draw_individual(steps, k, 0);
            }
            settle_individual(steps, k, 0, worker);
        });
    }
    /// Steps 1 and 2 on a GPU: launches the kernel `begin`, then applies the improver.
    void start(DevicePlace<View>& place, const KernelName& begin) const {
        const auto& population = place.view().population;
        const std::uint32_t given = place.upload_warm_starts(population.pools.parents);
        place.launch(begin, tiles(place), kThreads, 0, begin_argument(place), place.problem_view(), given);
        place.improve(population.pools.parents, population.pools.costs, 0, place.shard().individuals(), 0,
                      kStartImproverStream);
    }

    /// Steps 3 to 5: makes a child of each individual, computes its cost, and applies the improver if there is one. A
    /// child that is a copy of its parent is not evaluated.
    void breed(HostSteps<View>& steps, const KernelName&, std::uint64_t generation) const {
        steps.individuals(
            steps.improves() ? 1 : kBatch, [&](std::uint32_t first, std::uint32_t last, std::uint32_t worker) {
                breed_part(steps, first, last, generation, worker);
                const auto& pools = steps.view().population.pools;
                for (std::uint32_t k = first; steps.improves() && k < last; ++k) {
                    steps.improve(worker, pools.child(k), pools.child_costs + k, k, generation, kImproverStream);
                }
            });
    }
    /// Steps 3 to 5 on a GPU: launches `kernel`, which must call ga_breed_tile, then applies the improver.
    void breed(DevicePlace<View>& place, const KernelName& kernel, std::uint64_t generation) const {
        const auto& pools = place.view().population.pools;
        place.change_in_place();
        place.launch(kernel, tiles(place), kThreads, 0, begin_argument(place), place.problem_view(), generation);
        place.improve(pools.children, pools.child_costs, 0, place.shard().individuals(), generation, kImproverStream);
    }
    /// Selection, step 6 of the papers' algorithm: a child replaces its parent if the child's cost is less.
    void select(HostSteps<View>& steps, const KernelName&, std::uint64_t generation) const {
        steps.groups([&](std::uint32_t group, std::uint32_t) { select_in(steps, group, generation); });
    }
    /// Selection (step 6) on a GPU: launches `kernel`.
    void select(DevicePlace<View>& place, const KernelName& kernel, std::uint64_t generation) const {
        place.launch(kernel, blocks_for_warps(place.shard().individuals()), kThreads, 0, place.view().population,
                     generation);
    }
    /// Selection in one group on the host, by one thread.
    void select_in(HostSteps<View>& steps, std::uint32_t group, std::uint64_t generation) const {
        const CostLess less = steps.settings().problem.less();
        const std::uint32_t first = group * rules_.size;
        for (std::uint32_t k = first; k < first + rules_.size; ++k) {
            kernels::ga_select(rules_, steps.view().population.pools, less, k, generation);
        }
    }

    /// Number of CUDA blocks for all individuals, for kernels that do not keep groups in shared memory.
    static std::uint32_t tiles(DevicePlace<View>& place) {
        return kernels::ga_blocks_for(place.shard().individuals(), place.device().multiprocessors);
    }
    /// Number of CUDA blocks of kThreads threads that are needed for `warps` warps.
    static std::uint32_t blocks_for_warps(std::uint32_t warps) { return (warps + kThreads / 32 - 1) / (kThreads / 32); }

    /// Sizes for a kernel that breeds groups in shared memory, many generations per launch.
    struct SharedMemory {
        std::uint32_t bytes;  ///< shared memory of one group
        std::uint32_t
            fitting;  ///< groups that fit on a multiprocessor; always 0 with an improver, bay bits or segments
        std::uint32_t threads;  ///< threads of a CUDA block
    };
    /// Returns the sizes for `kernel`, which breeds groups in shared memory, on the GPU of `place`.
    SharedMemory shared_memory(DevicePlace<View>& place, const KernelName& kernel) const {
        const std::uint64_t bytes = kernels::ga_shared_bytes(rules_.size, rules_.values);
        SharedMemory memory{static_cast<std::uint32_t>(bytes), 0, 0};
        if (!has_bits() && !segments_ && !place.improves() && bytes <= place.device().shared_bytes_per_block) {
            memory.fitting = place.kernel(kernel).occupancy(kThreads, memory.bytes);
        }
        memory.threads =
            kernels::ga_threads_of_block(place.shard().groups, place.device().multiprocessors, memory.fitting);
        return memory;
    }

    /// Describes how to compile the kernel `name` from the solver's `texts` for the operators of this run.
    KernelRequest request(std::span<const qapfw_text> texts, const KernelName& name) const {
        return ga_kernel(texts, name.entry, rules_.n, rules_.values,
                         operator_defines<kernels::GaPaperOperators>(rules_.crossover, rules_.move, rules_.shape));
    }

    Id solutions{}, costs{}, found{};  ///< fields of pool P: solution, cost, and generation that made the individual

  private:
    static constexpr std::uint64_t kMostIndividuals = 100'000'000;

    void check_cuts(const Parameters& p) const {
        if (rules_.cuts == kernels::kGaCutsAny) return;
        const bool has_cuts = rules_.crossover == kernels::kGaPmx || rules_.crossover == kernels::kGaOx;
        if (has_cuts && !segments_) return;
        const std::string wrong =
            has_cuts ? "a problem with other solutions" : "crossover = \"" + p.text("crossover") + '"';
        throw Error(ErrorKind::kUsage, "cut_points = \"" + p.text("cut_points") +
                                           "\" works only for pmx and ox, on permutations or layouts in bays, found " +
                                           wrong + "; leave cut_points out");
    }

    /// First argument of the kernels for `start` and `breed`: the whole view if the solver wants it, else the
    /// population.
    static const auto& begin_argument(DevicePlace<View>& place) {
        if constexpr (requires { View::kWholeInKernels; }) {
            return place.view();
        } else {
            return place.view().population;
        }
    }
    void breed_part(HostSteps<View>& steps, std::uint32_t first, std::uint32_t last, std::uint64_t generation,
                    std::uint32_t worker) const {
        const auto& population = steps.view().population;
        std::uint16_t* const row = scratch_.data() + std::size_t{worker} * 2 * rules_.values;
        const kernels::GaScratch<> scratch{reinterpret_cast<std::uint8_t*>(row + rules_.values), row};
        // Children `unknown` to k - 1 are new and not evaluated yet. `evaluated` counts these children too.
        std::uint32_t unknown = first, evaluated = 0;
        for (std::uint32_t k = first; k < last; ++k) {
            const bool is_new =
                segments_ ? kernels::ga_breed_segments<kernels::kAllCrossovers>(population.rules, population.segments,
                                                                                population.pools, k, generation,
                                                                                reinterpret_cast<std::uint8_t*>(row))
                          : kernels::ga_breed<kernels::AllOperators>(population.rules, population.order,
                                                                     population.pools, k, generation, scratch);
            if (is_new) {
                ++evaluated;
                continue;
            }
            evaluate_children(steps, unknown, k, generation, worker);
            unknown = k + 1;
        }
        evaluate_children(steps, unknown, last, generation, worker);
        steps.count(worker, last - first - evaluated);  // children that are copies count as evaluated too
    }
    static void evaluate_children(HostSteps<View>& steps, std::uint32_t first, std::uint32_t last,
                                  std::uint64_t generation, std::uint32_t worker) {
        const auto& pools = steps.view().population.pools;
        steps.evaluate_children(worker, {pools.parent(first), pools.costs + first, last - first},
                                {pools.child(first), pools.child_costs + first, last - first}, first, generation);
    }

    PopulationShape shape_;
    kernels::GaRules rules_{};
    std::vector<std::uint16_t> free_;
    SegmentArrays segments_;
    mutable std::vector<std::uint16_t> scratch_;  ///< scratch of crossovers, for each worker
};

}  // namespace qapfw::sdk
