// SPDX-License-Identifier: Apache-2.0
// The searches of annealing_steps.hpp on a batch of solutions, one warp per solution. The lanes of a warp split the
// work of a delta. The problem's device code must come before this file.
#include "plugins/local_search/device/annealing_steps.hpp"
#include "qapfw/kernels/insertion_moves.hpp"

namespace qapfw::local_search {

using Problem = device::Problem;
using Cost = Problem::Cost;

// Bits of AnnealingLaunch::flags.
constexpr uint32_t kBegin = 1;  ///< in this launch the searches begin, at `starts`
constexpr uint32_t kEnd = 2;    ///< in this launch the searches end and write their best solutions

constexpr uint32_t kWarps = 4;  ///< number of warps of a CUDA block
/// Number of SolutionUnits of shared memory that each warp needs for costs.
constexpr uint32_t kUnits = kernels::cost_units<Problem, 10'240>();

/// The state of a search between two launches, except its solutions.
struct AnnealingSearch {
    AnnealingStanding standing;
    Cost now, best;
};

struct AnnealingLaunch {
    Problem::View view;
    AnnealingPlan plan;
    kernels::SegmentList list;
    uint64_t seed, beats;
    /// The solutions from which the searches start. When the searches end, each start is replaced by the search's best
    /// solution if that is better. In `starts`, `current` and `best`, solutions are `stride` bytes apart.
    uint8_t* starts;
    Cost* costs;  ///< costs of `starts`
    uint8_t *current, *best;
    AnnealingSearch* searches;
    const uint16_t* order;    ///< order of the positions; see kernels::StoredSolution
    const uint32_t* numbers;  ///< numbers of the individuals; null: first_individual + index
    uint64_t* evaluations;    ///< a sum for each search; the kernel adds the number of proposals; null: not counted
    uint32_t count, stride, bits_offset, generation, first_individual, stream, flags;
};

/// The walk (see annealing_steps.hpp) of one warp.
struct WarpWalk {
    const AnnealingLaunch& launch;
    uint8_t *current, *best;
    kernels::SolutionUnit* scratch;
    Cost now, best_cost;
    bool best_is_old;  ///< true: `current` is the best solution so far, but not yet copied to `best`

    QAPFW_DEVICE kernels::StoredSolution stored() const {
        return {current, launch.order, launch.bits_offset == 0 ? nullptr : current + launch.bits_offset};
    }
#ifdef QAPFW_INSERTIONS
    QAPFW_DEVICE kernels::InsertedSolution changed(const AnnealingMove& move) const {
        return kernels::InsertionMoves{launch.list, launch.order}.inserted(current, move.i, move.to);
    }
#else
    QAPFW_DEVICE kernels::ChangedSolution changed(const AnnealingMove& move) const {
        const kernels::SegmentView& s = launch.list.segments[move.segment];
        const auto segment = static_cast<int>(move.segment), i = static_cast<int>(move.i);
        if (move.kind == kSetMove) return {stored(), segment, i, -1, move.to, 0};
        return {stored(),
                segment,
                i,
                static_cast<int>(move.to),
                kernels::segment_element(s, current, move.to),
                kernels::segment_element(s, current, move.i)};
    }
#endif
    QAPFW_DEVICE const uint8_t* solution() const {
        return current;
    }
    QAPFW_DEVICE Cost evaluate() const {
        return kernels::cost_by_warp<Problem, kUnits>(launch.view, stored(), scratch);
    }
    QAPFW_DEVICE Cost delta(const AnnealingMove& move) const {
        return kernels::delta_by_warp<Problem, kUnits>(launch.view, changed(move), now, scratch);
    }
    QAPFW_DEVICE double value(Cost delta) const {
        return static_cast<double>(delta);
    }
    QAPFW_DEVICE void make(const AnnealingMove& move, Cost delta) {
        if (delta > Cost{0}) keep_best();
        kernels::make_change(launch.list, current, changed(move));
        now += delta;
        if (!(now < best_cost)) return;
        best_cost = now;
        best_is_old = true;
    }
    QAPFW_DEVICE void copy(uint8_t* to, const uint8_t* from) const {
        kernels::copy_by_warp(to, from, launch.stride);
    }
    QAPFW_DEVICE void keep_best() {
        if (!best_is_old) return;
        copy(best, current);
        best_is_old = false;
    }
    /// Replaces the search's first solution, at `start`, by the best one. A real-valued cost is a sum of deltas with
    /// rounding errors. So the best solution is evaluated again, and replaces the first one only if it costs less.
    QAPFW_DEVICE void hand_in(uint8_t* start, Cost& cost) {
        constexpr bool kReal = static_cast<Cost>(0.5) != Cost{0};
        if (kReal) {
            current = best;
            best_cost = evaluate();
            if (!(best_cost < cost)) return;
        }
        kernels::WarpGroup{}.sync();
        copy(start, best);
        if (kernels::lane_number() == 0) cost = best_cost;
    }
};

QAPFW_DEVICE void anneal(const AnnealingLaunch& launch, uint32_t index, kernels::SolutionUnit* scratch) {
    const uint64_t at = uint64_t{index} * launch.stride;
    AnnealingSearch search = launch.searches[index];
    WarpWalk walk{launch, launch.current + at, launch.best + at, scratch, search.now, search.best, false};
    if ((launch.flags & kBegin) != 0) {
        const uint32_t number = launch.numbers != nullptr ? launch.numbers[index] : launch.first_individual + index;
        search.standing = annealing_start(launch.seed, launch.generation, number, launch.stream);
        walk.copy(walk.current, launch.starts + at);
        walk.copy(walk.best, launch.starts + at);
        walk.now = walk.best_cost = walk.evaluate();
    }
    for (uint64_t beat = 0; beat < launch.beats && search.standing.proposals < launch.plan.limit; ++beat) {
        anneal_beat(launch.plan, launch.list, walk, search.standing);
    }
    walk.keep_best();
    if ((launch.flags & kEnd) != 0) {
        walk.hand_in(launch.starts + at, launch.costs[index]);
        if (kernels::lane_number() == 0 && launch.evaluations != nullptr) {
            launch.evaluations[index] += search.standing.proposals;
        }
    }
    search.now = walk.now;
    search.best = walk.best_cost;
    kernels::WarpGroup{}.sync();
    if (kernels::lane_number() == 0) launch.searches[index] = search;
}

}  // namespace qapfw::local_search

/// Continues the searches of a batch; one warp per solution.
extern "C" __global__ void __launch_bounds__(32 * qapfw::local_search::kWarps)
    qapfw_annealing(const __grid_constant__ qapfw::local_search::AnnealingLaunch launch) {
    using namespace qapfw;
    constexpr uint32_t kUnits = local_search::kUnits;
    __shared__ kernels::SolutionUnit scratch[local_search::kWarps][kUnits > 0 ? kUnits : 1];
    const uint32_t index = blockIdx.x * local_search::kWarps + kernels::warp_number();
    if (index < launch.count) local_search::anneal(launch, index, scratch[kernels::warp_number()]);
}
