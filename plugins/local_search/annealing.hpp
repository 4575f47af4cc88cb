// SPDX-License-Identifier: Apache-2.0
// Improver "annealing": simulated annealing with the moves of all kinds of segments, one random move at a time. The
// search is fast if the problem computes the deltas of moves (abi/moves.h); otherwise every proposal is an evaluation.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "plugins/local_search/device/annealing_steps.hpp"
#include "qapfw/sdk/improver.hpp"
#include "qapfw/sdk/launch_length.hpp"
#include "qapfw/sdk/moves_of_segments.hpp"
#include "qapfw/sdk/neighbourhood_choice.hpp"
#include "qapfw/sdk/segments.hpp"

namespace qapfw::local_search {

/// A search first makes a short descent. Then it samples random moves to find the temperature's unit: of the sampled
/// moves that raise the cost, one in a hundred raises it by less than the unit. (The unit is so low
/// because most deltas are penalties if capacities are tight.) The temperature falls geometrically from `heat` units
/// towards `heat * cooling` units.
class Annealing {
  public:
    static constexpr sdk::ParameterTable kParameters{
        sdk::size("iterations", "20000n")
            .range(1, 1e12)
            .unit("proposals")
            .summary("Number of random moves to try on a solution. More moves take longer and usually find a better "
                     "solution."),
        sdk::real("heat", 1).range(0, 1000).summary(
            "Temperature at the start. A higher temperature accepts worse solutions more often. The unit is a small "
            "rise of the cost, measured after a short descent. Only 1 in 100 of the moves that raise the cost raises "
            "it by less."),
        sdk::real("cooling", 0.1)
            .range(1e-9, 1)
            .summary("Lower limit of the temperature, as a fraction of the temperature at the start. A smaller "
                     "fraction accepts worse solutions less often towards the end."),
        sdk::kNeighbourhood};

    Annealing(const sdk::Host&, const sdk::Parameters& parameters, const sdk::ProblemRef& problem)
        : problem_(problem),
          segments_(sdk::SegmentArrays::of_any(problem)),
          iterations_(static_cast<std::uint64_t>(parameters.integer("iterations"))),
          heat_(parameters.real("heat")),
          cooling_(parameters.real("cooling")),
          inserts_(sdk::chooses_insertions(parameters, problem)) {}

    const sdk::ProblemRef& problem() const { return problem_; }
    const sdk::SegmentArrays& segments() const { return segments_; }
    bool inserts() const { return inserts_; }
    /// The plan of a call, common to all its searches.
    AnnealingPlan plan(const qapfw_improve_request& request) const;

    class Workspace {
      public:
        explicit Workspace(const Annealing& improver);
        std::uint64_t improve(const qapfw_batch& batch, const qapfw_improve_request& request);

      private:
        /// Holds a search's present and best solution. The functions in annealing_steps.hpp get it as their
        /// argument `walk`.
        template <class Neighbourhood>
        struct Walk;
        template <class Neighbourhood>
        std::uint64_t anneal(Neighbourhood& neighbourhood, void* solution, qapfw_cost* cost, const AnnealingPlan& plan,
                             const qapfw_improve_request& request, std::uint32_t individual);

        const Annealing& improver_;
        std::unique_ptr<sdk::MoveNeighbourhood> moves_;            ///< null if the annealing makes insertions
        std::unique_ptr<sdk::InsertionNeighbourhood> insertions_;  ///< null if the annealing makes moves of segments
        std::vector<unsigned char> best_;
    };

    /// The improver's work on one GPU, for up to `capacity` solutions at the same time.
    class DeviceWorkspace {
      public:
        DeviceWorkspace(const Annealing& improver, const qapfw_device* device, std::uint64_t capacity);
        void enqueue(qapfw_stream* stream, const qapfw_device_batch& batch, const qapfw_improve_request& request);
        static std::uint64_t capacity(const Annealing& improver, const qapfw_device& device);
        static void announce(const Annealing& improver, const qapfw_device& device, std::uint64_t capacity);
        static constexpr bool kCountsEnqueued = true, kCountsEach = true;
        std::uint64_t evaluations() const { return evaluations_; }

      private:
        const Annealing& improver_;
        const qapfw_device& device_;
        sdk::ProblemView view_;
        sdk::Kernel kernel_;
        sdk::SegmentArrays::OnDevice segments_;
        /// Order of positions. With insertions it is the result of sdk::insertion_positions. Empty if solutions are
        /// neither permutations nor layouts.
        sdk::DeviceBuffer<std::uint16_t> order_;
        sdk::DeviceBuffer<unsigned char> current_, best_, searches_;
        sdk::LaunchLength launches_;  ///< measured in proposals of all searches
        std::uint64_t evaluations_ = 0;
    };

  private:
    sdk::ProblemRef problem_;
    sdk::SegmentArrays segments_;
    std::uint64_t iterations_;
    double heat_, cooling_;
    bool inserts_;
};

}  // namespace qapfw::local_search
