// SPDX-License-Identifier: Apache-2.0
// Solver "tabu": `searches` robust tabu searches side by side, in rounds of a fixed number of iterations. Sources:
// Taillard 1991; section 4.2 of Tsutsui and Fujimoto, MEDAL 2011005. Between rounds the searches may exchange elites: a
// search continues from a uniform crossover of its own best and another search's best. If the two bests differ too
// little, the worse search restarts. If solutions have bits, the searches move bays too (device/layout_moves.hpp).
#pragma once

#include <memory>

#include "plugins/tabu/device_searches.hpp"
#include "plugins/tabu/host_searches.hpp"
#include "plugins/tabu/tabu_parameters.hpp"
#include "qapfw/kernels/operators/compiled_operators.hpp"
#include "qapfw/kernels/uniform_crossover.hpp"
#include "qapfw/sdk/neighbourhood_choice.hpp"
#include "qapfw/sdk/round_length.hpp"

namespace qapfw::tabu {

class Tabu {
  public:
    using View = Searches;
    using Host = sdk::HostSteps<View>;
    using Device = sdk::DevicePlace<View>;
    static constexpr sdk::SolverTraits kTraits{.goes_on_from_cuts = true};
    static constexpr const char* kDeviceEncodings = nullptr;  ///< encodings that GPUs support; null: all
    static constexpr const char* kAutoByGpus[] = {"searches", nullptr};
    static constexpr sdk::ParameterTable kParameters{
        sdk::integer("searches")
            .or_auto()
            .range(1, 1'000'000)
            .symbol("m")
            .summary("Number of searches that run side by side, each from its own solution. auto: on GPUs enough to "
                     "fill them; on the CPU 16, or fewer if the problem cannot compute a move's change of cost, so "
                     "that each move needs a whole evaluation."),
        sdk::size("round")
            .or_auto()
            .range(1, 1e12)
            .unit("iterations")
            .summary(
                "Number of iterations of each search in a round. Limits are checked between rounds; checkpoints can be "
                "written and searches can meet only then. auto: as many as a core makes for one search in about 20 ms; "
                "a GPU makes them in less time."),
        kTenure.or_auto().summary(
            "After min_tenure + int(r^3 T) iterations a facility may return to a location that it has left. T is this "
            "value; r is drawn from 0 to 1 for each facility of a move. The bay bits of a layout are treated like "
            "facilities. auto: 8n, or n for layouts in bays; at most 300."),
        kMinTenure,
        kLongTerm,
        sdk::size("perturb_after")
            .or_auto()
            .range(0, 1e12)
            .unit("iterations")
            .summary("After this many iterations of a search without a new best solution, random swaps change its "
                     "solution. 0: never. auto: 100n; n for layouts in bays."),
        sdk::size("perturb_swaps", "n/4")
            .range(1, 65536)
            .summary("Number of random swaps that change the solution of a search that finds nothing better. A larger "
                     "number leads further away. In layouts in bays, as many swaps of two bay bits follow."),
        kPerturbFrom,
        sdk::size("share_after")
            .or_auto()
            .range(0, 1e12)
            .unit("iterations")
            .summary(
                "Iterations between two meetings of the searches, rounded up to whole rounds. Each search then "
                "continues from a mix (uniform crossover) of its best solution and that of another search. 0: never. "
                "auto: 2 n^2; 20000 with more than 256 searches."),
        sdk::size("alike", "n/10")
            .range(0, 65536)
            .unit("positions")
            .summary(
                "Least number of positions in which the best solutions of two searches must differ when they meet. If "
                "they differ in fewer positions, the worse search restarts from a random solution. 0: no such "
                "restarts."),
        sdk::integer("restart_after")
            .or_auto()
            .range(0, 1e9)
            .summary("All searches restart after this many meetings (see share_after) in a row without a new best "
                     "solution. The run keeps its best solution. 0: they never restart. auto: 25, or 0 with more than "
                     "256 searches."),
        sdk::kNeighbourhood,
        sdk::kAssignment,
        sdk::kPairsPerThread};

    explicit Tabu(const sdk::SolverContext& context);

    // The steps of the algorithm.

    /// Starts all searches from the warm starts or from random solutions.
    void start(Host& steps);
    void start(Device& place);
    /// Advances all searches to iteration `last`. Returns nothing after an early stop.
    template <class Population>
    std::optional<std::uint64_t> evolve(Population& population, std::uint64_t, std::uint64_t last) {
        std::atomic<bool> complete{true};
        population.each([&](auto& steps) {
            if (!advance(steps, last)) complete = false;
        });
        return complete ? std::optional(last) : std::nullopt;
    }
    /// Called at the end of each round. In some rounds the searches exchange elites. Returns false after an early stop.
    template <class Population>
    bool meet(Population& population, std::uint64_t) {
        const bool shares = share_every_ > 0 && (rounds_ + 1) % share_every_ == 0 && shape_.groups > 1;
        if (shares && !share_elites(population)) return false;
        ++rounds_;
        return true;
    }
    /// Every search continues from a crossover of its best and another search's best, or restarts. Returns false after
    /// an early stop; the searches then go back to where they were.
    template <class Population>
    bool share_elites(Population& population) {
        population.each([&](auto& steps) { show(steps); });
        const Elites elites{population.template values<std::uint16_t>(elites_),
                            population.template values<TabuState>(elite_standings_)};
        remember_best(elites);
        const Epoch epoch = next_epoch(elites);
        std::atomic<bool> complete{true};
        population.each([&](auto& steps) {
            if (!replace(steps, cross(elites, epoch.begins, steps.shard()))) complete = false;
        });
        if (!population.processes().all_of(complete)) {
            population.each([&](auto& steps) { go_back(steps); });
            return false;
        }
        epoch_ = epoch;
        return true;
    }

    // Members that the population engine asks for.

    sdk::PopulationShape shape() const { return shape_; }
    void keep_to(std::uint64_t evaluations) {
        shape_.groups = sdk::groups_of_budget(evaluations, moves_, shape_.groups);
    }
    void declare(sdk::Fields<View>& fields, const sdk::Run& run);
    void prepare(Host& steps) const;
    void prepare(Device& place) const { searches_of(place); }
    std::uint64_t round_wanted(std::uint64_t) const { return round_length_; }
    std::uint64_t next_meeting(std::uint64_t, std::uint64_t last) const { return last; }
    sdk::RoundReport look(Host& steps, std::uint64_t t, bool complete) const;
    sdk::RoundReport look(Device& place, std::uint64_t t, bool complete) const;
    void put_state(Host& steps) const;
    void take_state(Host& steps);
    void put_state(Device&) const {}
    void take_state(Device& place) { searches_of(place).restore(place); }
    void save(sdk::Writer& writer) const;
    void load(sdk::Reader& reader);
    sdk::KernelRequest kernel_request(const sdk::KernelName&, const qapfw_device& device,
                                      const sdk::Shard& shard) const {
        return search_request(device, options_, assignment_, few_ ? shard.groups : 0, kernel_moves());
    }
    std::vector<sdk::KernelName> kernels() const { return {{"qapfw_tabu_search"}}; }
    sdk::LaunchLength launches() const { return {kFirstLaunch, kLongestLaunch}; }

  private:
    /// Iterations of the first launch, and the most iterations of any launch.
    static constexpr std::uint64_t kFirstLaunch = 64, kLongestLaunch = 0xFFFFFFFF;

    /// Best solution and state of each search of the run.
    struct Elites {
        std::vector<std::uint16_t> solutions;
        std::vector<TabuState> standings;
    };
    /// Result of the meetings since all searches last restarted together.
    struct Epoch {
        qapfw_cost best{};           ///< best cost of the searches at these meetings
        std::uint64_t has_best = 0;  ///< 1: `best` is set; 0: there was no meeting yet
        std::uint64_t stale = 0;     ///< meetings since `best` was found
        std::uint64_t begins = 0;    ///< 1: all searches restart at this meeting; else 0
    };

    bool advance(Host& steps, std::uint64_t until) { return host_searches_->advance(steps, until); }
    bool advance(Device& place, std::uint64_t until);
    void show(Host& steps) const;
    void show(Device& place) const {
        place.copy_to_run(elites_, best_);
        place.copy_to_run(elite_standings_, standing_);
    }
    bool replace(Host& steps, const Children& children) { return host_searches_->replace(steps, children); }
    bool replace(Device& place, const Children& children);
    void go_back(Host& steps) { host_searches_->go_back(steps); }
    void go_back(Device&) {}
    Children cross(const Elites& elites, bool all_afresh, const sdk::Shard& shard) const;
    std::uint32_t distance(const std::uint16_t* one, const std::uint16_t* other) const;
    void cross_two(const std::uint16_t* own, const std::uint16_t* other, std::uint16_t* child,
                   const kernels::UniformDraws& draws) const;
    void cross_segments(const std::uint16_t* own, const std::uint16_t* other, std::uint16_t* child, std::uint64_t round,
                        std::uint32_t search) const;
    Epoch next_epoch(const Elites& elites) const;
    void remember_best(const Elites& elites);
    void draw_start(std::uint64_t iteration, std::uint32_t search, std::uint16_t* solution) const;
    DeviceSearches& searches_of(Device& place) const;
    KernelMoves kernel_moves() const { return tabu::kernel_moves(problem_, true, inserts_); }
    std::uint32_t automatic_searches(const sdk::SolverContext& context) const;

    sdk::Host host_;
    sdk::ProblemRef problem_;
    bool inserts_;  ///< true: moves are insertions
    std::uint32_t n_;
    sdk::SegmentArrays segments_;      ///< arrays of the encoding's segments, made by segment_arrays
    kernels::SolutionShape solution_;  ///< size of a solution, and position of its bay bits if it has any
    kernels::TabuOptions options_;
    sdk::ThreadAssignment assignment_;
    bool few_;  ///< true: the number of searches was configured, not chosen to fill the GPU
    sdk::PopulationShape shape_;
    std::uint64_t round_length_;
    std::uint64_t share_every_;  ///< number of rounds between two exchanges of elites; 0: no exchanges
    std::uint32_t alike_;
    std::uint64_t restart_after_;
    std::vector<std::uint16_t> free_;  ///< free positions
    std::uint64_t moves_;              ///< number of moves that one iteration of a search checks
    sdk::Fields<View>::Id current_{}, best_{}, standing_{}, elites_{}, elite_standings_{};
    mutable std::unique_ptr<HostSearches> host_searches_;
    std::uint64_t rounds_ = 0;  ///< number of complete rounds
    Epoch epoch_;
    sdk::Leader record_;  ///< best solution that meetings have seen; the search that found it may have restarted since
};

using TabuSolver = sdk::PopulationSolver<Tabu>;

}  // namespace qapfw::tabu
