// SPDX-License-Identifier: Apache-2.0
// Improver "annealing": simulated annealing over the moves of any segments, one random move at a time. It pays where
// the problem tells what a single move costs (abi/moves.h); elsewhere every proposal is an evaluation.
#pragma once

#include <cstdint>
#include <vector>

#include "qapfw/sdk/improver.hpp"
#include "qapfw/sdk/moves_of_segments.hpp"

namespace qapfw::local_search {

/// The rule: a short descent by random moves. Of the deltas that raise its cost, one in a hundred is below the unit of
/// temperature: with tight capacities most of them are penalties. The temperature falls by equal ratios from `heat`
/// units to `heat * cooling`.
class Annealing {
  public:
    static constexpr sdk::ParameterTable kParameters{
        sdk::size("iterations", "20000n").range(1, 1e12).unit("proposals").summary("Random moves that are proposed."),
        sdk::real("heat", 1).range(0, 1000).summary(
            "First temperature, in units of the cost that a cheap move adds in a local optimum."),
        sdk::real("cooling", 0.1).range(1e-9, 1).summary("Last temperature as a part of the first one.")};

    Annealing(const sdk::Host&, const sdk::Parameters& parameters, const sdk::ProblemRef& problem)
        : problem_(problem),
          iterations_(static_cast<std::uint64_t>(parameters.integer("iterations"))),
          heat_(parameters.real("heat")),
          cooling_(parameters.real("cooling")) {}

    class Workspace {
      public:
        explicit Workspace(const Annealing& improver);
        std::uint64_t improve(const qapfw_batch& batch, const qapfw_improve_request& request);

      private:
        void anneal(void* solution, qapfw_cost* cost, const qapfw_improve_request& request, std::uint32_t individual);
        void begin(const qapfw_improve_request& request, std::uint32_t individual);
        double unit_of_temperature();
        bool propose(qapfw_move& move);
        double value(qapfw_cost cost) const;
        void make(const qapfw_move& move, qapfw_cost delta);
        void keep_best();
        std::uint32_t word();
        std::uint32_t below(std::uint32_t bound);

        const Annealing& improver_;
        sdk::MoveNeighbourhood neighbourhood_;
        std::vector<std::uint32_t> segments_;  ///< those with moves, and from which draw on each of them is meant
        std::vector<std::uint64_t> ends_;
        std::vector<unsigned char> best_;
        qapfw_cost best_cost_{};
        bool best_is_old_ = false;  ///< the present solution is better
        std::uint64_t state_ = 0;   ///< of the random numbers
        std::uint64_t proposals_ = 0;
    };

  private:
    sdk::ProblemRef problem_;
    std::uint64_t iterations_;
    double heat_, cooling_;
};

}  // namespace qapfw::local_search
