// SPDX-License-Identifier: Apache-2.0
// Solver "tabu": `searches` robust tabu searches side by side, in rounds of a fixed number of iterations. Sources:
// Taillard 1991; section 4.2 of Tsutsui and Fujimoto, MEDAL 2011005. Between rounds the searches may share their
// elites: a search goes on from a uniform crossover of its own best and another search's best, and where the two are
// too alike the worse one starts afresh.
#pragma once

#include "plugins/tabu/searches.hpp"
#include "plugins/tabu/tabu_parameters.hpp"

namespace qapfw::tabu {

class TabuSolver {
  public:
    static constexpr sdk::ParameterTable kParameters{
        sdk::integer("searches")
            .or_auto()
            .range(1, 1'000'000)
            .symbol("m")
            .summary("Concurrent searches; auto: 16 on the CPU (fewer where only the whole cost of a solution is "
                     "known), enough "
                     "to fill the GPUs otherwise."),
        sdk::size("round")
            .or_auto()
            .range(1, 1e12)
            .unit("iterations")
            .summary("Iterations of every search between two meetings with the framework and with each other."),
        kTenure.or_auto().summary(
            "Range T of the random tenure min_tenure + int(r^3 T), r uniform in [0, 1), drawn for each of the two "
            "facilities of a move; auto: 8n, at most 300."),
        kMinTenure,
        kLongTerm,
        sdk::size("perturb_after")
            .or_auto()
            .range(0, 1e12)
            .unit("iterations")
            .summary("Iterations without a new best of the search before it is perturbed; 0: never."),
        sdk::size("perturb_swaps", "n/4").range(1, 65536).summary("Random exchanges of one perturbation."),
        sdk::choice("perturb_from", "best", "best|current")
            .summary("What a perturbation starts from: the search's best solution, or where it stands."),
        sdk::size("share_after")
            .or_auto()
            .range(0, 1e12)
            .unit("iterations")
            .summary(
                "Iterations (rounded up to whole rounds) after which every search goes on from a uniform crossover of "
                "its best and another search's best; 0: the searches never meet; auto: 2 n^2, with more than 256 "
                "searches 20000."),
        sdk::size("alike", "n/10")
            .range(0, 65536)
            .unit("positions")
            .summary("When two searches meet whose bests differ in fewer positions than this, the worse one starts "
                     "afresh from a random solution; 0: never."),
        sdk::integer("restart_after")
            .or_auto()
            .range(0, 1e9)
            .summary("Exchanges of elites in a row without a new best among the searches after which all of them start "
                     "afresh (the best of the run is kept); 0: never; auto: 25, with more than 256 searches never."),
        sdk::kAssignment,
        sdk::kPairsPerThread};

    explicit TabuSolver(const sdk::SolverContext& context);
    void run(sdk::Run& run);
    void save(sdk::Writer& writer) const;
    void load(sdk::Reader& reader);

  private:
    bool prepare(const sdk::Run& run);
    bool start(const sdk::Run& run);  // false: cut short
    void report_start(sdk::Run& run);
    void advance(std::uint64_t iterations, sdk::Run& run);
    bool share_elites(const sdk::Run& run);  // false: cut short
    void remember_best();
    bool is_stale(const std::vector<SearchBest>& bests);
    void draw_start(std::uint64_t iteration, std::uint32_t search, std::uint16_t* solution) const;
    void report(sdk::Run& run, std::uint64_t iterations, bool complete);
    std::uint32_t automatic_searches(const sdk::SolverContext& context) const;
    std::uint32_t leader(const std::vector<SearchBest>& bests) const;

    sdk::Host host_;
    sdk::ProblemRef problem_;
    std::uint32_t n_;
    kernels::TabuOptions options_;
    sdk::ThreadAssignment assignment_;
    bool few_;  ///< searches were asked for, and not as many as fit
    std::uint32_t count_;
    std::uint64_t round_length_;
    std::uint64_t share_every_;  ///< rounds; 0: never
    std::uint32_t alike_;
    std::uint64_t restart_after_;
    std::vector<std::uint16_t> free_;  ///< positions that may move
    std::vector<unsigned char> base_;  ///< the solution that starts are shuffled from
    std::unique_ptr<Searches> searches_;
    struct Record {
        std::vector<unsigned char> solution;
        qapfw_cost cost{};
        std::uint64_t iteration = 0;
        std::uint64_t search = 0;
        bool exists = false;
    } record_;                          ///< the best of all searches, including those that started afresh since
    std::vector<unsigned char> saved_;  ///< state given to load, until the searches exist
    bool saved_on_gpu_ = false;         ///< that state
    bool on_gpu_ = false;               ///< where the searches are
    qapfw_cost epoch_best_{};           ///< of the searches since they all started afresh
    std::uint64_t has_epoch_best_ = 0;
    std::uint64_t stale_ = 0;      ///< exchanges since epoch_best_ was found
    std::uint64_t rounds_ = 0;     ///< complete ones
    std::uint64_t iteration_ = 0;  ///< of every search at the last complete round's end
    std::uint64_t reported_ = 0;   ///< iterations of all searches already counted in reports
    std::uint64_t pairs_;          ///< candidates of one iteration
};

}  // namespace qapfw::tabu
