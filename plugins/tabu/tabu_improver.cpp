// SPDX-License-Identifier: Apache-2.0
#include "plugins/tabu/tabu_improver.hpp"

#include <algorithm>

#include "plugins/tabu/cpu_neighbourhood.hpp"
#include "plugins/tabu/insertion_moves.hpp"
#include "plugins/tabu/segment_search.hpp"
#include "qapfw/sdk/few_searches.hpp"
#include "qapfw/sdk/free_positions.hpp"

namespace qapfw::tabu {
namespace {

constexpr std::uint64_t kDeviceSlice = 20'000;  ///< largest number of iterations before should_stop is called, on GPUs
/// Number of evaluations that the first launch makes for each multiprocessor of the GPU. For any size of instance and
/// any number of searches, this launch takes at most 0.35 s on an H100. If a batch needs no more evaluations, it runs
/// in one launch, and the host does not wait for it.
constexpr std::uint64_t kFirstWork = 1u << 29;
constexpr double kSliceSeconds = 0.1;  ///< planned seconds of each launch after the first

/// Iterations between two calls of should_stop: as many as check about 50,000 pairs, but at least 1 and at most 256.
std::uint64_t slice_length(std::uint64_t movable) {
    return std::clamp<std::uint64_t>(100'000 / std::max<std::uint64_t>(1, movable * movable), 1, 256);
}

/// Number of moves that an iteration of the improver looks at: with `inserts` all insertions; otherwise all swaps, or
/// all moves of sdk::MoveList if the problem has segments.
std::uint64_t moves_of_improver(const sdk::ProblemRef& problem, bool inserts) {
    if (inserts) return sdk::insertion_count(problem);
    return sdk::has_segments(problem) ? sdk::MoveList(problem).count() : sdk::free_pairs(problem);
}

bool stopped(const qapfw_improve_request& request) {
    return request.should_stop != nullptr && request.should_stop(request.stop_context) != 0;
}

/// Replaces the start solution by the best solution of the search. If costs are real numbers, the deltas that a search
/// adds bring rounding errors. Therefore the best solution's real cost is computed again. If this cost is above the
/// start's cost, the start solution stays.
template <class Cost>
void take_best(const sdk::ProblemRef& problem, const SearchState<Cost>& state, std::uint16_t* solution,
               qapfw_cost* cost) {
    const std::vector<std::uint16_t> first(solution, solution + state.best.size());
    std::copy(state.best.begin(), state.best.end(), solution);
    const bool exact = problem.has_integer_costs();
    const qapfw_cost best = exact ? abi_cost<Cost>(state.best_cost) : problem.evaluate_one(solution);
    if (!exact && problem.less()(*cost, best))
        std::copy(first.begin(), first.end(), solution);
    else
        *cost = best;
}

/// Advances a search to `iterations` iterations, or until the caller wants to stop.
template <class Search>
void advance(Search& search, std::uint64_t iterations, std::uint64_t slice, const qapfw_improve_request& request) {
    while (search.state().iteration < iterations && !stopped(request)) {
        search.run(std::min(slice, iterations - search.state().iteration));
    }
}

/// Searches from `solution` with the moves of the class `Moves`: moves of all segments, or insertions. Returns the
/// number of iterations made.
template <class Cost, class Moves>
std::uint64_t search_over(typename Moves::Neighbourhood& neighbourhood, const kernels::SegmentList& list,
                          const kernels::TabuOptions& options, std::uint32_t individual, const sdk::ProblemRef& problem,
                          std::uint64_t iterations, std::uint16_t* solution, qapfw_cost* cost,
                          const qapfw_improve_request& request) {
    SegmentSearch<Cost, Moves> search(neighbourhood, options, individual, problem, list);
    neighbourhood.watch({request.should_stop, request.stop_context});
    bool started = false;
    try {
        search.start(solution);
        started = true;
        advance(search, iterations, 1, request);
    } catch (const sdk::Stopped&) {
        if (!started) return 0;
    }
    take_best(problem, search.state(), solution, cost);
    return search.state().iteration;
}

/// Searches from the whole solution `solution`. Bay bits do not change. Returns the number of iterations made.
template <class Cost>
std::uint64_t search_one(CpuNeighbourhood<Cost>& neighbourhood, const kernels::TabuOptions& options,
                         std::uint32_t individual, const std::vector<std::uint16_t>& movable,
                         const sdk::ProblemRef& problem, std::uint64_t iterations, std::uint16_t* solution,
                         qapfw_cost* cost, const qapfw_improve_request& request) {
    TabuSearch<CpuNeighbourhood<Cost>, Cost> search(neighbourhood, options, individual, movable, problem.length());
    neighbourhood.keep_rest_of(solution);
    neighbourhood.watch({request.should_stop, request.stop_context});
    bool started = false;
    try {
        search.start(solution);
        started = true;
        advance(search, iterations, slice_length(movable.size()), request);
    } catch (const sdk::Stopped&) {
        if (!started) return 0;
    }
    take_best(problem, search.state(), solution, cost);
    return search.state().iteration;
}

}  // namespace

TabuImprover::TabuImprover(const sdk::Host&, const sdk::Parameters& parameters, const sdk::ProblemRef& problem)
    : problem_(problem),
      iterations_(static_cast<std::uint64_t>(parameters.integer("iterations"))),
      assignment_(sdk::thread_assignment(parameters)),
      inserts_(sdk::chooses_insertions(parameters, problem)) {
    options_.min_tenure = static_cast<std::int32_t>(parameters.integer("min_tenure"));
    options_.tenure_range = static_cast<std::int32_t>(parameters.integer("tenure"));
    options_.long_term = static_cast<std::int32_t>(parameters.integer("long_term_aspiration"));
    options_.perturb_after = static_cast<std::uint64_t>(parameters.integer("perturb_after"));
    options_.perturb_swaps = static_cast<std::uint32_t>(parameters.integer("perturb_swaps"));
    options_.restart_at_best = parameters.choice("perturb_from") == 0 ? 1 : 0;
}

kernels::TabuOptions TabuImprover::options(const qapfw_improve_request& request) const {
    kernels::TabuOptions options = options_;
    options.seed = request.seed;
    options.random_base = std::uint64_t{request.generation} << 32;
    options.stream = request.stream;
    return options;
}

struct TabuImprover::Workspace::Search {
    Search(const sdk::ProblemRef& problem, bool inserts)
        : movable(sdk::free_positions(problem)),
          segments(segment_arrays(problem, inserts)),
          candidates(moves_of_improver(problem, inserts)) {
        if (inserts)
            insertions = std::make_unique<sdk::InsertionNeighbourhood>(problem);
        else if (segments)
            moves = std::make_unique<sdk::MoveNeighbourhood>(problem);
        else if (problem.has_integer_costs())
            integer = std::make_unique<CpuNeighbourhood<std::int64_t>>(problem);
        else
            real = std::make_unique<CpuNeighbourhood<double>>(problem);
    }
    std::vector<std::uint16_t> movable;
    sdk::SegmentArrays segments;
    std::uint64_t candidates;  ///< number of moves that an iteration checks
    // One of these pointers is set: `inserts`, the encoding and the kind of costs decide which one.
    std::unique_ptr<CpuNeighbourhood<std::int64_t>> integer;
    std::unique_ptr<CpuNeighbourhood<double>> real;
    std::unique_ptr<sdk::MoveNeighbourhood> moves;
    std::unique_ptr<sdk::InsertionNeighbourhood> insertions;
};

TabuImprover::Workspace::Workspace(const TabuImprover& improver)
    : improver_(improver), search_(std::make_unique<Search>(improver.problem(), improver.inserts())) {}
TabuImprover::Workspace::Workspace(Workspace&&) noexcept = default;
TabuImprover::Workspace::~Workspace() = default;

std::uint64_t TabuImprover::Workspace::improve(const qapfw_batch& batch, const qapfw_improve_request& request) {
    const sdk::ProblemRef& problem = improver_.problem();
    const kernels::TabuOptions options = improver_.options(request);
    const std::uint64_t iterations = request.iterations > 0 ? request.iterations : improver_.iterations();
    std::uint64_t evaluations = 0;
    // Before each solution, checks whether to stop: setting up the solution's table of deltas takes long. A solution
    // that is not searched keeps the cost that the caller gave.
    for (std::uint64_t k = 0; k < batch.count && !stopped(request); ++k) {
        auto* solution = sdk::permutation_of(sdk::solution_at(batch.solutions, problem.solution_bytes(), k));
        const std::uint32_t individual = request.first_individual + static_cast<std::uint32_t>(k);
        const auto search = [&](auto& neighbourhood) {
            return search_one(neighbourhood, options, individual, search_->movable, problem, iterations, solution,
                              batch.costs + k, request);
        };
        const auto over = [&]<class Moves>(Moves, auto& neighbourhood) {
            const auto with = [&]<class Cost>(Cost) {
                return search_over<Cost, Moves>(neighbourhood, search_->segments.list(), options, individual, problem,
                                                iterations, solution, batch.costs + k, request);
            };
            return problem.has_integer_costs() ? with(std::int64_t{}) : with(double{});
        };
        const std::uint64_t done = search_->insertions ? over(InsertionMoves{}, *search_->insertions)
                                   : search_->moves    ? over(AllMoves{}, *search_->moves)
                                   : search_->integer  ? search(*search_->integer)
                                                       : search(*search_->real);
        evaluations += search_->candidates * done;
    }
    return evaluations;
}

TabuImprover::DeviceWorkspace::DeviceWorkspace(const TabuImprover& improver, const qapfw_device* device,
                                               std::uint64_t capacity)
    : improver_(improver),
      device_(*device),
      pairs_(moves_of_improver(improver.problem(), improver.inserts())),
      kernel_(*device, improver.problem(), improver.options({}), improver.assignment(), capacity, improver.moves()),
      best_(*device, capacity * (improver.problem().solution_bytes() / sizeof(std::uint16_t))),
      expiry_(*device, capacity * kernel_.expiry_words()),
      states_(*device, capacity),
      workspace_(*device, capacity * kernel_.workspace_bytes()),
      slices_(kFirstWork * device->multiprocessors, ~std::uint64_t{0} / 2, kSliceSeconds) {}

/// Work of one iteration of `searches` searches, in evaluations; at least 1. If there are fewer searches than
/// multiprocessors, the work of one search per multiprocessor is returned, since idle multiprocessors save no time.
std::uint64_t TabuImprover::DeviceWorkspace::work_of_iteration(std::uint64_t searches) const {
    return std::max<std::uint64_t>(1, std::max<std::uint64_t>(searches, device_.multiprocessors) * pairs_);
}

std::uint64_t TabuImprover::DeviceWorkspace::capacity(const TabuImprover& improver, const qapfw_device& device) {
    const std::uint64_t hinted =
        improver.inserts() ? 0 : sdk::hinted_searches(improver.problem(), device, improver.assignment());
    if (hinted > 0) return hinted;
    return TabuKernel(device, improver.problem(), improver.options({}), improver.assignment(), 0, improver.moves())
        .capacity();
}

void TabuImprover::DeviceWorkspace::announce(const TabuImprover& improver, const qapfw_device& device,
                                             std::uint64_t capacity) {
    const sdk::KernelRequest kernels[] = {
        search_request(device, improver.options({}), improver.assignment(), capacity, improver.moves())};
    sdk::prepare(device, kernels);
}

void TabuImprover::DeviceWorkspace::enqueue(qapfw_stream* stream, const qapfw_device_batch& batch,
                                            const qapfw_improve_request& request) {
    sdk::Stream queue = sdk::Stream::borrow(device_, stream);
    const std::uint64_t wanted = request.iterations > 0 ? request.iterations : improver_.iterations();
    TabuKernel::Arrays arrays{batch.solutions,
                              best_.address(),
                              expiry_.address(),
                              states_.address(),
                              0,
                              workspace_.address(),
                              batch.costs,
                              request.individuals,
                              request.evaluations,
                              0,
                              static_cast<std::uint32_t>(batch.count),
                              request.first_individual,
                              TabuKernel::kStart};
    const std::uint64_t work = work_of_iteration(batch.count);
    for (std::uint64_t done = 0; (arrays.flags & TabuKernel::kImprove) == 0;) {
        const bool stop = request.should_stop != nullptr && request.should_stop(request.stop_context) != 0;
        const std::uint64_t most = std::clamp<std::uint64_t>(slices_.value() / work, 1, kDeviceSlice);
        const std::uint64_t length = stop ? 0 : std::min(most, wanted - done);
        done += length;
        arrays.evaluated = done * pairs_;
        if (stop || done == wanted) arrays.flags |= TabuKernel::kImprove;
        // A launch that makes the whole search writes the best solutions directly to the batch, unless the kernel goes
        // over a list of moves. All other launches need separate memory for the best solutions.
        const bool whole = arrays.flags == (TabuKernel::kStart | TabuKernel::kImprove) && !kernel_.goes_over_list();
        arrays.best = whole ? arrays.current : best_.address();
        slices_.start();
        kernel_.launch(queue, arrays, improver_.options(request), length);
        evaluations_ += length * batch.count * pairs_;
        arrays.flags = TabuKernel::kResume | (arrays.flags & TabuKernel::kImprove);
        if (done == wanted || stop) continue;
        queue.synchronize();
        slices_.finish(length * work);
    }
}

}  // namespace qapfw::tabu
