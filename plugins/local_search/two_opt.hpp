// SPDX-License-Identifier: Apache-2.0
// Improvers "two_opt" and "greedy_two_opt": descents in the swap neighbourhood. Sources: for best improvement, section
// 6.3 of Tsutsui and Fujimoto, MEDAL 2011005 (IT_2OPT); for the greedy sweep, which goes on at the next pair after a
// swap, algorithm 17 of the 2018 PGAGrid thesis.
#pragma once

#include "plugins/local_search/device_local_search.hpp"
#include "qapfw/sdk/improver.hpp"

namespace qapfw::local_search {

/// Makes the best swap again and again until none improves or `iterations` are done.
class TwoOpt {
  public:
    static constexpr sdk::ParameterTable kParameters{
        sdk::size("iterations", 0)
            .range(0, 1e12)
            .unit("iterations")
            .symbol("IT_2OPT")
            .summary("Swaps at most; 0: until the solution is a local optimum.")};

    TwoOpt(const sdk::Host&, const sdk::Parameters& parameters, const sdk::ProblemRef& problem)
        : problem_(problem), limit_(static_cast<std::uint64_t>(parameters.integer("iterations"))) {}
    const sdk::ProblemRef& problem() const { return problem_; }
    std::uint64_t limit() const { return limit_; }

    class DeviceWorkspace {
      public:
        DeviceWorkspace(const TwoOpt& improver, const qapfw_device* device, std::uint64_t capacity)
            : improver_(improver), search_(*device, improver.problem(), Descent::kBestImprovement, capacity) {}
        void enqueue(qapfw_stream* stream, const qapfw_device_batch& batch, const qapfw_improve_request& request) {
            search_.enqueue(stream, batch, request.iterations > 0 ? request.iterations : improver_.limit());
        }
        std::uint64_t evaluations() const { return search_.evaluations(); }

      private:
        const TwoOpt& improver_;
        DeviceLocalSearch search_;
    };

    class Workspace {
      public:
        explicit Workspace(const TwoOpt& improver) : improver_(improver), swaps_(improver.problem()) {}
        std::uint64_t improve(const qapfw_batch& batch, const qapfw_improve_request& request);

      private:
        std::uint64_t descend(void* solution, qapfw_cost* cost, const qapfw_improve_request& request);
        const TwoOpt& improver_;
        sdk::SwapNeighbourhood swaps_;
    };

  private:
    sdk::ProblemRef problem_;
    std::uint64_t limit_;
};

/// Sweeps over all pairs in row-major order, makes every improving swap at once, and goes on at the next pair.
class GreedyTwoOpt {
  public:
    static constexpr sdk::ParameterTable kParameters{
        sdk::integer("passes", 1)
            .range(0, 1e9)
            .summary("Sweeps over all pairs; 0: until a whole sweep finds nothing.")};

    GreedyTwoOpt(const sdk::Host&, const sdk::Parameters& parameters, const sdk::ProblemRef& problem)
        : problem_(problem), limit_(static_cast<std::uint64_t>(parameters.integer("passes"))) {}
    const sdk::ProblemRef& problem() const { return problem_; }
    std::uint64_t limit() const { return limit_; }

    class DeviceWorkspace {
      public:
        DeviceWorkspace(const GreedyTwoOpt& improver, const qapfw_device* device, std::uint64_t capacity)
            : improver_(improver), search_(*device, improver.problem(), Descent::kGreedySweeps, capacity) {}
        void enqueue(qapfw_stream* stream, const qapfw_device_batch& batch, const qapfw_improve_request&) {
            search_.enqueue(stream, batch, improver_.limit());
        }
        std::uint64_t evaluations() const { return search_.evaluations(); }

      private:
        const GreedyTwoOpt& improver_;
        DeviceLocalSearch search_;
    };

    class Workspace {
      public:
        explicit Workspace(const GreedyTwoOpt& improver) : improver_(improver), swaps_(improver.problem()) {}
        std::uint64_t improve(const qapfw_batch& batch, const qapfw_improve_request& request);

      private:
        std::uint64_t sweep(void* solution, qapfw_cost* cost, bool* changed);
        const GreedyTwoOpt& improver_;
        sdk::SwapNeighbourhood swaps_;
    };

  private:
    sdk::ProblemRef problem_;
    std::uint64_t limit_;
};

}  // namespace qapfw::local_search
