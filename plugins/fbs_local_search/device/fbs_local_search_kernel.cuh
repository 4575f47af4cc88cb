// SPDX-License-Identifier: Apache-2.0
// The descents of fbs_local_search on a GPU, one CUDA block per solution. The block's first warp lists the next moves
// in the CPU's order. Each warp makes and evaluates one of these moves, and the first warp decides in that order. So
// the descent is the same as on the CPU, with any number of warps. A launch checks at most `slice` neighbours of a
// solution; the next launch continues from the saved state. The problem's device code must come before this file.
#include "plugins/fbs_local_search/device/fbs_move_order.hpp"
#include "qapfw/kernels/device_team.hpp"

namespace qapfw::fbs_local_search {

using Problem = device::Problem;
using Cost = Problem::Cost;
using kernels::FbsCyclicOrder;
using kernels::FbsMove;
using kernels::FbsMoveRange;

constexpr uint32_t kN = Problem::kPositions;
static_assert(Problem::kBits + 1 == Problem::kPositions,
              "every position but the last has a bit that says whether a bay ends there");

template <class P>
constexpr uint64_t scratch_bytes() {
    if constexpr (requires { P::kScratchBytes; }) {
        return P::kScratchBytes;
    } else {
        return 16;
    }
}

using Layout = kernels::FbsSolution<uint16_t*, uint8_t*>;

struct Stored {
    const uint16_t* perm;
    const uint8_t* bits;
    QAPFW_DEVICE int operator()(int position) const { return perm[position]; }
    QAPFW_DEVICE int bit(int k) const { return bits[k]; }
};

template <class P>
QAPFW_DEVICE Cost cost_by_warp(const typename P::View& view, Stored solution, void* scratch) {
    if constexpr (requires { P::kScratchBytes; }) {
        return P::cost_in(kernels::WarpGroup{}, view, solution, scratch);
    } else {
        return P::cost(kernels::WarpGroup{}, view, solution);
    }
}

/// The state of one solution's descent, kept from one launch to the next.
struct DescentState {
    FbsCyclicOrder orders[kernels::kFbsMoveKinds];  ///< for each range of the launch: the walk over its moves
    uint64_t moves, evaluations;                    ///< remaining moves and evaluations
    uint64_t done;                                  ///< number of indices of `range` visited since the solution changed
    uint32_t range;                                 ///< index of the range that the descent walks over now
    uint32_t found;  ///< with best improvement, 1: the move `best` makes the solution cheaper
    FbsMove best;
    Cost least;
    uint32_t finished;
};

struct DescentLaunch {
    Problem::View view;
    unsigned char* solutions;  ///< the given solutions, `stride` bytes apart; replaced by the final solutions
    Cost* costs;               ///< costs of the given solutions; replaced by the costs of the final ones
    DescentState* states;
    unsigned long long* looked_at;  ///< a counter: the kernel adds the number of neighbours that it checked
    uint32_t* unfinished;           ///< a counter: the kernel adds the number of unfinished solutions
    uint64_t seed, iteration;       ///< coordinates of random draws
    /// Limits for each solution. `slice`: neighbours checked in one launch. `moves`: moves made in all launches.
    /// `evaluations`: neighbours checked in all launches.
    uint64_t slice, moves, evaluations;
    const uint32_t* individuals;  ///< numbers of the solutions; null: the numbers are first_individual + index
    uint64_t* each_looked_at;     ///< for each solution, the kernel adds the number of checked neighbours; may be null
    uint32_t count, stride, first_individual, stream;
    uint32_t start;  ///< 1: begins new walks, 0: continues the walks in `states`
    uint32_t best;   ///< 1: makes the best move, 0: makes the first move that improves the solution
    uint32_t range_count;
    FbsMoveRange ranges[kernels::kFbsMoveKinds];
};

struct alignas(16) WarpMemory {
    unsigned char scratch[scratch_bytes<Problem>()];
    uint16_t perm[kN];
    uint8_t bits[kN];
};

/// Bytes of shared memory that a CUDA block may use. More than 48 KiB would need a special request.
constexpr uint64_t kSharedBytes = 45'000;
constexpr uint32_t kFitting = kSharedBytes / sizeof(WarpMemory);
constexpr uint32_t kWarps = kFitting < 1 ? 1 : kFitting > 8 ? 8 : kFitting;
constexpr uint32_t kThreads = 32 * kWarps;
constexpr uint32_t kNone = 0xFFFFFFFFu;

/// A move that is possible in the solution. `at` and `done`: state of the walk over the range's moves after a visit to
/// this move, see FbsCyclicOrder and DescentState.
struct Candidate {
    FbsMove move;
    uint32_t at, done;
};

struct BlockMemory {
    WarpMemory warps[kWarps];
    uint16_t perm[kN];
    uint8_t bits[kN];
    Candidate candidates[kWarps - 1 + 32];  ///< the candidates to evaluate next
    Cost costs[kWarps];
    uint32_t first;  ///< index of the first candidate to evaluate
    uint32_t count;  ///< number of candidates to evaluate together; 0: the launch is over
    uint32_t known;  ///< 1: the only candidate is the best of its range, and its cost is known
};

QAPFW_DEVICE void copy_layout(uint16_t* perm, uint8_t* bits, const uint16_t* from_perm, const uint8_t* from_bits,
                              uint32_t rank, uint32_t size) {
    for (uint32_t k = rank; k < kN; k += size) perm[k] = from_perm[k];
    for (uint32_t k = rank; k + 1 < kN; k += size) bits[k] = from_bits[k];
}

/// The walk over the moves, by the first warp of a CUDA block. All its lanes call a member together, and hold the same
/// state.
class Walk {
  public:
    QAPFW_DEVICE Walk(const DescentLaunch& launch, BlockMemory& shared)
        : launch_(launch), shared_(shared), slice_(launch.slice) {}

    QAPFW_DEVICE void start(uint32_t index) {
        cost_ = launch_.costs[index];
        if (launch_.start) {
            begin(launch_.individuals != nullptr ? launch_.individuals[index] : launch_.first_individual + index);
        } else {
            state_ = launch_.states[index];
        }
        look_from_here();
    }

    /// Chooses the next neighbours to evaluate.
    QAPFW_DEVICE void choose() {
        uint32_t count = 0, known = 0, goes_on = 0;
        while (count == 0 && state_.range < launch_.range_count && !(is_spent() && !state_.found)) {
            const FbsMoveRange& range = launch_.ranges[state_.range];
            const uint64_t size = kernels::fbs_range_size(range);
            if (!is_spent() && (held_ > 0 || seen_ < size)) {
                goes_on = slice_ == 0 ? 1 : 0;
                if (goes_on) break;
                look(range, size);
                count = together();
            } else {
                count = known = leave_range() ? 1 : 0;
            }
        }
        if (count == 0 && !goes_on) state_.finished = 1;
        if (group_.rank() != 0) return;
        shared_.first = first_;
        shared_.count = count;
        shared_.known = known;
    }

    QAPFW_DEVICE void decide() {
        if (shared_.known) return take(0, state_.least);
        const uint32_t count = shared_.count, lane = static_cast<uint32_t>(group_.rank());
        const uint32_t taken =
            launch_.best ? kNone : group_.least(lane < count && shared_.costs[lane] < cost_ ? lane : kNone);
        if (launch_.best) {
            for (uint32_t k = 0; k < count; ++k) remember(k);
        }
        leave_behind(taken == kNone ? count : taken + 1);
        group_.sync();  // all lanes must have read the candidates before they are overwritten
        if (taken != kNone) take(taken, shared_.costs[taken]);
    }

    QAPFW_DEVICE void save(uint32_t index) const {
        if (group_.rank() != 0) return;
        launch_.states[index] = state_;
        launch_.costs[index] = cost_;
        atomicAdd(launch_.looked_at, looked_at_);
        if (launch_.each_looked_at != nullptr) launch_.each_looked_at[index] += looked_at_;
        if (!state_.finished) atomicAdd(launch_.unfinished, 1u);
    }

  private:
    QAPFW_DEVICE Layout layout() const { return {shared_.perm, shared_.bits}; }
    QAPFW_DEVICE bool is_spent() const { return state_.moves == 0 || state_.evaluations == 0; }
    /// Number of candidates that are evaluated together.
    QAPFW_DEVICE uint32_t together() const {
        const uint32_t most = held_ < kWarps ? held_ : kWarps;
        const uint64_t left = state_.evaluations < slice_ ? state_.evaluations : slice_;
        return left < most ? static_cast<uint32_t>(left) : most;
    }

    QAPFW_DEVICE void begin(uint32_t individual) {
        state_ = DescentState{};
        state_.moves = launch_.moves;
        state_.evaluations = launch_.evaluations;
        state_.least = cost_;
        for (uint32_t r = 0; r < launch_.range_count; ++r) {
            const uint64_t size = kernels::fbs_range_size(launch_.ranges[r]);
            state_.orders[r] = launch_.best
                                   ? kernels::fbs_ascending_order(size)
                                   : kernels::fbs_random_order(size, kernels::draw4(launch_.seed, launch_.iteration,
                                                                                    individual, launch_.stream, r));
        }
    }

    /// Forgets all candidates, since the solution has changed.
    QAPFW_DEVICE void look_from_here() {
        borders_ = kernels::fbs_borders(layout(), kN, group_);
        look_in_range();
    }
    QAPFW_DEVICE void look_in_range() {
        first_ = held_ = 0;
        seen_ = state_.done;
        if (state_.range < launch_.range_count) next_ = state_.orders[state_.range].at;
    }

    /// Lists candidates. The lanes check the next 32 indices, one index each. They repeat this until there is a
    /// candidate for each warp, or no index is left.
    QAPFW_DEVICE void look(const FbsMoveRange& range, uint64_t size) {
        if (held_ >= kWarps || seen_ >= size) return;
        const uint32_t lane = static_cast<uint32_t>(group_.rank());
        const Candidate held = shared_.candidates[lane < held_ ? first_ + lane : 0];
        group_.sync();
        if (lane < held_) shared_.candidates[lane] = held;
        first_ = 0;
        const uint64_t stride = state_.orders[state_.range].stride;
        while (held_ < kWarps && seen_ < size) {
            const uint32_t here = size - seen_ < 32 ? static_cast<uint32_t>(size - seen_) : 32;
            const uint64_t at = (next_ + lane * stride) % size;
            const uint64_t behind = at + stride < size ? at + stride : at + stride - size;
            const FbsMove move = kernels::fbs_range_move(range, at);
            const bool is_move = lane < here && kernels::fbs_is_move(layout(), kN, borders_, move);
            uint32_t moves;
            const uint32_t place = held_ + group_.count_before(is_move, moves);
            const auto done = static_cast<uint32_t>(seen_) + lane + 1;
            if (is_move) shared_.candidates[place] = {move, static_cast<uint32_t>(behind), done};
            held_ += moves;
            seen_ += here;
            next_ = __shfl_sync(kernels::kAllLanes, behind, static_cast<int>(here) - 1);
        }
        group_.sync();
    }

    /// Drops the first `count` candidates, which were evaluated.
    QAPFW_DEVICE void leave_behind(uint32_t count) {
        const Candidate& last = shared_.candidates[first_ + count - 1];
        state_.orders[state_.range].at = last.at;
        state_.done = last.done;
        state_.evaluations -= count;
        looked_at_ += count;
        slice_ -= count;
        first_ += count;
        held_ -= count;
    }

    QAPFW_DEVICE void remember(uint32_t k) {
        if (!(shared_.costs[k] < state_.least)) return;
        state_.found = 1;
        state_.best = shared_.candidates[first_ + k].move;
        state_.least = shared_.costs[k];
    }

    /// Replaces the solution by the neighbour that warp k made. The walk begins again at the first range of moves.
    QAPFW_DEVICE void take(uint32_t k, Cost cost) {
        cost_ = state_.least = cost;
        state_.found = 0;
        state_.range = 0;
        state_.done = 0;
        --state_.moves;
        const WarpMemory& taken = shared_.warps[k];
        copy_layout(shared_.perm, shared_.bits, taken.perm, taken.bits, static_cast<uint32_t>(group_.rank()), 32);
        group_.sync();
        look_from_here();
    }

    /// Leaves a range, since all its moves were checked or the budget is used up. Returns true if the best move found
    /// must be made.
    QAPFW_DEVICE bool leave_range() {
        state_.orders[state_.range].at = launch_.best ? 0 : next_;
        if (state_.found) {
            first_ = held_ = 0;
            if (group_.rank() == 0) shared_.candidates[0].move = state_.best;
            return true;
        }
        ++state_.range;
        state_.done = 0;
        look_in_range();
        return false;
    }

    const DescentLaunch& launch_;
    BlockMemory& shared_;
    kernels::WarpGroup group_;
    DescentState state_{};
    uint64_t slice_;  ///< number of neighbours that this launch may still check
    unsigned long long looked_at_ = 0;
    Cost cost_{};
    kernels::FbsBorders borders_{};
    uint32_t first_ = 0, held_ = 0;  ///< candidates not evaluated yet: index of the first, and their number
    uint64_t next_ = 0,              ///< next index of the range to check for a move
        seen_ = 0;                   ///< number of indices of the range that were checked so far
};

/// Makes the neighbour of candidate shared.first + warp, and computes its cost unless the cost is known.
QAPFW_DEVICE void evaluate_neighbour(const DescentLaunch& launch, BlockMemory& shared, uint32_t warp) {
    const kernels::WarpGroup group;
    WarpMemory& own = shared.warps[warp];
    copy_layout(own.perm, own.bits, shared.perm, shared.bits, static_cast<uint32_t>(group.rank()), 32);
    group.sync();
    kernels::fbs_apply_move(Layout{own.perm, own.bits}, kN, shared.candidates[shared.first + warp].move, group);
    if (shared.known) return;
    const Cost cost = cost_by_warp<Problem>(launch.view, Stored{own.perm, own.bits}, own.scratch);
    if (group.rank() == 0) shared.costs[warp] = cost;
}

QAPFW_DEVICE void descend(const DescentLaunch& launch, BlockMemory& shared, uint32_t index) {
    if (!launch.start && launch.states[index].finished) return;
    const uint32_t rank = threadIdx.x, warp = rank / 32;
    auto* const perm = reinterpret_cast<uint16_t*>(launch.solutions + static_cast<uint64_t>(index) * launch.stride);
    uint8_t* const bits = reinterpret_cast<uint8_t*>(perm) + Problem::kBitsOffset;
    copy_layout(shared.perm, shared.bits, perm, bits, rank, kThreads);
    __syncthreads();
    Walk walk(launch, shared);  // only the first warp uses it
    if (warp == 0) walk.start(index);
    for (;;) {
        if (warp == 0) walk.choose();
        __syncthreads();
        if (shared.count == 0) break;
        if (warp < shared.count) evaluate_neighbour(launch, shared, warp);
        __syncthreads();
        if (warp == 0) walk.decide();
    }
    copy_layout(perm, bits, shared.perm, shared.bits, rank, kThreads);
    if (warp == 0) walk.save(index);
}

}  // namespace qapfw::fbs_local_search

extern "C" __global__ void __launch_bounds__(qapfw::fbs_local_search::kThreads)
    qapfw_fbs_local_search(const __grid_constant__ qapfw::fbs_local_search::DescentLaunch launch) {
    __shared__ qapfw::fbs_local_search::BlockMemory shared;
    if (blockIdx.x < launch.count) qapfw::fbs_local_search::descend(launch, shared, blockIdx.x);
}

/// Writes the number of threads of a CUDA block and the number of bytes of a DescentState.
extern "C" __global__ void qapfw_fbs_local_search_write_layout(unsigned long long* layout) {
    layout[0] = qapfw::fbs_local_search::kThreads;
    layout[1] = sizeof(qapfw::fbs_local_search::DescentState);
}
