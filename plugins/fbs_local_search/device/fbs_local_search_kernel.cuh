// SPDX-License-Identifier: Apache-2.0
// The descents of fbs_local_search on a GPU, with one CUDA block for each solution. Its first thread walks through the
// moves as the CPU does, each warp makes and evaluates one of the next neighbours, and the first thread decides in the
// order of the walk. So the descent is the same as on the CPU, however many warps there are. The problem's text comes
// before this one. A launch looks at `slice` neighbours of a solution at most; the next launch goes on from the saved
// state.
#include "qapfw/kernels/device_team.hpp"
#include "qapfw/kernels/fbs_move_order.hpp"

namespace qapfw::fbs_local_search {

using Problem = device::Problem;
using Cost = Problem::Cost;
using kernels::FbsCyclicOrder;
using kernels::FbsMove;
using kernels::FbsMoveRange;

constexpr uint32_t kN = Problem::kPositions;
static_assert(Problem::kBits + 1 == Problem::kPositions,
              "a bit says of every position but the last whether a bay ends");

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

/// The descent of one solution between two launches.
struct DescentState {
    FbsCyclicOrder orders[kernels::kFbsMoveKinds];  ///< one for each range
    uint64_t moves, evaluations;                    ///< how many are left
    uint64_t done;                                  ///< indices of the range that were walked through without success
    uint32_t range;
    uint32_t found;  ///< with best improvement: whether `best` costs less than the solution
    FbsMove best;
    Cost least;
    uint32_t finished;
};

struct DescentLaunch {
    Problem::View view;
    unsigned char* solutions;  ///< `stride` bytes apart; replaced by the solutions that were reached
    Cost* costs;               ///< right when the kernel begins
    DescentState* states;
    unsigned long long* looked_at;  ///< the kernel adds the neighbours that it looked at
    uint32_t* unfinished;           ///< the kernel adds the solutions that are not finished
    uint64_t seed, iteration;       ///< coordinates of random draws
    uint64_t slice, moves, evaluations;
    const uint32_t* individuals;  ///< numbers of the solutions; null: the numbers are first_individual + index
    uint64_t* each_looked_at;     ///< the kernel adds them for each solution; may be null
    uint32_t count, stride, first_individual, stream;
    uint32_t start;  ///< 1: the states are not defined yet
    uint32_t best;   ///< 1: best improvement
    uint32_t range_count;
    FbsMoveRange ranges[kernels::kFbsMoveKinds];
};

struct alignas(16) WarpMemory {
    unsigned char scratch[scratch_bytes<Problem>()];
    uint16_t perm[kN];
    uint8_t bits[kN];
};

constexpr uint64_t kSharedBytes = 45'000;  ///< of a CUDA block, which may use 48 KiB without asking
constexpr uint32_t kFitting = kSharedBytes / sizeof(WarpMemory);
constexpr uint32_t kWarps = kFitting < 1 ? 1 : kFitting > 8 ? 8 : kFitting;
constexpr uint32_t kThreads = 32 * kWarps;
constexpr uint32_t kNone = 0xFFFFFFFFu;

struct BlockMemory {
    WarpMemory warps[kWarps];
    uint16_t perm[kN];
    uint8_t bits[kN];
    FbsMove moves[kWarps];  ///< the moves that are looked at together
    Cost costs[kWarps];
    uint32_t count;  ///< how many of them there are; 0: the launch is over
    uint32_t known;  ///< 1: there is one move, the best of its range, which is made at the cost it had
    uint32_t taken;  ///< the warp whose neighbour becomes the solution, or kNone
};

/// What the first thread of a CUDA block does.
class Walk {
  public:
    QAPFW_DEVICE Walk(const DescentLaunch& launch, BlockMemory& shared, uint32_t index)
        : launch_(launch), shared_(shared), slice_(launch.slice), cost_(launch.costs[index]) {
        if (launch.start) {
            begin(launch.individuals != nullptr ? launch.individuals[index] : launch.first_individual + index);
        } else {
            state_ = launch.states[index];
        }
    }

    /// Chooses the next neighbours to evaluate.
    QAPFW_DEVICE void choose() {
        shared_.count = shared_.known = 0;
        if (moved_) borders_ = kernels::fbs_borders(layout(), kN);
        moved_ = false;
        while (state_.range < launch_.range_count && !(is_spent() && !state_.found)) {
            const FbsMoveRange& range = launch_.ranges[state_.range];
            if (!is_spent() && state_.done < kernels::fbs_range_size(range)) {
                if (slice_ == 0) return;
                collect(range);
            } else {
                leave_range();
            }
            if (shared_.count > 0) return;
        }
        state_.finished = 1;
    }

    QAPFW_DEVICE void decide() {
        shared_.taken = kNone;
        if (shared_.known) return take(0, state_.least);
        for (uint32_t k = 0; k < shared_.count && shared_.taken == kNone; ++k) {
            count_one();
            if (launch_.best) {
                remember(k);
            } else if (shared_.costs[k] < cost_) {
                state_.orders[state_.range].at = behind_[k];
                take(k, shared_.costs[k]);
            }
        }
    }

    QAPFW_DEVICE void save(uint32_t index) const {
        launch_.states[index] = state_;
        launch_.costs[index] = cost_;
        atomicAdd(launch_.looked_at, looked_at_);
        if (launch_.each_looked_at != nullptr) launch_.each_looked_at[index] += looked_at_;
        if (!state_.finished) atomicAdd(launch_.unfinished, 1u);
    }

  private:
    QAPFW_DEVICE Layout layout() const { return {shared_.perm, shared_.bits}; }
    QAPFW_DEVICE bool is_spent() const { return state_.moves == 0 || state_.evaluations == 0; }

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

    QAPFW_DEVICE void collect(const FbsMoveRange& range) {
        FbsCyclicOrder& order = state_.orders[state_.range];
        const uint64_t left = state_.evaluations < slice_ ? state_.evaluations : slice_;
        const uint32_t most = left < kWarps ? static_cast<uint32_t>(left) : kWarps;
        const uint64_t size = kernels::fbs_range_size(range);
        while (state_.done < size && shared_.count < most) {
            const FbsMove move = kernels::fbs_range_move(range, order.at);
            order.advance();
            ++state_.done;
            if (!kernels::fbs_is_move(layout(), kN, borders_, move)) continue;
            shared_.moves[shared_.count] = move;
            behind_[shared_.count] = order.at;
            ++shared_.count;
        }
    }

    QAPFW_DEVICE void count_one() {
        --state_.evaluations;
        ++looked_at_;
        --slice_;
    }

    QAPFW_DEVICE void remember(uint32_t k) {
        if (!(shared_.costs[k] < state_.least)) return;
        state_.found = 1;
        state_.best = shared_.moves[k];
        state_.least = shared_.costs[k];
    }

    /// Makes the neighbour of warp k the solution, and goes back to the first range.
    QAPFW_DEVICE void take(uint32_t k, Cost cost) {
        shared_.taken = k;
        moved_ = true;
        cost_ = state_.least = cost;
        state_.found = 0;
        state_.range = 0;
        state_.done = 0;
        --state_.moves;
    }

    /// Leaves a range after all of it, or all that the budget allows, was looked at.
    QAPFW_DEVICE void leave_range() {
        if (launch_.best) state_.orders[state_.range].at = 0;
        if (state_.found) {
            shared_.moves[0] = state_.best;
            shared_.count = shared_.known = 1;
        } else {
            ++state_.range;
            state_.done = 0;
        }
    }

    const DescentLaunch& launch_;
    BlockMemory& shared_;
    DescentState state_;
    uint64_t slice_;  ///< neighbours that this launch may still look at
    unsigned long long looked_at_ = 0;
    Cost cost_;
    kernels::FbsBorders borders_{};
    bool moved_ = true;             ///< since borders_ were found
    uint64_t behind_[kWarps] = {};  ///< for each of the moves, the order behind it
};

QAPFW_DEVICE void copy_layout(uint16_t* perm, uint8_t* bits, const uint16_t* from_perm, const uint8_t* from_bits,
                              uint32_t rank, uint32_t size) {
    for (uint32_t k = rank; k < kN; k += size) perm[k] = from_perm[k];
    for (uint32_t k = rank; k + 1 < kN; k += size) bits[k] = from_bits[k];
}

/// Makes neighbour number `warp` of those chosen, and computes its cost unless it is known.
QAPFW_DEVICE void evaluate_neighbour(const DescentLaunch& launch, BlockMemory& shared, uint32_t warp, uint32_t lane) {
    WarpMemory& own = shared.warps[warp];
    copy_layout(own.perm, own.bits, shared.perm, shared.bits, lane, 32);
    __syncwarp();
    if (lane == 0) {
        kernels::fbs_apply_move(Layout{own.perm, own.bits}, kN, shared.moves[warp]);
    }
    __syncwarp();
    if (shared.known) return;
    const Cost cost = cost_by_warp<Problem>(launch.view, Stored{own.perm, own.bits}, own.scratch);
    if (lane == 0) shared.costs[warp] = cost;
}

QAPFW_DEVICE void descend(const DescentLaunch& launch, BlockMemory& shared, uint32_t index) {
    if (!launch.start && launch.states[index].finished) return;
    const uint32_t rank = threadIdx.x;
    auto* const perm = reinterpret_cast<uint16_t*>(launch.solutions + static_cast<uint64_t>(index) * launch.stride);
    uint8_t* const bits = reinterpret_cast<uint8_t*>(perm) + Problem::kBitsOffset;
    copy_layout(shared.perm, shared.bits, perm, bits, rank, kThreads);
    Walk walk(launch, shared, index);  // only the first thread uses it
    for (;;) {
        __syncthreads();
        if (rank == 0) walk.choose();
        __syncthreads();
        const uint32_t count = shared.count;
        if (count == 0) break;
        if (rank / 32 < count) evaluate_neighbour(launch, shared, rank / 32, rank % 32);
        __syncthreads();
        if (rank == 0) walk.decide();
        __syncthreads();
        if (shared.taken != kNone) {
            const WarpMemory& taken = shared.warps[shared.taken];
            copy_layout(shared.perm, shared.bits, taken.perm, taken.bits, rank, kThreads);
        }
    }
    copy_layout(perm, bits, shared.perm, shared.bits, rank, kThreads);
    if (rank == 0) walk.save(index);
}

}  // namespace qapfw::fbs_local_search

extern "C" __global__ void __launch_bounds__(qapfw::fbs_local_search::kThreads)
    qapfw_fbs_local_search(const __grid_constant__ qapfw::fbs_local_search::DescentLaunch launch) {
    __shared__ qapfw::fbs_local_search::BlockMemory shared;
    if (blockIdx.x < launch.count) qapfw::fbs_local_search::descend(launch, shared, blockIdx.x);
}

/// Writes the threads of a CUDA block and the bytes of a state.
extern "C" __global__ void qapfw_fbs_local_search_write_layout(unsigned long long* layout) {
    layout[0] = qapfw::fbs_local_search::kThreads;
    layout[1] = sizeof(qapfw::fbs_local_search::DescentState);
}
