// SPDX-License-Identifier: Apache-2.0
// The descents of move_descent.hpp on a batch of solutions, one warp per solution. The lanes of a warp check moves in
// parallel. If the problem does not compute deltas, each move takes a full evaluation. Moves have the host's order, so
// the results equal the host's. The problem's device code must come before this file.
#include "qapfw/kernels/insertion_moves.hpp"

namespace qapfw::local_search {

using Problem = device::Problem;
using Cost = Problem::Cost;
using Key = decltype(kernels::ordered(Cost{}));
using Moves = kernels::SearchMoves;

constexpr uint32_t kBestImprovement = 0, kRisingSweeps = 2;
constexpr uint64_t kNoMove = ~uint64_t{0};

struct SegmentDescentLaunch {
    Problem::View view;
    uint8_t* solutions;     ///< solutions, `stride` bytes apart; the kernel replaces them by the final solutions
    Cost* costs;            ///< costs of the final solutions, written by the kernel
    uint64_t* scans;        ///< per solution: the kernel adds the number of scans; each scan looks at all moves
    uint64_t* evaluations;  ///< per solution: the kernel adds the number of moves checked; may be null
    Moves segments;
    /// `limit`: largest number of scans of each solution; 0: no limit. `moves`: number of moves in a scan.
    uint64_t limit, moves;
    uint32_t count, stride, mode;
};

/// One solution, and the warp that works on it.
struct Descent {
    const SegmentDescentLaunch& launch;
    uint8_t* solution;
    Cost now;

    QAPFW_DEVICE Cost evaluate() const { return Problem::cost(kernels::ThreadGroup{}, launch.view, stored()); }
    QAPFW_DEVICE kernels::StoredSolution stored() const { return launch.segments.stored(solution); }
    /// The delta of move k of a row; 0 if the row has no move k.
    QAPFW_DEVICE Cost delta(const kernels::MoveRow& row, uint32_t k) const {
        Moves::Changed changed = launch.segments.unchanged(solution);
        if (!kernels::change_by_move(launch.segments, row, k, changed)) return Cost{0};
        return kernels::delta_of<Problem>(kernels::ThreadGroup{}, launch.view, changed, now);
    }
    /// Makes a move. All lanes of the warp call this function with the same arguments.
    QAPFW_DEVICE void make(const kernels::MoveRow& row, uint32_t k, Cost delta) {
        Moves::Changed changed = launch.segments.unchanged(solution);
        kernels::change_by_move(launch.segments, row, k, changed);
        kernels::make_change(launch.segments.list, solution, changed);
        now += delta;
    }

    /// Makes the best move; of equal moves, the first. Returns false if no move lowers the cost.
    QAPFW_DEVICE bool make_best() {
        Cost least{0};
        uint64_t code = kNoMove;
        kernels::for_move_rows(launch.segments, [&](const kernels::MoveRow& row, uint32_t number) {
            for (uint32_t k = row.begin + kernels::lane_number(); k < row.end; k += 32) {
                const Cost own = delta(row, k);
                if (!(own < least)) continue;
                least = own;
                code = uint64_t{number} << 32 | k;
            }
            return true;
        });
        const Key key = kernels::ordered(least), best = kernels::warp_min(key);
        code = kernels::warp_min(key == best ? code : kNoMove);
        if (code == kNoMove) return false;
        kernels::unordered(best, least);
        kernels::for_move_rows(launch.segments, [&](const kernels::MoveRow& row, uint32_t number) {
            if (number != static_cast<uint32_t>(code >> 32)) return true;
            make(row, static_cast<uint32_t>(code), least);
            return false;
        });
        return true;
    }
    /// Finds the best move of a row; of equal moves, the first. If the key of the move's delta is below `last`, makes
    /// the move, sets `last` to the key and returns true.
    QAPFW_DEVICE bool make_best_of(const kernels::MoveRow& row, Key& last) {
        Key least = last;
        uint32_t at = ~0u;
        for (uint32_t k = row.begin + kernels::lane_number(); k < row.end; k += 32) {
            const Key own = kernels::ordered(delta(row, k));
            if (!(own < least)) continue;
            least = own;
            at = k;
        }
        const Key best = kernels::warp_min(least);
        at = kernels::warp_min(least == best ? at : ~0u);
        if (at == ~0u) return false;
        last = best;
        Cost its{};
        kernels::unordered(best, its);
        make(row, at, its);
        return true;
    }
    /// Visits all moves in order and makes each move that improves. With kBestOfRow, makes only the best move of each
    /// row, if it improves. With kRisingSweeps, a move must also improve more than the last move that this sweep made.
    /// Returns true if a move was made.
    QAPFW_DEVICE bool sweep() {
        Key last = kernels::ordered(Cost{0});
        bool changed = false;
        kernels::for_move_rows(launch.segments, [&](const kernels::MoveRow& row, uint32_t) {
            if constexpr (Moves::kBestOfRow) {
                Key found = last;
                if (!make_best_of(row, found)) return true;
                changed = true;
                if (launch.mode == kRisingSweeps) last = found;
                return true;
            }
            for (uint32_t base = row.begin; base < row.end;) {
                const uint32_t k = base + kernels::lane_number();
                const Key key = kernels::ordered(delta(row, k));
                const bool improves = k < row.end && key < last;
                const uint32_t first = kernels::warp_min(improves ? k : ~0u);
                if (first == ~0u) {
                    base += 32;
                    continue;
                }
                const Key made = kernels::warp_min(k == first ? key : ~Key{0});
                Cost its{};
                kernels::unordered(made, its);
                make(row, first, its);
                changed = true;
                if (launch.mode == kRisingSweeps) last = made;
                base = first + 1;
            }
            return true;
        });
        return changed;
    }
};

}  // namespace qapfw::local_search

/// Improves a batch of solutions; one warp per solution.
extern "C" __global__ void qapfw_segment_descent(
    const __grid_constant__ qapfw::local_search::SegmentDescentLaunch launch) {
    using namespace qapfw;
    const uint32_t index = blockIdx.x * kernels::warp_count() + kernels::warp_number();
    if (index >= launch.count) return;
    local_search::Descent descent{launch, launch.solutions + uint64_t{index} * launch.stride, {}};
    descent.now = descent.evaluate();
    uint64_t scans = 0;
    for (bool changed = true; changed && (launch.limit == 0 || scans < launch.limit); ++scans) {
        changed = launch.mode == local_search::kBestImprovement ? descent.make_best() : descent.sweep();
    }
    // A sum of real-valued deltas is rounded, so the cost is evaluated again.
    const local_search::Cost cost = descent.evaluate();
    if (kernels::lane_number() != 0) return;
    launch.costs[index] = cost;
    launch.scans[index] += scans;
    if (launch.evaluations != nullptr) launch.evaluations[index] += scans * launch.moves;
}
