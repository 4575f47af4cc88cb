// SPDX-License-Identifier: Apache-2.0
// Solver "mapping": simulated annealing by swaps that the problem proposes (qapfw/abi/sampled_neighbourhood.h), or
// by random swaps if it proposes none. It starts from the cheapest of the problem's constructions. It anneals in
// rounds, in one search or in several at once. The numbers of constructions and rounds depend on the run's limits. The
// record states them, and a run with the same numbers as parameters gives the same result.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "plugins/mapping/searches.hpp"
#include "qapfw/sdk/parameter_table.hpp"
#include "qapfw/sdk/population/processes.hpp"
#include "qapfw/sdk/solver.hpp"

namespace qapfw::mapping {

class Mapping {
  public:
    static constexpr sdk::ParameterTable kParameters{
        sdk::integer("rounds", 0)
            .range(0, 1e12)
            .unit("rounds")
            .summary(
                "Number of rounds of the first two annealings together: a short, cool one and the main one. In a round "
                "a quarter of the positions try a swap. More rounds take longer and usually find a better solution. 0: "
                "as many as fit the run's limits. The record gives the number as annealing_rounds. To repeat a run "
                "with a time limit exactly, set rounds, constructions and starts to the numbers in its record."),
        sdk::real("heat", 1.0)
            .range(0.01, 100)
            .summary("Factor by which all temperatures of the annealing are multiplied. A larger factor accepts worse "
                     "solutions more often."),
        sdk::integer("constructions", 0)
            .range(0, 1000)
            .unit("constructions")
            .summary("Number of constructions (quick ways to make a first solution) to try after the quickest one. 0: "
                     "all, but with a time limit only as many as fit into half of it. The record holds the number "
                     "tried under the name `constructions`."),
        sdk::integer("starts", 0)
            .range(0, 1000)
            .unit("seeds")
            .summary("Number of seeds with which each construction makes a first solution; the cheapest solution is "
                     "annealed. 0 chooses the number: 4 for small instances on a hierarchy of locations, where "
                     "single swaps change the cost little; otherwise 1."),
        sdk::integer("searches")
            .or_auto()
            .range(1, 65535)
            .unit("searches")
            .summary(
                "Number of searches that anneal side by side with different random numbers. When all have finished "
                "an annealing, all begin the next one from the best solution that any of them found. auto: 1 on "
                "the CPU; on each GPU a million divided by the number of positions, at least 1 and at most 128.")};

    explicit Mapping(const sdk::SolverContext& context);
    static const void* get_capability(const char* id);

    void run(sdk::Run& run);
    void save(sdk::Writer& writer) const;
    void load(sdk::Reader& reader);

  private:
    using Clock = std::chrono::steady_clock;

    /// One annealing, from its highest to its lowest temperature.
    struct Course {
        std::uint64_t number = 0;  ///< number of the annealing in the run, from 0
        std::uint64_t begin = 0;   ///< number of rounds that the run made before this annealing
        std::uint64_t rounds = 0;
        double hottest = 0;  ///< highest temperature, in units of the cost
    };
    std::uint32_t automatic_searches() const;
    std::string sparse_sentence() const;
    void make_searches(sdk::Run& run);
    std::unique_ptr<Searches> new_searches(sdk::Run& run) const;
    bool begin(sdk::Run& run);
    std::uint64_t ways_to_try(const sdk::Run& run) const;
    std::uint64_t seeds_to_try() const;
    bool construct_all(sdk::Run& run);
    std::vector<std::vector<unsigned char>> constructed(sdk::Run& run, std::uint64_t ways, std::uint64_t seeds);
    std::uint64_t finished_of_all(const std::vector<std::vector<unsigned char>>& made) const;
    void offer_descended(sdk::Run& run) const;
    void descend(sdk::Run& run, std::vector<unsigned char>& solution) const;
    bool take_start(sdk::Run& run, const std::vector<unsigned char>& solution);
    void share_best(std::uint64_t place);
    template <class T>
    T least_of_all(T own) const {
        return std::ranges::min(processes_->gather_values(own));
    }
    void plan_first(sdk::Run& run);
    void plan_next();
    double measured_rate(sdk::Run& run, double seconds);
    double rate_in_try(sdk::Run& run, double seconds);
    Cooling cooling_of_course() const;
    std::uint64_t descent_of_course() const;
    RoundOrder order_of(std::uint64_t round, std::uint64_t seed, const Cooling& cooling, std::uint64_t descent) const;
    std::uint64_t rounds_to_look(const sdk::Run& run) const;
    std::uint64_t play(sdk::Run& run, std::uint64_t granted);
    void go_on_from_best();
    void report(sdk::Run& run, std::uint64_t wanted, std::uint64_t iterations, std::uint64_t evaluations);
    void merge_best();
    bool is_due(const sdk::Run& run, bool complete) const;
    bool reaches_limit(const sdk::Run& run) const;
    std::vector<unsigned char> best_of_all() const;
    std::uint64_t digest_of(const std::vector<SearchState>& states) const;
    double temperature_for(std::uint64_t rounds) const;
    double most_heat() const;
    std::uint32_t proposals() const { return proposals_of(facts_.movers); }

    sdk::Host host_;
    sdk::ProblemRef problem_;
    qapfw_sampled_facts facts_;
    std::uint64_t rounds_wanted_, constructions_, seeds_;
    double heat_;
    std::optional<sdk::Processes> processes_;
    std::uint32_t count_;  ///< number of searches of the run
    SearchRange range_;    ///< the searches of this process
    std::unique_ptr<Searches> searches_;
    bool on_gpus_ = false, any_gpus_ = false;  ///< true if this process uses GPUs; true if any process uses GPUs
    bool is_behind_ = false;                   ///< the searches have a better solution than best_
    std::uint32_t holder_ = 0;                 ///< if is_behind_: the process whose search has the better solution
    bool is_reported_ = false;                 ///< a solution was reported to the framework
    std::uint64_t first_iteration_ = 0;        ///< number of iterations before the run began or was resumed
    Clock::time_point taken_;                  ///< time at which best_ was last taken from the searches
    double seconds_of_taking_ = 0;             ///< duration of the last taking and reporting of best_
    Clock::time_point run_began_;

    // The members from here to best_search_ are the state, which is saved.
    std::uint64_t round_ = 0;  ///< number of rounds so far, of all annealings together
    Course course_;
    std::uint64_t main_rounds_ = 0;                   ///< rounds of the first two annealings together
    std::vector<std::vector<unsigned char>> loaded_;  ///< after load(): the solution of each search of the run
    std::vector<unsigned char> best_;
    std::int64_t best_cost_ = 0;
    std::uint64_t iterations_ = 0, best_iteration_ = 0, best_search_ = 0;
    std::uint64_t evaluations_ = 0;  ///< evaluations since the run began or was resumed
};

}  // namespace qapfw::mapping
