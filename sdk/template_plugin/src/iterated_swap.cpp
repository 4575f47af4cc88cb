// SPDX-License-Identifier: Apache-2.0
#include "iterated_swap.hpp"

#include <atomic>
#include <cstring>

#include "qapfw/kernels/digest.hpp"
#include "qapfw/kernels/random_permutation.hpp"
#include "qapfw/sdk/free_positions.hpp"

namespace iterated_swap {
namespace sdk = qapfw::sdk;
namespace kernels = qapfw::kernels;

namespace {

// Streams of random numbers, one for each purpose.
constexpr std::uint32_t kStartStream = 1;
constexpr std::uint32_t kKickStream = 2;
constexpr std::uint64_t kRoundIterations = 10;  // iterations between two reports

}  // namespace

IteratedSwap::IteratedSwap(const sdk::SolverContext& context)
    : host_(context.host),
      problem_(context.problem),
      kick_(static_cast<std::uint32_t>(context.parameters.integer("kick"))),
      free_(sdk::free_positions(problem_)) {
    const std::vector<unsigned char> empty(problem_.solution_bytes());
    for (std::int64_t k = 0; k < context.parameters.integer("searches"); ++k) {
        searches_.push_back({sdk::SwapNeighbourhood(problem_), empty, empty});
    }
}

// [solver-run]
void IteratedSwap::run(sdk::Run& run) {
    if (!run.resumed()) {
        host_.parallel_for(searches_.size(), [&](std::uint64_t k, std::uint32_t) { start(searches_[k], k, run); });
    }
    while (const std::uint64_t granted = run.begin_round(kRoundIterations)) {
        const std::uint64_t until = done_ + granted;
        std::atomic<bool> complete = true;
        host_.parallel_for(searches_.size(), [&](std::uint64_t k, std::uint32_t) {
            while (searches_[k].iteration < until) {
                if (!iterate(searches_[k], k, run)) {
                    complete = false;
                    return;
                }
            }
        });
        if (complete) done_ = until;
        report(run, complete ? granted : 0);
    }
}

bool IteratedSwap::iterate(Search& search, std::uint64_t index, const sdk::Run& run) {
    search.candidate = search.current;
    kick(search, index, run.seed());
    if (!descend(search, run)) return false;  // stopped: the search keeps its earlier solution
    const qapfw_cost cost = problem_.evaluate_one(search.candidate.data());
    if (problem_.less()(cost, search.cost)) search.best_iteration = search.iteration;
    if (!problem_.less()(search.cost, cost)) {
        search.current = search.candidate;
        search.cost = cost;
    }
    ++search.iteration;
    return true;
}
// [solver-run-end]

void IteratedSwap::start(Search& search, std::uint64_t index, const sdk::Run& run) {
    if (index < run.initial().count) {
        std::memcpy(search.current.data(), sdk::solution_at(run.initial().solutions, problem_.solution_bytes(), index),
                    search.current.size());
    } else {
        sdk::base_solution(problem_, search.current.data());
        kernels::shuffle(sdk::permutation_of(search.current.data()), free_.data(),
                         static_cast<std::uint32_t>(free_.size()), run.seed(), 0, static_cast<std::uint32_t>(index),
                         kStartStream);
    }
    search.cost = problem_.evaluate_one(search.current.data());
    search.evaluations = 1;
}

// [solver-random]
/// Swaps random pairs of free positions. A draw depends only on (seed, iteration, search, purpose, index).
void IteratedSwap::kick(Search& search, std::uint64_t index, std::uint64_t seed) {
    const auto free = static_cast<std::uint32_t>(free_.size());
    if (free < 2) return;
    std::uint16_t* p = sdk::permutation_of(search.candidate.data());
    const auto draw = [&](std::uint32_t k) {
        return kernels::draw(seed, search.iteration, static_cast<std::uint32_t>(index), kKickStream, k);
    };
    for (std::uint32_t k = 0; k < kick_; ++k) {
        std::swap(p[free_[kernels::below(draw(2 * k), free)]], p[free_[kernels::below(draw(2 * k + 1), free)]]);
    }
}
// [solver-random-end]

/// Makes the best swap of the candidate until no swap lowers the cost. Returns false if the run must stop.
bool IteratedSwap::descend(Search& search, const sdk::Run& run) {
    qapfw_swap_filter everything{};
    everything.struct_size = sizeof everything;
    search.swaps.reset(search.candidate.data());
    std::uint16_t* p = sdk::permutation_of(search.candidate.data());
    for (qapfw_swap_move move{};;) {
        if (run.should_stop()) return false;
        search.evaluations += free_.size() * (free_.size() - 1) / 2;
        if (!search.swaps.best_admissible(everything, &move) || !problem_.less()(move.delta, qapfw_cost{})) return true;
        search.swaps.apply(move.i, move.j);
        std::swap(p[move.i], p[move.j]);
    }
}

void IteratedSwap::report(sdk::Run& run, std::uint64_t iterations) {
    qapfw_round round{};
    round.struct_size = sizeof round;
    round.complete = iterations > 0 ? 1 : 0;
    round.iterations = iterations;
    std::size_t best = 0;
    for (std::size_t k = 0; k < searches_.size(); ++k) {
        Search& search = searches_[k];
        round.evaluations += search.evaluations;
        search.evaluations = 0;
        const std::uint64_t solution =
            kernels::digest_solution(sdk::permutation_of(search.current.data()), problem_.length());
        round.digest += kernels::digest_in_round(
            k, kernels::digest_search(solution, search.cost.i, search.cost.i, search.iteration));
        const Search& leader = searches_[best];
        const bool tie = !problem_.less()(leader.cost, search.cost) && search.best_iteration < leader.best_iteration;
        if (problem_.less()(search.cost, leader.cost) || tie) best = k;
    }
    round.best_solution = searches_[best].current.data();
    round.best_cost = searches_[best].cost;
    round.best_iteration = searches_[best].best_iteration;
    round.best_search = best;
    run.end_round(round);
}

// [solver-state]
void IteratedSwap::save(sdk::Writer& writer) const {
    writer.value(done_);
    for (const Search& search : searches_) {
        writer.array(search.current);
        writer.value(search.cost);
        writer.value(search.iteration);
        writer.value(search.best_iteration);
    }
}

void IteratedSwap::load(sdk::Reader& reader) {
    done_ = reader.value<std::uint64_t>();
    for (Search& search : searches_) {
        reader.array(search.current, search.current.size());
        search.cost = reader.value<qapfw_cost>();
        search.iteration = reader.value<std::uint64_t>();
        search.best_iteration = reader.value<std::uint64_t>();
    }
}
// [solver-state-end]

}  // namespace iterated_swap
