// SPDX-License-Identifier: Apache-2.0
// The phases of the cunning ant system on the device, between two calls of the improver: first trails, trail update,
// construction with costs, selection, exchange, a round's end. A block works on one row of a trail matrix or constructs
// one ant (its first warp draws the values); a warp selects. Numbers and choices are those of
// qapfw/kernels/ant_trails.hpp, so a CPU run makes the same ants. The problem's text comes before this one.
#include "plugins/cas/device/cas_assignment.cuh"
#include "qapfw/kernels/ant_trails.hpp"
#include "qapfw/kernels/device_team.hpp"
#include "qapfw/kernels/population.hpp"
#include "qapfw/kernels/random_permutation.hpp"

namespace qapfw::cas {

using Problem = device::Problem;

/// All that the kernels share; device pointers, owned by the host. Ants are numbered colony by colony.
struct Colonies {
    kernels::TrailRules rules;
    kernels::CunningTables tables;          ///< of device memory
    const uint16_t* order;                  ///< movable positions, then the fixed ones
    kernels::DepositReference* references;  ///< per colony
    uint64_t* trail;                        ///< [colony][free position number][value]
    uint16_t *ants, *children;              ///< `stride` elements apart
    int64_t *costs, *child_costs;
    uint64_t* found;
    uint64_t* scratch;  ///< scratch_bytes per ant; null: in shared memory
    uint64_t seed;
    uint32_t all_ants, stride;
    uint32_t scratch_bytes;   ///< of one construction, a multiple of 8
    uint32_t rows_at_a_time;  ///< trail rows that a construction stages; 0: it reads them where they lie
    uint32_t first_ant;       ///< number of the first ant among all processes
    uint32_t first_here;      ///< and among those of this process, which digests go by
};

static_assert(sizeof(Colonies) == 160, "as in device_share.hpp");

constexpr uint32_t kBlockThreads = 128;  ///< of every kernel here

/// The warp's number in the grid: the ant that it works on.
QAPFW_DEVICE uint32_t grid_warp() {
    return (blockIdx.x * blockDim.x + threadIdx.x) / 32;
}

/// All threads of a block.
struct BlockGroup {
    QAPFW_DEVICE int rank() const { return static_cast<int>(threadIdx.x); }
    QAPFW_DEVICE static constexpr int size() { return static_cast<int>(kBlockThreads); }
    QAPFW_DEVICE void sync() const { __syncthreads(); }
    template <class T>
    QAPFW_DEVICE T sum(T value) const {
        __shared__ T of_warps[kBlockThreads / 32];
        value = kernels::WarpGroup{}.sum(value);
        if ((threadIdx.x & 31u) == 0) of_warps[threadIdx.x / 32] = value;
        __syncthreads();
        T total = of_warps[0];
        for (uint32_t warp = 1; warp < kBlockThreads / 32; ++warp) total = total + of_warps[warp];
        __syncthreads();
        return total;
    }
};

/// A c-ant as Problem::cost reads it.
struct OrderedSolution {
    const uint16_t* values;
    QAPFW_DEVICE int operator()(int position) const { return values[position]; }
};

/// A construction's, but for trail rows, in shared memory or in the device's.
QAPFW_DEVICE Scratch scratch_in(uint64_t* entries, const kernels::CunningTables& tables) {
    auto* const words = reinterpret_cast<uint32_t*>(entries);
    auto* const child = reinterpret_cast<uint16_t*>(words + tables.free_count);
    uint16_t* const order = child + 2 * tables.values;
    return {words, child, child + tables.values, order, order + tables.free_count, order + 2 * tables.free_count};
}

/// The block's, where the shared memory is too small for trail rows.
QAPFW_DEVICE Scratch scratch_in_memory(const Colonies& c) {
    return scratch_in(c.scratch + blockIdx.x * (c.scratch_bytes / sizeof *c.scratch), c.tables);
}

/// The trail row of a free position's number.
QAPFW_DEVICE uint64_t* trail_row(const Colonies& c, uint32_t colony, uint32_t row) {
    return c.trail + (static_cast<uint64_t>(colony) * c.tables.free_count + row) * c.tables.values;
}

/// Equation 1 for one position of one colony: each entry of the row evaporates, receives the deposits of the ants that
/// have this value here, and is brought within the limits. `added` holds `chunk` sums in shared memory.
QAPFW_DEVICE void update_row(const Colonies& c, uint32_t colony, uint32_t row, uint64_t* added, uint32_t chunk,
                             uint64_t* deposits) {
    const uint32_t position = c.tables.free[row], first_ant = colony * c.rules.ants;
    uint64_t* const trail = trail_row(c, colony, row);
    for (uint32_t first = 0; first < c.tables.values; first += chunk) {
        for (uint32_t k = threadIdx.x; k < chunk; k += blockDim.x) added[k] = 0;
        if (threadIdx.x == 0) *deposits = 0;
        __syncthreads();
        uint64_t own = 0;
        for (uint32_t k = threadIdx.x; k < c.rules.ants; k += blockDim.x) {
            const uint64_t amount = kernels::deposit(c.rules, c.references[colony], c.costs[first_ant + k]);
            const uint32_t value = c.ants[static_cast<uint64_t>(first_ant + k) * c.stride + position] - first;
            if (value < chunk) atomicAdd(reinterpret_cast<unsigned long long*>(added + value), amount);
            own += amount;
        }
        own = kernels::WarpGroup{}.sum(own);
        if ((threadIdx.x & 31u) == 0) atomicAdd(reinterpret_cast<unsigned long long*>(deposits), own);
        __syncthreads();
        const kernels::TrailLimits limits = kernels::trail_limits(c.rules, *deposits);
        for (uint32_t k = threadIdx.x; k < chunk && first + k < c.tables.values; k += blockDim.x) {
            trail[first + k] = kernels::within(limits, kernels::evaporated(c.rules, trail[first + k]) + added[k]);
        }
        __syncthreads();
    }
}

/// Every trail of a colony is tau_max of its first solutions' deposits.
QAPFW_DEVICE void lay_first_row(const Colonies& c, const kernels::CostBound& bound, uint32_t colony, uint32_t row) {
    const uint32_t ants = c.rules.ants;
    const int64_t* const costs = c.costs + static_cast<uint64_t>(colony) * ants;
    const int64_t best = costs[kernels::extreme_by_warp(costs, 0, ants, [](int64_t a, int64_t b) { return a < b; })];
    const int64_t worst = costs[kernels::extreme_by_warp(costs, 0, ants, [](int64_t a, int64_t b) { return a > b; })];
    const kernels::DepositReference reference = kernels::make_reference(c.rules, bound, best, worst);
    uint64_t deposits = 0;
    for (uint32_t k = threadIdx.x; k < ants; k += kBlockThreads) {
        deposits += kernels::deposit(c.rules, reference, costs[k]);
    }
    const uint64_t entry = kernels::trail_limits(c.rules, BlockGroup{}.sum(deposits)).most;
    if (row == 0 && threadIdx.x == 0) c.references[colony] = reference;
    if (row >= c.tables.free_count) return;
    uint64_t* const trail = trail_row(c, colony, row);
    for (uint32_t k = threadIdx.x; k < c.tables.values; k += kBlockThreads) trail[k] = entry;
}

/// On its way to shared memory until `arrive`.
QAPFW_DEVICE void copy_to_shared(uint64_t* to, const uint64_t* from) {
#if defined(__CUDA_ARCH__)
    asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" ::"r"(static_cast<uint32_t>(__cvta_generic_to_shared(to))),
                 "l"(from));
#else
    *to = *from;  // an emulated GPU
#endif
}

/// The thread waits for its copies.
QAPFW_DEVICE void arrive() {
#if defined(__CUDA_ARCH__)
    asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}

/// Starts to copy all of a colony's trail rows.
QAPFW_DEVICE void stage_all_rows(uint64_t* rows, const uint64_t* trail, const kernels::CunningTables& tables) {
    for (uint32_t k = threadIdx.x; k < tables.free_count * tables.values; k += kBlockThreads) {
        copy_to_shared(rows + k, trail + k);
    }
}

/// Starts to copy the trail rows of sampled positions first .. last - 1.
QAPFW_DEVICE void stage_rows(uint64_t* rows, const uint64_t* trail, const uint16_t* order, uint32_t first,
                             uint32_t last, uint32_t values) {
    for (uint32_t k = first + kernels::warp_number(); k < last; k += kBlockThreads / 32) {
        const uint64_t* const row = trail + static_cast<uint64_t>(order[k]) * values;
        for (uint32_t v = kernels::lane_number(); v < values; v += 32) {
            copy_to_shared(rows + (k - first) * values + v, row + v);
        }
    }
}

/// The c-ant in scratch.child is written and evaluated, by one block.
QAPFW_DEVICE void finish(const Colonies& c, const Problem::View& view, uint32_t ant, const Scratch& scratch) {
    uint16_t* const child = c.children + static_cast<uint64_t>(ant) * c.stride;
    for (uint32_t k = threadIdx.x; k < c.tables.values; k += kBlockThreads) {
        child[k] = scratch.child[k];
#ifdef QAPFW_MOVABLE_FIRST
        scratch.ordered[k] = scratch.child[c.tables.free_count == c.tables.values ? k : c.order[k]];
#else
        scratch.ordered[k] = scratch.child[k];
#endif
    }
    __syncthreads();
    const int64_t cost = Problem::cost(BlockGroup{}, view, OrderedSolution{scratch.ordered});
    if (threadIdx.x == 0) c.child_costs[ant] = cost;
}

/// The first c-ant: what lies in its place, shuffled unless it is `given`.
QAPFW_DEVICE void sample(const Colonies& c, const Problem::View& view, uint32_t ant, bool given,
                         const Scratch& scratch) {
    const uint16_t* const child = c.children + static_cast<uint64_t>(ant) * c.stride;
    for (uint32_t k = threadIdx.x; k < c.tables.values; k += kBlockThreads) scratch.child[k] = child[k];
    __syncthreads();
    if (threadIdx.x == 0 && !given) {
        kernels::shuffle(scratch.child, c.tables.free, c.tables.free_count, c.seed, 0, c.first_ant + ant,
                         kernels::kFirstAntStream);
    }
    __syncthreads();
    finish(c, view, ant, scratch);
}

/// What a thread reads for entry k of an ant before it is sampled.
struct Entry {
    uint32_t threshold;
    uint16_t position, value;
};

/// Those past an end repeat the first one, but for a threshold that nothing reaches.
QAPFW_DEVICE Entry entry_of(const Colonies& c, uint32_t ant, uint32_t k) {
    const uint32_t number = k < c.tables.free_count ? k : 0;
    const uint32_t threshold = c.tables.free_count > 0 ? c.tables.thresholds[number] : 0;
    return {number == k ? threshold : ~0u, c.tables.free_count > 0 ? c.tables.free[number] : uint16_t{0},
            c.ants[static_cast<uint64_t>(ant) * c.stride + (k < c.tables.values ? k : 0)]};
}

/// The random words of the values, by the last threads first: the first ones have others to draw.
QAPFW_DEVICE void draw_words(uint32_t* words, uint32_t count, const kernels::AntDraws& at) {
    for (uint32_t slot = kBlockThreads - 1 - threadIdx.x; 4 * slot < count; slot += kBlockThreads) {
        const kernels::Philox4 four = kernels::draw4(at.seed, at.iteration, at.ant, kernels::kRouletteStream, slot);
        for (uint32_t word = 0; word < 4 && 4 * slot + word < count; ++word) words[4 * slot + word] = four.word[word];
    }
}

/// kernels::sample_positions by a block, and the donor's values to scratch.child. What comes from memory, the thread's
/// `next` entry first, is on its way while the threads draw.
QAPFW_DEVICE uint32_t sample_positions(const Colonies& c, uint32_t ant, Entry next, const Scratch& scratch,
                                       const kernels::AntDraws& at) {
    __shared__ uint32_t reached[kBlockThreads / 32];
    const uint32_t free_count = c.tables.free_count;
    const uint32_t word = kernels::draw4(at.seed, at.iteration, at.ant, kernels::kCunningStream, 0).word[0];
    draw_words(scratch.words, free_count, at);
    kernels::draw_exchanges(BlockGroup{}, scratch.with, free_count, free_count, at);
    uint32_t in_warp = 0;
    for (uint32_t first = 0; first < c.tables.values; first += kBlockThreads) {
        const uint32_t k = first + threadIdx.x;
        const Entry own = next;
        if (first + kBlockThreads < c.tables.values) next = entry_of(c, ant, k + kBlockThreads);
        in_warp +=
            static_cast<uint32_t>(__popc(__ballot_sync(kernels::kAllLanes, k < free_count && own.threshold <= word)));
        if (k < free_count) scratch.free()[k] = own.position;
        if (k < c.tables.values) scratch.child[k] = own.value;
    }
    if (kernels::lane_number() == 0) reached[kernels::warp_number()] = in_warp;
    __syncthreads();
    uint32_t count = 0;
    for (const uint32_t of_warp : reached) count += of_warp;
    // Step k of the exchanges finds at entry with[k] what the last step before it left there, and that one so on.
    for (uint32_t k = threadIdx.x; k < count; k += kBlockThreads) {
        uint32_t from = scratch.with[k];
        for (uint32_t step = k; step-- > 0;) from = scratch.with[step] == from ? step : from;
        scratch.order[k] = static_cast<uint16_t>(from);
        scratch.pool[k] = scratch.child[scratch.free()[from]];
    }
    return count;
}

/// A c-ant from its donor; trail rows are staged in shared memory, as many at a time as it holds.
QAPFW_DEVICE void construct_staged(const Colonies& c, const Problem::View& view, uint32_t ant, uint64_t iteration,
                                   uint64_t* rows) {
    const uint64_t* const trail = trail_row(c, ant / c.rules.ants, 0);
    const Scratch scratch = scratch_in(rows + c.rows_at_a_time * c.tables.values, c.tables);
    const kernels::AntDraws at{c.seed, iteration, c.first_ant + ant};
    kernels::CunningTables tables = c.tables;
    tables.free = scratch.free();  // close at hand
    const bool all_rows = c.rows_at_a_time == tables.free_count;
    const Entry own = entry_of(c, ant, threadIdx.x);
    if (all_rows) stage_all_rows(rows, trail, tables);
    const uint32_t count = sample_positions(c, ant, own, scratch, at);
    for (uint32_t first = 0; first < count; first += c.rows_at_a_time) {
        const uint32_t last = first + c.rows_at_a_time < count ? first + c.rows_at_a_time : count;
        if (!all_rows) {
            __syncthreads();
            stage_rows(rows, trail, scratch.order, first, last, tables.values);
        }
        arrive();
        __syncthreads();
        if (kernels::warp_number() == 0) {
            const StagedRows staged{rows, all_rows ? scratch.order : nullptr, first, tables.values};
            assign_by_warp(tables, staged, scratch, first, last, count, at);
        }
        __syncthreads();
    }
    for (uint32_t k = (count > kInRegisters ? count - kInRegisters : 0) + threadIdx.x; k < count; k += kBlockThreads) {
        scratch.child[tables.free[scratch.order[k]]] = scratch.pool[count - 1 - k];
    }
    __syncthreads();
    finish(c, view, ant, scratch);
}

/// The same with trail rows where they lie.
QAPFW_DEVICE void construct_in_memory(const Colonies& c, const Problem::View& view, uint32_t ant, uint64_t iteration) {
    const Scratch scratch = scratch_in_memory(c);
    const kernels::AntDraws at{c.seed, iteration, c.first_ant + ant};
    const uint32_t count = sample_positions(c, ant, entry_of(c, ant, threadIdx.x), scratch, at);
    __syncthreads();
    if (kernels::warp_number() == 0) {
        const kernels::RowsInPlace rows{trail_row(c, ant / c.rules.ants, 0), scratch.order, c.tables.values};
        kernels::assign_values(WarpPrefix{}, c.tables, rows, scratch.order, scratch.pool, scratch.child, 0, count,
                               count, at);
    }
    __syncthreads();
    finish(c, view, ant, scratch);
}

/// The c-ant takes its donor's place if it is better; in iteration 0 always.
QAPFW_DEVICE void select(const Colonies& c, uint32_t ant, uint64_t iteration) {
    if (iteration > 0 && c.child_costs[ant] >= c.costs[ant]) return;
    const uint64_t first = static_cast<uint64_t>(ant) * c.stride;
    for (uint32_t k = threadIdx.x & 31u; k < c.tables.values; k += 32) c.ants[first + k] = c.children[first + k];
    __syncwarp();
    if ((threadIdx.x & 31u) != 0) return;
    c.costs[ant] = c.child_costs[ant];
    c.found[ant] = iteration;
}

/// The best ant of each colony, before any newcomer arrives.
struct Champions {
    uint16_t* solutions;  ///< `stride` elements apart; null: nobody wants to know
    int64_t* costs;
    uint64_t* found;
    uint32_t* selected;  ///< how many of a colony's ants; 0 between selections
};
static_assert(sizeof(Champions) == 32, "as in device_share.hpp");

/// Whether the warp is the last of its colony's to come here: it sees what the others wrote.
QAPFW_DEVICE bool comes_last(const Champions& champions, uint32_t colony, uint32_t ants) {
    __threadfence();
    __syncwarp();
    uint32_t before = 0;
    if (kernels::lane_number() == 0) before = atomicInc(champions.selected + colony, ants - 1);
    before = __shfl_sync(kernels::kAllLanes, before, 0);
    __syncwarp();
    __threadfence();
    return before == ants - 1;
}

/// By a warp.
QAPFW_DEVICE void choose_champion(const Colonies& c, const Champions& champions, uint32_t colony) {
    const uint32_t best = kernels::best_by_warp(c.costs, c.found, colony * c.rules.ants, c.rules.ants);
    for (uint32_t k = kernels::lane_number(); k < c.tables.values; k += 32) {
        champions.solutions[static_cast<uint64_t>(colony) * c.stride + k] =
            c.ants[static_cast<uint64_t>(best) * c.stride + k];
    }
    if (kernels::lane_number() != 0) return;
    champions.costs[colony] = c.costs[best];
    champions.found[colony] = c.found[best];
}

/// The champion of the colony before this one on the ring takes the place of the worst ant, if it is better and not
/// there yet. By a block.
QAPFW_DEVICE void immigrate(const Colonies& c, const Champions& champions, uint32_t colony, uint32_t colonies) {
    const uint32_t from = (colony + colonies - 1) % colonies, first = colony * c.rules.ants;
    const uint16_t* const newcomer = champions.solutions + static_cast<uint64_t>(from) * c.stride;
    const bool held = kernels::held_by_block(c.ants + static_cast<uint64_t>(first) * c.stride, c.stride, c.rules.ants,
                                             newcomer, c.tables.values);
    if (kernels::warp_number() != 0 || held) return;
    const uint32_t worst =
        kernels::extreme_by_warp(c.costs, first, c.rules.ants, [](int64_t a, int64_t b) { return a > b; });
    if (champions.costs[from] >= c.costs[worst]) return;
    for (uint32_t k = kernels::lane_number(); k < c.tables.values; k += 32) {
        c.ants[static_cast<uint64_t>(worst) * c.stride + k] = newcomer[k];
    }
    __syncwarp();
    if (kernels::lane_number() != 0) return;
    c.costs[worst] = champions.costs[from];
    c.found[worst] = champions.found[from];
}

/// What the host learns at a round's end; as in device_share.hpp. The best ant's solution follows.
struct RoundReport {
    unsigned long long digests;  ///< sum over all rounds since the run's start
    int64_t cost;                ///< of the best ant
    uint64_t found, ant;         ///< its iteration and its number within this process
};
static_assert(sizeof(RoundReport) == 32, "as in device_share.hpp");

/// Everything but the digest. By a block.
QAPFW_DEVICE void report_leader(const Colonies& c, RoundReport& report) {
    const uint32_t best = kernels::best_by_block(c.costs, c.found, c.all_ants);
    auto* const solution = reinterpret_cast<uint16_t*>(&report + 1);
    for (uint32_t k = threadIdx.x; k < c.stride; k += kBlockThreads) {
        solution[k] = c.ants[static_cast<uint64_t>(best) * c.stride + k];
    }
    if (threadIdx.x != 0) return;
    report.cost = c.costs[best];
    report.found = c.found[best];
    report.ant = c.first_here + best;
}

/// What a round's end keeps: all that a round changes.
struct Marking {
    struct alignas(16) Piece {
        uint64_t words[2];
    };
    const Piece* from;
    Piece* to;  ///< null: nothing is marked
    uint64_t pieces;
};
static_assert(sizeof(Marking) == 24, "as in device_share.hpp");

/// By `threads` threads.
QAPFW_DEVICE void mark(const Marking& marking, uint64_t thread, uint64_t threads) {
    if (marking.to == nullptr) return;
    for (uint64_t k = thread; k < marking.pieces; k += threads) marking.to[k] = marking.from[k];
}

/// What the lane adds to the round's digest: warps take ants first, then stretches of the trails.
QAPFW_DEVICE uint64_t digest(const Colonies& c, uint32_t warp, uint32_t warps, uint64_t iterations) {
    const uint32_t lane = kernels::lane_number();
    uint64_t sum = 0;
    for (uint32_t ant = warp; ant < c.all_ants; ant += warps) {
        const uint16_t* const solution = c.ants + static_cast<uint64_t>(ant) * c.stride;
        uint64_t own = 0;
        for (uint32_t k = lane; k < c.tables.values; k += 32) own += kernels::digest_element(k, solution[k]);
        own = kernels::WarpGroup{}.sum(own);
        const uint64_t search = kernels::digest_search(own, c.costs[ant], c.costs[ant], iterations);
        if (lane == 0) sum += kernels::digest_in_round(c.first_here + ant, search);
    }
    const uint64_t matrix = static_cast<uint64_t>(c.tables.free_count) * c.tables.values;
    const uint64_t entries = c.all_ants / c.rules.ants * matrix, before = c.first_here / c.rules.ants * matrix;
    for (uint64_t k = static_cast<uint64_t>(warp) * 32 + lane; k < entries; k += static_cast<uint64_t>(warps) * 32) {
        sum += kernels::digest_trail(before + k, c.trail[k]);
    }
    return sum;
}

}  // namespace qapfw::cas

/// Grid: free positions, at least one, x colonies.
extern "C" __global__ void __launch_bounds__(qapfw::cas::kBlockThreads)
    qapfw_cas_lay_first_trails(const __grid_constant__ qapfw::cas::Colonies colonies,
                               const __grid_constant__ qapfw::kernels::CostBound bound) {
    qapfw::cas::lay_first_row(colonies, bound, blockIdx.y, blockIdx.x);
}

/// Grid: free positions x colonies. Dynamic shared memory: `chunk` sums.
extern "C" __global__ void qapfw_cas_update_trail(const __grid_constant__ qapfw::cas::Colonies colonies,
                                                  uint32_t chunk) {
    extern __shared__ uint64_t added[];
    __shared__ uint64_t deposits;
    qapfw::cas::update_row(colonies, blockIdx.y, blockIdx.x, added, chunk, &deposits);
}

/// One block per ant, as below. The first `given` c-ants stay as they are.
extern "C" __global__ void __launch_bounds__(qapfw::cas::kBlockThreads)
    qapfw_cas_sample(const __grid_constant__ qapfw::cas::Colonies colonies,
                     const __grid_constant__ qapfw::cas::Problem::View view, uint32_t given) {
    extern __shared__ uint64_t construction[];
    using namespace qapfw::cas;
    const bool given_one = blockIdx.x < given;
    if (colonies.rows_at_a_time > 0)
        sample(colonies, view, blockIdx.x, given_one, scratch_in(construction, colonies.tables));
    else
        sample(colonies, view, blockIdx.x, given_one, scratch_in_memory(colonies));
}

/// One block per ant. Dynamic shared memory: `scratch_bytes`, unless the scratch lies elsewhere.
extern "C" __global__ void __launch_bounds__(qapfw::cas::kBlockThreads)
    qapfw_cas_construct(const __grid_constant__ qapfw::cas::Colonies colonies,
                        const __grid_constant__ qapfw::cas::Problem::View view, uint64_t iteration) {
    extern __shared__ uint64_t construction[];
    if (colonies.rows_at_a_time > 0)
        qapfw::cas::construct_staged(colonies, view, blockIdx.x, iteration, construction);
    else
        qapfw::cas::construct_in_memory(colonies, view, blockIdx.x, iteration);
}

/// One warp per ant; the last one of a colony chooses the champion.
extern "C" __global__ void qapfw_cas_select(const __grid_constant__ qapfw::cas::Colonies colonies, uint64_t iteration,
                                            const __grid_constant__ qapfw::cas::Champions champions) {
    const uint32_t ant = qapfw::cas::grid_warp(), colony = ant / colonies.rules.ants;
    if (ant >= colonies.all_ants) return;
    qapfw::cas::select(colonies, ant, iteration);
    if (champions.solutions == nullptr || !qapfw::cas::comes_last(champions, colony, colonies.rules.ants)) return;
    qapfw::cas::choose_champion(colonies, champions, colony);
}

/// One block per colony.
extern "C" __global__ void __launch_bounds__(qapfw::cas::kBlockThreads)
    qapfw_cas_immigrate(const __grid_constant__ qapfw::cas::Colonies colonies,
                        const __grid_constant__ qapfw::cas::Champions champions) {
    qapfw::cas::immigrate(colonies, champions, blockIdx.x, gridDim.x);
}

/// The first block looks for the best ant, the others, any number of them, make the digest and mark the state.
extern "C" __global__ void __launch_bounds__(qapfw::cas::kBlockThreads)
    qapfw_cas_end_round(const __grid_constant__ qapfw::cas::Colonies colonies, uint64_t iterations,
                        qapfw::cas::RoundReport* report, const __grid_constant__ qapfw::cas::Marking marking) {
    if (blockIdx.x == 0) return qapfw::cas::report_leader(colonies, *report);
    constexpr uint32_t kWarps = qapfw::cas::kBlockThreads / 32;
    const uint32_t warp = qapfw::cas::grid_warp() - kWarps, warps = (gridDim.x - 1) * kWarps;
    qapfw::cas::mark(marking, warp * 32 + threadIdx.x % 32, warps * 32);
    const uint64_t own = qapfw::cas::BlockGroup{}.sum(qapfw::cas::digest(colonies, warp, warps, iterations));
    if (threadIdx.x == 0) atomicAdd(&report->digests, own);
}
