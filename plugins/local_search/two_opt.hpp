// SPDX-License-Identifier: Apache-2.0
// Improvers "two_opt" and "greedy_two_opt": descents in the swap neighbourhood. Sources: section 6.3 of Tsutsui and
// Fujimoto, MEDAL 2011005 (IT_2OPT), for best improvement; the 2018 PGAGrid thesis for sweeps with rising improvements
// (algorithm 16) and greedy sweeps (algorithm 17). After a swap, a sweep continues with the next pair.
#pragma once

#include <memory>

#include "plugins/local_search/device_segment_descent.hpp"
#include "plugins/local_search/insertion_descent.hpp"
#include "plugins/local_search/segment_descent.hpp"
#include "qapfw/sdk/few_searches.hpp"
#include "qapfw/sdk/improver.hpp"
#include "qapfw/sdk/neighbourhood_choice.hpp"

namespace qapfw::local_search {

/// Holds one of three neighbourhoods; the other two pointers are null. If `by_insertion` is true, the neighbourhood has
/// insertions. Otherwise it has swaps if solutions are permutations or layouts of 16-bit elements. For all other
/// solutions it has moves of segments.
struct Neighbours {
    Neighbours(const sdk::ProblemRef& problem, bool by_insertion) {
        if (by_insertion)
            insertions = std::make_unique<InsertionDescent>(problem);
        else if (sdk::is_permutation_16(problem.encoding()))
            swaps = std::make_unique<sdk::SwapNeighbourhood>(problem);
        else
            segments = std::make_unique<SegmentDescent>(problem);
    }
    std::unique_ptr<sdk::SwapNeighbourhood> swaps;
    std::unique_ptr<SegmentDescent> segments;
    std::unique_ptr<InsertionDescent> insertions;
};

/// A descent by swaps, insertions or moves of segments. The constructor's `limit` is the name of the parameter that
/// holds the greatest number of moves or sweeps (value 0: until there is no improvement).
class SwapDescent {
  public:
    const sdk::ProblemRef& problem() const { return problem_; }
    std::uint64_t limit() const { return limit_; }
    Descent descent() const { return descent_; }
    bool inserts() const { return inserts_; }
    const sdk::ThreadAssignment& assignment() const { return assignment_; }

    class DeviceWorkspace {
      public:
        DeviceWorkspace(const SwapDescent& improver, const qapfw_device* device, std::uint64_t capacity)
            : improver_(improver),
              search_(*device, improver.problem(), improver.descent(), capacity, improver.inserts(),
                      improver.assignment()) {}
        void enqueue(qapfw_stream* stream, const qapfw_device_batch& batch, const qapfw_improve_request& request) {
            search_.enqueue(stream, batch, request.iterations > 0 ? request.iterations : improver_.limit(),
                            request.evaluations);
        }
        std::uint64_t evaluations() const { return search_.evaluations(); }
        static constexpr bool kCountsEach = true;
        static std::uint64_t capacity(const SwapDescent& improver, const qapfw_device& device) {
            return DeviceDescent::capacity(device, improver.problem(), improver.descent(), improver.inserts(),
                                           improver.assignment());
        }
        static void announce(const SwapDescent& improver, const qapfw_device& device, std::uint64_t capacity) {
            DeviceDescent::announce(device, improver.problem(), improver.descent(), capacity, improver.inserts(),
                                    improver.assignment());
        }

      private:
        const SwapDescent& improver_;
        DeviceDescent search_;
    };

    class Workspace {
      public:
        explicit Workspace(const SwapDescent& improver)
            : improver_(improver), neighbours_(improver.problem(), improver.inserts()) {}
        std::uint64_t improve(const qapfw_batch& batch, const qapfw_improve_request& request);

      private:
        std::uint64_t descend(void* solution, qapfw_cost* cost, const qapfw_improve_request& request);
        bool make_best(void* solution, qapfw_cost* cost);
        bool sweep(void* solution, qapfw_cost* cost, const qapfw_improve_request& request);
        void make(void* solution, qapfw_cost* cost, const qapfw_swap_move& move);
        const SwapDescent& improver_;
        Neighbours neighbours_;
    };

  protected:
    SwapDescent(const sdk::Parameters& parameters, const sdk::ProblemRef& problem, Descent descent, const char* limit,
                const sdk::ThreadAssignment& assignment = {})
        : problem_(problem),
          limit_(static_cast<std::uint64_t>(parameters.integer(limit))),
          descent_(descent),
          inserts_(sdk::chooses_insertions(parameters, problem)),
          assignment_(assignment) {}

  private:
    sdk::ProblemRef problem_;
    std::uint64_t limit_;
    Descent descent_;
    bool inserts_;
    sdk::ThreadAssignment assignment_;
};

/// Makes the best swap again and again until none improves or `iterations` are done. With acceptance "sweep", follows
/// algorithm 16 of the thesis: sweeps over all pairs in row-major order, and makes each swap whose delta is below that
/// of the last swap in the sweep (at first below 0). One thing differs from the printed code: here costs are exact. The
/// printed code adds only the last delta to the fitness.
class TwoOpt : public SwapDescent {
  public:
    static constexpr sdk::ParameterTable kParameters{
        sdk::size("iterations", 0)
            .range(0, 1e12)
            .unit("iterations")
            .symbol("IT_2OPT")
            .summary("Greatest number of swaps. With acceptance = \"sweep\" the number counts sweeps over all pairs "
                     "instead. 0: until no swap improves the solution."),
        sdk::choice("acceptance", "best", "best|sweep")
            .summary(
                "What an iteration does. best: it makes the best swap. sweep: it goes through all pairs once and makes "
                "each swap that improves more than the last swap that it made (algorithm 16 of the PGAGrid thesis, "
                "2018)."),
        sdk::kNeighbourhood, sdk::kAssignment, sdk::kPairsPerThread};

    TwoOpt(const sdk::Host&, const sdk::Parameters& parameters, const sdk::ProblemRef& problem)
        : SwapDescent(parameters, problem,
                      parameters.choice("acceptance") != 0 ? Descent::kRisingSweeps : Descent::kBestImprovement,
                      "iterations", sdk::thread_assignment(parameters)) {}
};

/// Sweeps over all pairs in row-major order. A swap that improves the solution is made at once; then the sweep
/// continues with the next pair.
class GreedyTwoOpt : public SwapDescent {
  public:
    static constexpr sdk::ParameterTable kParameters{
        sdk::integer("passes", 1)
            .range(0, 1e9)
            .summary("Number of sweeps over all pairs of positions; each sweep makes every improving move that it "
                     "meets. 0: until a sweep finds no improving move."),
        sdk::kNeighbourhood};

    GreedyTwoOpt(const sdk::Host&, const sdk::Parameters& parameters, const sdk::ProblemRef& problem)
        : SwapDescent(parameters, problem, Descent::kGreedySweeps, "passes") {}
};

}  // namespace qapfw::local_search
