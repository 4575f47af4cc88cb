// SPDX-License-Identifier: Apache-2.0
// The solver "iterated_swap": iterated local search. Each search kicks its solution by a few random swaps, descends by
// best swaps to a local optimum, and keeps the result unless it is worse.
// Source: Lourenco, Martin, Stutzle, "Iterated Local Search", Handbook of Metaheuristics, 2003.
#pragma once

#include <vector>

#include "qapfw/sdk/solver.hpp"

namespace iterated_swap {

// [solver-class]
class IteratedSwap {
  public:
    static constexpr qapfw::sdk::ParameterTable kParameters{
        qapfw::sdk::integer("searches", 8)
            .range(1, 100000)
            .summary("Number of independent searches. The answer is the best one."),
        qapfw::sdk::size("kick", "n/10")
            .range(1, 65535)
            .unit("swaps")
            .summary("Number of random swaps before each descent.")};

    explicit IteratedSwap(const qapfw::sdk::SolverContext& context);
    void run(qapfw::sdk::Run& run);
    void save(qapfw::sdk::Writer& writer) const;
    void load(qapfw::sdk::Reader& reader);
    // [solver-class-end]

  private:
    struct Search {
        qapfw::sdk::SwapNeighbourhood swaps;
        std::vector<unsigned char> current, candidate;  ///< solutions; the current one is also the search's best
        qapfw_cost cost{};                              ///< cost of `current`
        std::uint64_t iteration = 0;                    ///< number of the next iteration
        std::uint64_t best_iteration = 0;
        std::uint64_t evaluations = 0;  ///< number of evaluations since the last report
    };

    void start(Search& search, std::uint64_t index, const qapfw::sdk::Run& run);
    bool iterate(Search& search, std::uint64_t index, const qapfw::sdk::Run& run);
    void kick(Search& search, std::uint64_t index, std::uint64_t seed);
    bool descend(Search& search, const qapfw::sdk::Run& run);
    void report(qapfw::sdk::Run& run, std::uint64_t iterations);

    qapfw::sdk::Host host_;
    qapfw::sdk::ProblemRef problem_;
    std::uint32_t kick_;
    std::vector<std::uint16_t> free_;  ///< free positions
    std::vector<Search> searches_;
    std::uint64_t done_ = 0;  ///< number of iterations that each search made in complete rounds
};

}  // namespace iterated_swap
