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

/// The sum over the lanes modulo 2^64, by sums of 22 bits each.
QAPFW_DEVICE uint64_t sum_of_lanes(uint64_t own) {
    constexpr uint32_t kBits = 22, kPart = (1u << kBits) - 1;
    uint64_t sum = 0;
    for (uint32_t shift = 0; shift < 64; shift += kBits) {
        const uint32_t part = static_cast<uint32_t>(own >> shift) & kPart;
        sum += static_cast<uint64_t>(__reduce_add_sync(kernels::kAllLanes, part)) << shift;
    }
    return sum;
}

/// All threads of a block.
struct BlockGroup {
    QAPFW_DEVICE int rank() const { return static_cast<int>(threadIdx.x); }
    QAPFW_DEVICE static constexpr int size() { return static_cast<int>(kBlockThreads); }
    QAPFW_DEVICE void sync() const { __syncthreads(); }
    /// Of 64-bit integers.
    template <class T>
    QAPFW_DEVICE T sum(T own) const {
        static_assert(sizeof(T) == sizeof(uint64_t) && T(1) / T(2) == 0);
        __shared__ uint64_t of_warps[kBlockThreads / 32];
        const uint64_t of_warp = sum_of_lanes(static_cast<uint64_t>(own));
        if (kernels::lane_number() == 0) of_warps[kernels::warp_number()] = of_warp;
        __syncthreads();
        uint64_t total = 0;
        for (const uint64_t one : of_warps) total += one;
        __syncthreads();
        return static_cast<T>(total);
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
/// have this value here, and is brought within the limits. `added` holds `chunk` sums in shared memory. What comes from
/// memory is on its way together.
QAPFW_DEVICE void update_row(const Colonies& c, uint32_t colony, uint32_t row, uint64_t* added, uint32_t chunk) {
    const uint32_t position = c.tables.free_count == c.tables.values ? row : c.tables.free[row];
    const uint32_t first_ant = colony * c.rules.ants;
    uint64_t* const trail = trail_row(c, colony, row);
    for (uint32_t first = 0; first < c.tables.values; first += chunk) {
        const uint32_t size = c.tables.values - first < chunk ? c.tables.values - first : chunk;
        uint64_t entry = trail[first + (threadIdx.x < size ? threadIdx.x : 0)];
        for (uint32_t k = threadIdx.x; k < size; k += kBlockThreads) added[k] = 0;
        __syncthreads();
        uint64_t own = 0;
        for (uint32_t k = threadIdx.x; k < c.rules.ants; k += kBlockThreads) {
            const uint32_t value = c.ants[static_cast<uint64_t>(first_ant + k) * c.stride + position] - first;
            const uint64_t amount = kernels::deposit(c.rules, c.references[colony], c.costs[first_ant + k]);
            if (value < size) atomicAdd(reinterpret_cast<unsigned long long*>(added + value), amount);
            own += amount;
        }
        const kernels::TrailLimits limits = kernels::trail_limits(c.rules, BlockGroup{}.sum(own));
        for (uint32_t k = threadIdx.x; k < size; k += kBlockThreads) {
            trail[first + k] = kernels::within(limits, kernels::evaporated(c.rules, entry) + added[k]);
            if (k + kBlockThreads < size) entry = trail[first + k + kBlockThreads];
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

/// What a colony's neighbour and its own newcomer need of it after the selection.
struct ColonyEnds {
    int64_t best_cost, worst_cost;
    uint64_t best_found;
    uint32_t worst;    ///< ant
    uint32_t arrived;  ///< how many of the two colonies that an immigration waits for; 0 between exchanges
};
struct Exchange {
    uint16_t* champions;  ///< the best ant of each colony, before any newcomer arrives; `stride` elements apart
    ColonyEnds* ends;     ///< per colony
};
static_assert(sizeof(ColonyEnds) == 32 && sizeof(Exchange) == 16, "as in device_share.hpp");

/// The best ant of several, the earliest found of equals, and the worst one.
struct Extremes {
    int64_t best_cost, worst_cost;
    uint64_t best_found;
    uint32_t best, worst;

    /// Ants come in ascending order.
    QAPFW_DEVICE void add(int64_t cost, uint64_t found, uint32_t ant) {
        if (cost < best_cost || (cost == best_cost && found < best_found)) {
            best_cost = cost;
            best_found = found;
            best = ant;
        }
        if (cost > worst_cost) {
            worst_cost = cost;
            worst = ant;
        }
    }
};

/// Those of all lanes' ants; the first of equals.
QAPFW_DEVICE Extremes over_lanes(const Extremes& own) {
    constexpr uint64_t kNone = ~uint64_t{0};
    const uint64_t best = kernels::ordered(own.best_cost), worst = ~kernels::ordered(own.worst_cost);
    const uint64_t least = kernels::warp_min(best), most = kernels::warp_min(worst);
    const uint64_t earliest = kernels::warp_min(best == least ? own.best_found : kNone);
    const bool is_best = best == least && own.best_found == earliest;
    return {static_cast<int64_t>(least ^ (uint64_t{1} << 63)), static_cast<int64_t>(~most ^ (uint64_t{1} << 63)),
            earliest, kernels::warp_min(is_best ? own.best : ~0u), kernels::warp_min(worst == most ? own.worst : ~0u)};
}

/// The parts of a solution that a lane of a warp holds, those of the first 128 values.
struct Kept {
    static constexpr uint32_t kValues = 128;
    uint16_t part[kValues / 32];

    /// body(part, position) for those below `values`.
    template <class Body>
    QAPFW_DEVICE void for_each(uint32_t values, const Body& body) {
        for (uint32_t i = 0; i < kValues / 32; ++i) {
            const uint32_t k = 32 * i + kernels::lane_number();
            if (k < values) body(part[i], k);
        }
    }
};

/// The warp's share of a colony: the c-ants take the places of worse donors (in iteration 0 they have done so). `kept`
/// is the last of the ants.
QAPFW_DEVICE Extremes select_share(const Colonies& c, uint32_t first, uint64_t iteration, Kept& kept) {
    const uint32_t values = c.tables.values;
    Extremes extremes{};
    for (uint32_t k = kernels::warp_number(); k < c.rules.ants; k += kernels::warp_count()) {
        const uint32_t ant = first + k;
        uint16_t* const place = c.ants + static_cast<uint64_t>(ant) * c.stride;
        const uint16_t* const child = c.children + static_cast<uint64_t>(ant) * c.stride;
        int64_t cost = c.costs[ant];
        uint64_t found = c.found[ant];
        const int64_t child_cost = c.child_costs[ant];
        Kept of_child{};
        of_child.for_each(values, [&](uint16_t& part, uint32_t at) { part = child[at]; });
        kept.for_each(values, [&](uint16_t& part, uint32_t at) { part = place[at]; });
        if (iteration > 0 && child_cost < cost) {
            kept = of_child;
            kept.for_each(values, [&](uint16_t part, uint32_t at) { place[at] = part; });
            for (uint32_t at = Kept::kValues + kernels::lane_number(); at < values; at += 32) place[at] = child[at];
            cost = child_cost;
            found = iteration;
            __syncwarp();
            if (kernels::lane_number() == 0) {
                c.costs[ant] = cost;
                c.found[ant] = found;
            }
        }
        if (k == kernels::warp_number()) extremes = {cost, cost, found, ant, ant};
        extremes.add(cost, found, ant);
    }
    return extremes;
}

/// Selection in a colony by a block; its best ant becomes the champion.
QAPFW_DEVICE void select_colony(const Colonies& c, const Exchange& exchange, uint32_t colony, uint64_t iteration) {
    __shared__ Extremes of_warps[32];
    const uint32_t first = colony * c.rules.ants, lane = kernels::lane_number();
    Kept kept{};
    const Extremes own = select_share(c, first, iteration, kept);
    if (lane == 0) of_warps[kernels::warp_number()] = own;
    __syncthreads();
    const Extremes all = over_lanes(of_warps[lane < kernels::warp_count() ? lane : 0]);
    if (own.best != all.best) return;
    uint16_t* const champion = exchange.champions + static_cast<uint64_t>(colony) * c.stride;
    const uint16_t* const best = c.ants + static_cast<uint64_t>(all.best) * c.stride;
    const bool is_kept = all.best + kernels::warp_count() >= first + c.rules.ants;
    kept.for_each(c.tables.values, [&](uint16_t part, uint32_t at) { champion[at] = is_kept ? part : best[at]; });
    for (uint32_t at = Kept::kValues + lane; at < c.tables.values; at += 32) champion[at] = best[at];
    if (lane != 0) return;
    ColonyEnds& ends = exchange.ends[colony];
    ends.best_cost = all.best_cost;
    ends.worst_cost = all.worst_cost;
    ends.best_found = all.best_found;
    ends.worst = all.worst;
}

/// Counts 0, 1, 0, 1, ...: what the block wrote before a barrier is seen by whoever comes next, and the other way
/// round.
QAPFW_DEVICE uint32_t meet(uint32_t* counter) {
#if defined(__CUDA_ARCH__)
    uint32_t before;
    asm volatile("atom.acq_rel.gpu.global.inc.u32 %0, [%1], 1;" : "=r"(before) : "l"(counter) : "memory");
    return before;
#else
    return atomicInc(counter, 1);  // an emulated GPU
#endif
}

/// Whether one of the colony's ants is `wanted`, which begins with `kept`. By a block.
QAPFW_DEVICE bool colony_holds(const Colonies& c, uint32_t colony, const uint16_t* wanted, const Kept& kept) {
    __shared__ bool held;
    if (threadIdx.x == 0) held = false;
    __syncthreads();
    for (uint32_t k = kernels::warp_number(); k < c.rules.ants; k += kernels::warp_count()) {
        const uint16_t* const place = c.ants + static_cast<uint64_t>(colony * c.rules.ants + k) * c.stride;
        Kept present = kept;
        present.for_each(c.tables.values, [&](uint16_t& part, uint32_t at) { part = place[at]; });
        bool different = false;
        for (uint32_t i = 0; i < Kept::kValues / 32; ++i) different |= present.part[i] != kept.part[i];
        for (uint32_t at = Kept::kValues + kernels::lane_number(); at < c.tables.values; at += 32) {
            different |= place[at] != wanted[at];
        }
        if (__ballot_sync(kernels::kAllLanes, different) == 0 && kernels::lane_number() == 0) held = true;
    }
    __syncthreads();
    return held;
}

/// The champion of colony `from` takes the place of the worst ant, if it is better and not there yet. By a block.
QAPFW_DEVICE void immigrate(const Colonies& c, const Exchange& exchange, uint32_t from, uint32_t colony) {
    const ColonyEnds here = exchange.ends[colony], there = exchange.ends[from];
    const uint16_t* const newcomer = exchange.champions + static_cast<uint64_t>(from) * c.stride;
    Kept kept{};
    kept.for_each(c.tables.values, [&](uint16_t& part, uint32_t at) { part = newcomer[at]; });
    const bool held = colony_holds(c, colony, newcomer, kept);
    if (held || there.best_cost >= here.worst_cost || kernels::warp_number() != 0) return;
    uint16_t* const place = c.ants + static_cast<uint64_t>(here.worst) * c.stride;
    kept.for_each(c.tables.values, [&](uint16_t part, uint32_t at) { place[at] = part; });
    for (uint32_t at = Kept::kValues + threadIdx.x; at < c.tables.values; at += 32) place[at] = newcomer[at];
    if (threadIdx.x != 0) return;
    c.costs[here.worst] = there.best_cost;
    c.found[here.worst] = there.best_found;
}

/// Selection and the ring's exchange by a block for each colony. An immigration waits for two colonies to be selected;
/// the block that comes second makes it.
QAPFW_DEVICE void select_and_exchange(const Colonies& c, const Exchange& exchange, uint64_t iteration) {
    __shared__ uint32_t before[2];
    const uint32_t own = blockIdx.x, last = gridDim.x - 1;
    select_colony(c, exchange, own, iteration);
    __syncthreads();
    if (threadIdx.x < 2)
        before[threadIdx.x] = meet(&exchange.ends[own + threadIdx.x > last ? 0 : own + threadIdx.x].arrived);
    __syncthreads();
    for (uint32_t k = 0; k < 2; ++k) {
        const uint32_t colony = own + k > last ? 0 : own + k;
        if (before[k] == 1) immigrate(c, exchange, colony > 0 ? colony - 1 : last, colony);
        __syncthreads();
    }
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
extern "C" __global__ void __launch_bounds__(qapfw::cas::kBlockThreads)
    qapfw_cas_update_trail(const __grid_constant__ qapfw::cas::Colonies colonies, uint32_t chunk) {
    extern __shared__ uint64_t added[];
    qapfw::cas::update_row(colonies, blockIdx.y, blockIdx.x, added, chunk);
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

/// One warp per ant.
extern "C" __global__ void qapfw_cas_select(const __grid_constant__ qapfw::cas::Colonies colonies, uint64_t iteration) {
    const uint32_t ant = qapfw::cas::grid_warp();
    if (ant < colonies.all_ants) qapfw::cas::select(colonies, ant, iteration);
}

/// One block per colony, at most 32 warps. In iteration 0 the selection was made before.
extern "C" __global__ void __launch_bounds__(1024)
    qapfw_cas_select_and_exchange(const __grid_constant__ qapfw::cas::Colonies colonies, uint64_t iteration,
                                  const __grid_constant__ qapfw::cas::Exchange exchange) {
    qapfw::cas::select_and_exchange(colonies, exchange, iteration);
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
