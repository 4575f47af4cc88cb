// SPDX-License-Identifier: Apache-2.0
// The searches of segment_search.hpp: tabu search over the moves of any segments, or over insertions. One warp works on
// each search; the warp's lanes check moves in parallel. The problem's device code must come before this file. The
// flags of a launch are those of tabu_kernel.cuh.
#include "plugins/tabu/device/segment_rules.hpp"
#include "plugins/tabu/device/tabu_state.hpp"
#include "qapfw/kernels/insertion_moves.hpp"

namespace qapfw::tabu {

using Problem = device::Problem;
using Cost = Problem::Cost;
using Key = decltype(kernels::ordered(Cost{}));
using Moves = kernels::SearchMoves;
using kernels::TabuOptions;

constexpr uint32_t kStart = 1, kImprove = 2, kNewCurrent = 4;  ///< flags of a launch, explained in tabu_kernel.cuh
constexpr int64_t kForgotten = 0x7FFFFFFFFFFFFFFFll;
constexpr uint32_t kWarps = 4;  ///< warps of a CUDA block
constexpr uint64_t kNoMove = ~uint64_t{0};
constexpr bool kReal = static_cast<Cost>(0.5) != Cost{0};

#ifdef QAPFW_SEGMENTS
/// Bytes of a solution, up to its last element.
constexpr uint64_t bytes_of_solution() {
    uint64_t bytes = 0;
    for (const kernels::SegmentPlace& place : kernels::SegmentTable::kAll) {
        const uint64_t end = place.offset + uint64_t{place.length} * place.element_bytes;
        bytes = end > bytes ? end : bytes;
    }
    return bytes;
}
QAPFW_DEVICE uint64_t digest_of_solution(const uint8_t* solution) {
    return kernels::segments_digest_by_warp(solution);
}
#else
constexpr uint64_t bytes_of_solution() {
    return uint64_t{sizeof(uint16_t)} * Problem::kPositions;
}
QAPFW_DEVICE uint64_t digest_of_solution(const uint8_t* solution) {
    return kernels::digest_by_warp(reinterpret_cast<const uint16_t*>(solution), Problem::kPositions, nullptr, 0);
}
#endif

/// The arguments of a launch. They resemble TabuLaunch, but the solutions consist of segments. Arrays are indexed by
/// search, except `offsets`.
struct SegmentLaunch {
    Problem::View view;
    TabuOptions options;
    uint64_t iterations;
    uint8_t *current, *best;  ///< solutions, `stride` 16-bit elements apart
    int32_t* expiry;          ///< tables of expiries: expiry_words words for each search
    TabuState* states;
    uint64_t* digests;        ///< digest of each search; may be null
    uint8_t* workspace;       ///< with kImprove: first solution of each search, `stride` 16-bit elements apart
    int64_t* costs;           ///< with kImprove: costs of `current`, replaced by the best costs; else null
    const uint32_t* numbers;  ///< numbers of the searches; null: first_search + index
    uint64_t* evaluations;    ///< with kImprove: a sum for each search; the kernel adds `evaluated` to it; may be null
    uint64_t evaluated;
    uint32_t searches, first_search, stride, flags;
    Moves moves;
    const uint64_t* offsets;  ///< for each element, the index of its first expiry in a search
    uint64_t expiry_words;    ///< number of expiries of one search
    uint32_t by_value;        ///< 1: one expiry for each value of an element; 0: one expiry for each element
};

QAPFW_DEVICE void read_bits(int64_t bits, int64_t& cost) {
    cost = bits;
}
QAPFW_DEVICE void read_bits(int64_t bits, double& cost) {
    cost = __longlong_as_double(bits);
}

/// One search, which one warp carries out.
struct SegmentSearch {
    const SegmentLaunch& launch;
    uint8_t *current, *best;
    int32_t* expiry;
    uint32_t number;
    TabuState state;
    Cost cost, best_cost;

    QAPFW_DEVICE Moves::Changed unchanged() const { return launch.moves.unchanged(current); }
    QAPFW_DEVICE Cost evaluate(const uint8_t* solution) const {
        return Problem::cost(kernels::WarpGroup{}, launch.view, launch.moves.stored(solution));
    }
    QAPFW_DEVICE uint32_t bytes() const { return 2 * launch.stride; }
    QAPFW_DEVICE int32_t now() const { return static_cast<int32_t>(state.iteration - state.base); }
    QAPFW_DEVICE int32_t& expiry_of(int segment, int k, uint32_t value) const {
        const uint32_t element = launch.moves.list.segments[segment].first + static_cast<uint32_t>(k);
        return expiry[launch.offsets[element] + (launch.by_value != 0 ? value : 0)];
    }
    QAPFW_DEVICE int32_t least_expiry(const kernels::InsertedSolution& after) const {
        return expiry_of(0, after.to, static_cast<uint32_t>(after.at(after.from)));
    }
    QAPFW_DEVICE int32_t least_expiry(const kernels::ChangedSolution& after) const {
        const int32_t first = expiry_of(after.segment, after.i, after.at_i);
        if (after.j < 0) return first;
        const int32_t second = expiry_of(after.segment, after.j, after.at_j);
        return first < second ? first : second;
    }

    QAPFW_DEVICE void start() {
        state = TabuState{};
        cost = best_cost = evaluate(current);
        kernels::copy_by_warp(best, current, bytes());
        for (uint64_t k = kernels::lane_number(); k < launch.expiry_words; k += 32) {
            expiry[k] = -static_cast<int32_t>(k);
        }
        kernels::WarpGroup{}.sync();
    }
    /// Enters a new current solution: computes its cost, and sets the number of idle iterations to 0. The solution
    /// becomes the best one if it is better or if `forget_best` is set.
    QAPFW_DEVICE void enter(bool forget_best) {
        cost = evaluate(current);
        state.idle = 0;
        if (forget_best)
            take_as_best();
        else
            note_best();
    }
    QAPFW_DEVICE void iterate() {
        if (state.iteration - state.base >= static_cast<uint64_t>(kernels::kRebasePeriod)) rebase();
        // A perturbation is due here only if a search on the CPU was saved between a move and its perturbation.
        if (!perturbation_is_due()) {
            const bool improved = move() && note_best();
            state.idle = improved ? 0 : state.idle + 1;
        }
        if (perturbation_is_due()) perturb();
        ++state.iteration;
    }
    QAPFW_DEVICE uint64_t digest() const {
        return kernels::digest_search(digest_of_solution(current), kernels::cost_bits(cost),
                                      kernels::cost_bits(best_cost), state.iteration);
    }

  private:
    /// The best move that a lane or the warp has found, either among the forced moves or among the others. If there is
    /// none, `code` is kNoMove.
    struct Found {
        Key key;
        uint64_t code;  ///< upper 32 bits: number of the row; lower 32 bits: number of the move in the row
    };

    QAPFW_DEVICE void rebase() {
        const auto beyond = static_cast<int64_t>(state.iteration - state.base);
        for (uint64_t k = kernels::lane_number(); k < launch.expiry_words; k += 32) {
            expiry[k] = kernels::tabu_rebased(expiry[k], beyond);
        }
        state.base = state.iteration;
        kernels::WarpGroup{}.sync();
    }
    QAPFW_DEVICE bool perturbation_is_due() const {
        return launch.options.perturb_after > 0 && state.idle >= launch.options.perturb_after;
    }
    static QAPFW_DEVICE void take(Found& best, Key key, uint64_t code) {
        if (best.code == kNoMove || key < best.key) best = {key, code};
    }
    static QAPFW_DEVICE Found of_all_lanes(Found own) {
        const Key least = kernels::warp_min(own.code == kNoMove ? ~Key{0} : own.key);
        return {least, kernels::warp_min(own.code != kNoMove && own.key == least ? own.code : kNoMove)};
    }
    /// True if the insertion moves an element to just before its left neighbour. This insertion is left out: moving the
    /// neighbour to just behind the element gives the same order.
    static QAPFW_DEVICE bool is_told_before(const kernels::MoveRow& row, uint32_t k) {
        return Moves::kBestOfRow && k + 1 == row.i;
    }
    /// Forbids, for some iterations, that a value returns to the position from which the move took it. An insertion
    /// forbids only the return of the moving element.
    QAPFW_DEVICE void forbid(const kernels::InsertedSolution& after, const kernels::Philox4& words) {
        if (kernels::lane_number() != 0) return;
        expiry_of(0, after.from, static_cast<uint32_t>(after.at(after.from))) =
            now() + segment_tenure(launch.options, words.word[0], false);
    }
    QAPFW_DEVICE void forbid(const kernels::ChangedSolution& after, const kernels::Philox4& words) {
        if (kernels::lane_number() != 0) return;
        const bool sets = after.j < 0;
        const uint32_t held = kernels::segment_element(launch.moves.list.segments[after.segment], current,
                                                       static_cast<uint32_t>(after.i));
        expiry_of(after.segment, after.i, held) = now() + segment_tenure(launch.options, words.word[0], sets);
        if (sets) return;
        // A swap also forbids that position j gets its old value back. This value is at_i, which position i will get.
        expiry_of(after.segment, after.j, after.at_i) = now() + segment_tenure(launch.options, words.word[1], sets);
    }
    /// Makes the best forced move or, if no move is forced, the best admissible move. Of moves with equal deltas it
    /// makes the first. Returns false if no move is admissible.
    QAPFW_DEVICE bool move() {
        Found forced{0, kNoMove}, free{0, kNoMove};
        const Cost aspiration = best_cost - cost;
        kernels::for_move_rows(launch.moves, [&](const kernels::MoveRow& row, uint32_t in) {
            for (uint32_t k = row.begin + kernels::lane_number(); k < row.end; k += 32) {
                Moves::Changed after = unchanged();
                if (is_told_before(row, k) || !kernels::change_by_move(launch.moves, row, k, after)) continue;
                const Cost delta = kernels::delta_of<Problem>(kernels::ThreadGroup{}, launch.view, after, cost);
                const int32_t least = least_expiry(after);
                const bool aspired = delta < aspiration, is = is_forced(launch.options, least, now(), aspired);
                if (!is_admissible(least, now(), aspired, is)) continue;
                take(is ? forced : free, kernels::ordered(delta), uint64_t{in} << 32 | k);
            }
            return true;
        });
        Found chosen = of_all_lanes(forced);
        if (chosen.code == kNoMove) chosen = of_all_lanes(free);
        if (chosen.code == kNoMove) return false;
        make(chosen);
        return true;
    }
    QAPFW_DEVICE void make(const Found& chosen) {
        Moves::Changed after = unchanged();
        kernels::for_move_rows(launch.moves, [&](const kernels::MoveRow& row, uint32_t in) {
            if (in != static_cast<uint32_t>(chosen.code >> 32)) return true;
            kernels::change_by_move(launch.moves, row, static_cast<uint32_t>(chosen.code), after);
            return false;
        });
        const kernels::Philox4 words = kernels::tabu_tenure_words(launch.options, state.iteration, number);
        kernels::WarpGroup{}.sync();
        forbid(after, words);
        kernels::make_change(launch.moves.list, current, after);
        Cost delta{};
        kernels::unordered(chosen.key, delta);
        cost += delta;
    }
    QAPFW_DEVICE void perturb() {
        if (launch.options.restart_at_best != 0) kernels::copy_by_warp(current, best, bytes());
        const uint32_t swaps = launch.options.perturb_swaps < 65'535u ? launch.options.perturb_swaps : 65'535u;
        kernels::mutate_segments(launch.moves.list, current, swaps, launch.options.seed,
                                 launch.options.random_base + state.iteration, number, kernels::WarpGroup{});
        enter(false);
    }
    QAPFW_DEVICE bool note_best() {
        if (!(cost < best_cost)) return false;
        take_as_best();
        return true;
    }
    QAPFW_DEVICE void take_as_best() {
        best_cost = cost;
        state.best_iteration = state.iteration;
        kernels::copy_by_warp(best, current, bytes());
    }
};

/// Writes an improver's result: the best solution. If rounding alone made this solution look better than the first
/// solution, the result is the first solution.
QAPFW_DEVICE void hand_in(const SegmentLaunch& launch, SegmentSearch& search, uint32_t index) {
    Cost first{};
    read_bits(launch.costs[index], first);
    if (kReal) search.best_cost = search.evaluate(search.best);
    const bool takes = !kReal || !(first < search.best_cost);
    kernels::copy_by_warp(search.current, takes ? search.best : launch.workspace + index * uint64_t{search.bytes()},
                          search.bytes());
    if (kernels::lane_number() != 0) return;
    if (takes) launch.costs[index] = kernels::cost_bits(search.best_cost);
    if (launch.evaluations != nullptr) launch.evaluations[index] += launch.evaluated;
}

QAPFW_DEVICE void run_search(const SegmentLaunch& launch, uint32_t index) {
    const uint64_t at = uint64_t{index} * launch.stride * 2;
    const bool starts = (launch.flags & kStart) != 0;
    const uint32_t number = launch.numbers != nullptr ? launch.numbers[index] : launch.first_search + index;
    SegmentSearch search{launch,           launch.current + at,
                         launch.best + at, launch.expiry + index * launch.expiry_words,
                         number,           starts ? TabuState{} : launch.states[index],
                         Cost{},           Cost{}};
    read_bits(search.state.cost, search.cost);
    read_bits(search.state.best_cost, search.best_cost);
    if (starts) {
        if (kReal && launch.costs != nullptr) {
            kernels::copy_by_warp(launch.workspace + at, search.current, search.bytes());
        }
        search.start();
    }
    if ((launch.flags & kNewCurrent) != 0) search.enter(search.state.best_cost == kForgotten);
    for (uint64_t done = 0; done < launch.iterations; ++done) search.iterate();
    search.state.cost = kernels::cost_bits(search.cost);
    search.state.best_cost = kernels::cost_bits(search.best_cost);
    if ((launch.flags & kImprove) != 0) return hand_in(launch, search, index);
    const uint64_t digest = launch.digests != nullptr ? search.digest() : 0;
    kernels::WarpGroup{}.sync();
    if (kernels::lane_number() != 0) return;
    launch.states[index] = search.state;
    if (launch.digests != nullptr) launch.digests[index] = digest;
}

}  // namespace qapfw::tabu

extern "C" __global__ void qapfw_tabu_write_layout(qapfw::tabu::TabuLayout* layout) {
    using namespace qapfw::tabu;
    constexpr uint64_t kWorkspace = (bytes_of_solution() + 255) / 256 * 256;
    *layout = {0, 32 * kWarps, kWarps, kWorkspace, 0, 0};
}

/// Makes the iterations of all searches; one warp per search.
extern "C" __global__ void __launch_bounds__(32 * qapfw::tabu::kWarps)
    qapfw_tabu_search(const __grid_constant__ qapfw::tabu::SegmentLaunch launch) {
    const uint32_t index = blockIdx.x * qapfw::tabu::kWarps + qapfw::kernels::warp_number();
    if (index < launch.searches) qapfw::tabu::run_search(launch, index);
}
