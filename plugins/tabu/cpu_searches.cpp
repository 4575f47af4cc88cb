// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <atomic>
#include <chrono>
#include <utility>

#include "plugins/tabu/cpu_neighbourhood.hpp"
#include "plugins/tabu/searches.hpp"
#include "qapfw/sdk/free_positions.hpp"

namespace qapfw::tabu {
namespace {

constexpr auto kSliceTime = std::chrono::milliseconds(1);  ///< between two looks at should_stop
constexpr std::uint64_t kLongestSlice = 4096;

template <class Cost>
class CpuSearches final : public Searches {
  public:
    CpuSearches(const sdk::Host& host, const sdk::ProblemRef& problem, const kernels::TabuOptions& options,
                std::uint32_t count)
        : host_(host), n_(problem.length()) {
        const std::vector<std::uint16_t> movable = sdk::free_positions(problem);
        searches_.reserve(count);
        for (std::uint32_t k = 0; k < count; ++k) {
            neighbourhoods_.push_back(std::make_unique<CpuNeighbourhood<Cost>>(problem));
            searches_.emplace_back(*neighbourhoods_.back(), options, k, movable, n_);
        }
    }

    bool start(const std::vector<std::uint16_t>& starts, const sdk::Run& run) override {
        for (const auto& neighbourhood : neighbourhoods_) neighbourhood->watch(run.stop());
        return in_all(run, [&](std::uint64_t k) { searches_[k].start(starts.data() + k * n_); });
    }

    bool advance(std::uint64_t until, const sdk::Run& run) override {
        for (const auto& neighbourhood : neighbourhoods_) neighbourhood->watch(run.stop());
        in_all(run, [&](std::uint64_t k) {
            Search& search = searches_[k];
            std::uint64_t slice = 1;
            while (search.state().iteration < until && !run.should_stop()) {
                const auto start = std::chrono::steady_clock::now();
                search.run(std::min(slice, until - search.state().iteration));
                const bool quick = std::chrono::steady_clock::now() - start < kSliceTime / 2;
                if (quick) slice = std::min(2 * slice, kLongestSlice);
            }
        });
        return std::all_of(searches_.begin(), searches_.end(),
                           [&](const Search& search) { return search.state().iteration >= until; });
    }

    std::uint64_t total_iterations() const override {
        std::uint64_t sum = 0;
        for (const Search& search : searches_) sum += search.state().iteration;
        return sum;
    }

    std::vector<SearchBest> bests() override {
        std::vector<SearchBest> bests;
        for (const Search& search : searches_) {
            bests.push_back({abi_cost<Cost>(search.state().best_cost), search.state().best_iteration});
        }
        return bests;
    }

    std::vector<std::uint16_t> best_solution(std::uint32_t search) override { return searches_[search].state().best; }

    std::vector<std::uint16_t> best_solutions() override {
        std::vector<std::uint16_t> all;
        for (const Search& s : searches_) all.insert(all.end(), s.state().best.begin(), s.state().best.end());
        return all;
    }

    bool replace(const std::vector<std::uint16_t>& solutions, const std::vector<std::uint8_t>& forget,
                 const sdk::Run& run) override {
        return in_all(
            run, [&](std::uint64_t k) { searches_[k].replace_current(solutions.data() + k * n_, forget[k] != 0); });
    }

    std::uint64_t digest() override {
        std::uint64_t sum = 0;
        for (std::size_t k = 0; k < searches_.size(); ++k) sum += kernels::digest_in_round(k, searches_[k].digest());
        return sum;
    }

    void save(sdk::Writer& writer) override {
        for (const Search& search : searches_) {
            const SearchState<Cost>& s = search.state();
            writer.array(s.current);
            writer.array(s.best);
            writer.array(search.expiries());
            writer.value(s.cost);
            writer.value(s.best_cost);
            for (const std::uint64_t value : {s.iteration, s.best_iteration, s.idle, s.base}) writer.value(value);
        }
    }

    void load(sdk::Reader& reader) override {
        for (Search& search : searches_) {
            SearchState<Cost> s;
            reader.array(s.current, n_);
            reader.array(s.best, n_);
            std::vector<std::int32_t> expiries;
            reader.array(expiries, std::uint64_t{n_} * n_);
            s.cost = reader.value<Cost>();
            s.best_cost = reader.value<Cost>();
            for (std::uint64_t* value : {&s.iteration, &s.best_iteration, &s.idle, &s.base}) {
                *value = reader.value<std::uint64_t>();
            }
            search.restore(std::move(s), expiries);
        }
    }

  private:
    using Search = TabuSearch<CpuNeighbourhood<Cost>, Cost>;

    /// Calls work(k) for every search; false if some were left out or gave up since the run is to end.
    template <class Work>
    bool in_all(const sdk::Run& run, const Work& work) {
        std::atomic<bool> all{true};
        host_.parallel_for(searches_.size(), [&](std::uint64_t k, std::uint32_t) {
            try {
                if (run.should_stop()) throw sdk::Stopped();
                work(k);
            } catch (const sdk::Stopped&) {
                all = false;
            }
        });
        return all;
    }

    sdk::Host host_;
    std::uint32_t n_;
    std::vector<std::unique_ptr<CpuNeighbourhood<Cost>>> neighbourhoods_;
    std::vector<Search> searches_;
};

}  // namespace

std::unique_ptr<Searches> make_cpu_searches(const sdk::Host& host, const sdk::ProblemRef& problem,
                                            const kernels::TabuOptions& options, std::uint32_t count) {
    if (problem.has_integer_costs()) return std::make_unique<CpuSearches<std::int64_t>>(host, problem, options, count);
    return std::make_unique<CpuSearches<double>>(host, problem, options, count);
}

}  // namespace qapfw::tabu
