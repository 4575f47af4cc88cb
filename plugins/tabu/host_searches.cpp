// SPDX-License-Identifier: Apache-2.0
#include "plugins/tabu/host_searches.hpp"

#include <algorithm>
#include <atomic>
#include <type_traits>
#include <utility>

#include "plugins/tabu/cpu_neighbourhood.hpp"
#include "plugins/tabu/insertion_moves.hpp"
#include "plugins/tabu/layout_neighbourhood.hpp"
#include "plugins/tabu/segment_search.hpp"
#include "qapfw/sdk/free_positions.hpp"
#include "qapfw/sdk/launch_length.hpp"
#include "qapfw/sdk/operator_parameters.hpp"

namespace qapfw::tabu {
namespace {

constexpr double kSecondsBetweenLooks = 0.001;  ///< between two calls of should_stop
constexpr std::uint64_t kLongestSlice = 4096;

template <class Cost>
std::int64_t bits_of(Cost cost) {
    return abi_cost<Cost>(cost).i;
}
template <class Cost>
Cost from_bits(std::int64_t bits) {
    return cost_of<Cost>(qapfw_cost{.i = bits});
}

template <class Search>
constexpr bool kOfSegments = requires {
    requires Search::kOfSegments;
};

template <class Neighbourhood, class Cost, class Search = TabuSearch<Neighbourhood, Cost>>
class SearchesOf final : public HostSearches {
  public:
    SearchesOf(const sdk::ProblemRef& problem, const kernels::TabuOptions& options, const sdk::Shard& shard)
        : problem_(problem),
          n_(problem.length()),
          moves_(moves_of(problem, kInserts)),
          movable_(sdk::free_positions(problem)),
          segments_(segment_arrays(problem, kInserts)) {
        if (Search::kMovesBits || kOfSegments<Search>) shape_ = sdk::solution_shape(problem);
        searches_.reserve(shard.groups);
        slices_.assign(shard.groups, {1, kLongestSlice, kSecondsBetweenLooks});
        for (std::uint32_t k = 0; k < shard.groups; ++k) {
            neighbourhoods_.push_back(std::make_unique<Neighbourhood>(problem));
            const std::uint32_t number = shard.first_group + k;
            if constexpr (kOfSegments<Search>)
                searches_.emplace_back(*neighbourhoods_.back(), options, number, problem, segments_.list());
            else
                searches_.emplace_back(*neighbourhoods_.back(), options, number, movable_, n_, shape_);
        }
    }

    bool start(Steps& steps) override {
        watch(steps);
        return in_all(steps, [&](std::uint64_t k) { searches_[k].start(row(steps, steps.view().current, k)); });
    }

    bool advance(Steps& steps, std::uint64_t until) override {
        watch(steps);
        in_all(steps, [&](std::uint64_t k, std::uint32_t worker) {
            Search& search = searches_[k];
            const std::uint64_t before = search.state().iteration;
            try {
                run_to(search, until, steps, slices_[k]);
            } catch (const sdk::Stopped&) {  // NOLINT(bugprone-empty-catch): the search's state says how far it came
            }
            steps.count(worker, (search.state().iteration - before) * moves_);
        });
        return std::all_of(searches_.begin(), searches_.end(),
                           [&](const Search& search) { return search.state().iteration >= until; });
    }

    bool replace(Steps& steps, const Children& children) override {
        watch(steps);
        return in_all(steps, [&](std::uint64_t k) {
            searches_[k].replace_current(row(steps, children.solutions.data(), k), children.afresh[k] != 0);
        });
    }

    void go_back(Steps& steps) override {
        for (std::size_t k = 0; k < searches_.size(); ++k) searches_[k].go_back(state_in(steps, k));
    }

    void show(Steps& steps) const override {
        for (std::size_t k = 0; k < searches_.size(); ++k) {
            const SearchState<Cost>& s = searches_[k].state();
            show_solution(s.current, row(steps, steps.view().current, k));
            show_solution(s.best, row(steps, steps.view().best, k));
            steps.view().standing[k] = standing_of(s);
        }
    }

    void show_memory(Steps& steps) const override {
        for (std::size_t k = 0; k < searches_.size(); ++k) {
            searches_[k].expiries(steps.view().expiry + k * expiries());
        }
    }

    void restore(Steps& steps) override {
        for (std::size_t k = 0; k < searches_.size(); ++k) {
            searches_[k].restore(state_in(steps, k), steps.view().expiry + k * expiries());
        }
    }

    std::vector<TabuState> standings() const override {
        std::vector<TabuState> all;
        for (const Search& search : searches_) all.push_back(standing_of(search.state()));
        return all;
    }

    std::vector<unsigned char> best_of(std::size_t search) const override {
        std::vector<unsigned char> solution(problem_.solution_bytes());
        show_solution(searches_[search].state().best, sdk::permutation_of(static_cast<void*>(solution.data())));
        return solution;
    }

    std::uint64_t digest(const sdk::Shard& shard) const override {
        std::uint64_t sum = 0;
        for (std::size_t k = 0; k < searches_.size(); ++k) {
            sum += kernels::digest_in_round(shard.first_group + k, searches_[k].digest());
        }
        return sum;
    }

  private:
    static constexpr bool kInserts = std::is_same_v<Neighbourhood, sdk::InsertionNeighbourhood>;

    std::size_t expiries() const {
        if (kOfSegments<Search>) return ValueMemory::size(problem_);
        return TabuMemory::saved_size(movable_.size(), n_, Search::kMovesBits);
    }

    static TabuState standing_of(const SearchState<Cost>& s) {
        return {bits_of(s.cost), bits_of(s.best_cost), s.iteration, s.best_iteration, s.idle, s.base};
    }
    template <class Element>
    static Element* row(Steps& steps, Element* of, std::size_t k) {
        return of + k * steps.settings().stride();
    }
    void show_solution(const std::vector<std::uint16_t>& solution, std::uint16_t* to) const {
        sdk::base_solution(problem_, to);
        std::copy(solution.begin(), solution.end(), to);
    }
    SearchState<Cost> state_in(Steps& steps, std::size_t k) const {
        const TabuState& standing = steps.view().standing[k];
        const std::uint16_t* current = row(steps, steps.view().current, k);
        const std::uint16_t* best = row(steps, steps.view().best, k);
        SearchState<Cost> s{{current, current + shape_.stride}, {best, best + shape_.stride}};
        s.cost = from_bits<Cost>(standing.cost);
        s.best_cost = from_bits<Cost>(standing.best_cost);
        s.iteration = standing.iteration;
        s.best_iteration = standing.best_iteration;
        s.idle = standing.idle;
        s.base = standing.base;
        return s;
    }

    void watch(Steps& steps) {
        for (const auto& neighbourhood : neighbourhoods_) neighbourhood->watch(steps.run().stop());
    }

    /// Advances a search to iteration `until`, or to an early stop. `slices`: number of iterations between two calls of
    /// should_stop, adapted to the time that an iteration takes. Call should_stop before this function.
    void run_to(Search& search, std::uint64_t until, Steps& steps, sdk::LaunchLength& slices) const {
        std::uint64_t offered = search.state().best_iteration;
        const auto run = [&](std::uint64_t iterations) {
            search.run(iterations);
            if (std::exchange(offered, search.state().best_iteration) != offered) offer_best(search, steps);
        };
        while (search.state().iteration + slices.value() < until) {
            const std::uint64_t slice = slices.value();
            slices.start();
            run(slice);
            slices.finish(slice);
            if (steps.run().should_stop()) return;
        }
        run(until - search.state().iteration);
    }

    void offer_best(const Search& search, Steps& steps) const {
        if (!steps.run().takes_offers()) return;
        std::vector<std::uint16_t> solution(problem_.solution_bytes() / sizeof(std::uint16_t));
        show_solution(search.state().best, solution.data());
        steps.place().offer(solution.data(), qapfw_cost{.i = bits_of(search.state().best_cost)});
    }

    /// Calls work(k, worker) or work(k) for every search. Returns false if some searches were left out or stopped
    /// early.
    template <class Work>
    bool in_all(Steps& steps, const Work& work) {
        std::atomic<bool> all{true};
        steps.settings().host.parallel_for(searches_.size(), [&](std::uint64_t k, std::uint32_t worker) {
            try {
                if (steps.run().should_stop()) throw sdk::Stopped();
                if constexpr (requires { work(k, worker); })
                    work(k, worker);
                else
                    work(k);
            } catch (const sdk::Stopped&) {
                all = false;
            }
        });
        return all;
    }

    sdk::ProblemRef problem_;
    std::uint32_t n_;
    kernels::SolutionShape shape_{0, n_};  ///< shape of the part of a solution that a search holds
    std::uint64_t moves_;                  ///< number of candidates that one iteration checks
    std::vector<std::uint16_t> movable_;
    sdk::SegmentArrays segments_;  ///< arrays of the encoding's segments, made by segment_arrays
    std::vector<std::unique_ptr<Neighbourhood>> neighbourhoods_;
    std::vector<Search> searches_;
    std::vector<sdk::LaunchLength> slices_;  ///< for each search: iterations between two calls of should_stop
};

template <template <class> class Neighbourhood>
std::unique_ptr<HostSearches> searches_over(const sdk::ProblemRef& problem, const kernels::TabuOptions& options,
                                            const sdk::Shard& shard) {
    using Integer = std::int64_t;
    if (problem.has_integer_costs())
        return std::make_unique<SearchesOf<Neighbourhood<Integer>, Integer>>(problem, options, shard);
    return std::make_unique<SearchesOf<Neighbourhood<double>, double>>(problem, options, shard);
}

/// Makes searches with the moves `Moves`: moves of all segments, or insertions.
template <class Moves>
std::unique_ptr<HostSearches> searches_by(const sdk::ProblemRef& problem, const kernels::TabuOptions& options,
                                          const sdk::Shard& shard) {
    const auto with = [&]<class Cost>(Cost) -> std::unique_ptr<HostSearches> {
        return std::make_unique<SearchesOf<typename Moves::Neighbourhood, Cost, SegmentSearch<Cost, Moves>>>(
            problem, options, shard);
    };
    return problem.has_integer_costs() ? with(std::int64_t{}) : with(double{});
}

}  // namespace

std::unique_ptr<HostSearches> make_host_searches(const sdk::ProblemRef& problem, const kernels::TabuOptions& options,
                                                 const sdk::Shard& shard, bool inserts) {
    if (inserts) return searches_by<InsertionMoves>(problem, options, shard);
    if (sdk::has_segments(problem)) return searches_by<AllMoves>(problem, options, shard);
    return has_bits(problem) ? searches_over<LayoutNeighbourhood>(problem, options, shard)
                             : searches_over<CpuNeighbourhood>(problem, options, shard);
}

}  // namespace qapfw::tabu
