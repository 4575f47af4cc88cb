// SPDX-License-Identifier: Apache-2.0
// The phases of the cunning ant system on the device, between two calls of the improver: trail update, construction
// with costs, selection, digest. A block works on one row of a trail matrix or constructs one ant (the first warp
// draws, all of them evaluate); a warp selects. Numbers and choices are those of qapfw/kernels/ant_trails.hpp, so a CPU
// run makes the same ants. The problem's text comes before this one.
#include "qapfw/kernels/ant_trails.hpp"
#include "qapfw/kernels/device_team.hpp"

namespace qapfw::cas {

using Problem = device::Problem;

/// All that the kernels share; device pointers, owned by the host. Ants are numbered colony by colony.
struct Colonies {
    kernels::TrailRules rules;
    kernels::CunningTables tables;                ///< of device memory
    const uint16_t* order;                        ///< movable positions, then the fixed ones
    const kernels::DepositReference* references;  ///< per colony
    uint64_t* trail;                              ///< [colony][free position number][value]
    uint16_t *ants, *children;                    ///< `stride` elements apart
    int64_t *costs, *child_costs;
    uint64_t* found;
    uint16_t* scratch;  ///< 2 * free_count per ant, where shared memory is too small
    uint64_t seed;
    uint32_t all_ants, stride, scratch_in_shared;
    uint32_t first_ant;   ///< number of the first ant among all processes
    uint32_t first_here;  ///< and among those of this process, which digests go by
};

static_assert(sizeof(Colonies) == 160, "as in device_share.hpp");

constexpr uint32_t kBlockThreads = 128;  ///< of every kernel here

/// The warp's number in the grid: the ant that it works on.
QAPFW_DEVICE uint32_t grid_warp() {
    return (blockIdx.x * blockDim.x + threadIdx.x) / 32;
}

/// All threads of a block, for the problem's cost.
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

/// The lanes of a warp as the group of a construction.
struct WarpPrefix {
    QAPFW_DEVICE uint32_t rank() const { return threadIdx.x & 31u; }
    QAPFW_DEVICE uint32_t size() const { return 32; }
    QAPFW_DEVICE void sync() const { __syncwarp(); }
    QAPFW_DEVICE uint64_t prefix(uint64_t own, uint64_t& total) const {
        uint64_t sum = own;
        for (int distance = 1; distance < 32; distance *= 2) {
            const uint64_t lower = __shfl_up_sync(kernels::kAllLanes, sum, distance);
            if (rank() >= static_cast<uint32_t>(distance)) sum += lower;
        }
        total = __shfl_sync(kernels::kAllLanes, sum, 31);
        return sum - own;
    }
};

/// A solution in memory as Problem::cost reads it.
struct OrderedSolution {
    const uint16_t *solution, *order;
    QAPFW_DEVICE int operator()(int position) const {
#ifdef QAPFW_MOVABLE_FIRST
        return solution[order[position]];
#else
        return solution[position];
#endif
    }
};

/// Equation 1 for one position of one colony: each entry of the row evaporates, receives the deposits of the ants that
/// have this value here, and is brought within the limits. `added` holds `chunk` sums in shared memory.
QAPFW_DEVICE void update_row(const Colonies& c, uint32_t colony, uint32_t row, uint64_t* added, uint32_t chunk,
                             uint64_t* deposits) {
    const uint32_t position = c.tables.free[row], first_ant = colony * c.rules.ants;
    uint64_t* const trail = c.trail + (static_cast<uint64_t>(colony) * c.tables.free_count + row) * c.tables.values;
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

/// A c-ant and its cost, by one block.
QAPFW_DEVICE void construct(const Colonies& c, const Problem::View& view, uint32_t ant, uint64_t iteration,
                            uint16_t* scratch) {
    uint16_t* const child = c.children + static_cast<uint64_t>(ant) * c.stride;
    const uint64_t trail_size = static_cast<uint64_t>(c.tables.free_count) * c.tables.values;
    if (threadIdx.x < 32) {
        kernels::construct_cunning_ant(WarpPrefix{}, c.tables, c.trail + ant / c.rules.ants * trail_size,
                                       c.ants + static_cast<uint64_t>(ant) * c.stride, child, scratch,
                                       scratch + c.tables.free_count, {c.seed, iteration, c.first_ant + ant});
    }
    __syncthreads();
    const int64_t cost = Problem::cost(BlockGroup{}, view, OrderedSolution{child, c.order});
    if (threadIdx.x == 0) c.child_costs[ant] = cost;
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

/// What the warp adds to the round's digest: warps take ants first, then stretches of the trails.
QAPFW_DEVICE uint64_t digest(const Colonies& c, uint32_t warp, uint32_t warps, uint64_t iterations) {
    const uint32_t lane = threadIdx.x & 31u;
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
    return kernels::WarpGroup{}.sum(sum);
}

}  // namespace qapfw::cas

/// Grid: free positions x colonies. Dynamic shared memory: `chunk` sums.
extern "C" __global__ void qapfw_cas_update_trail(const __grid_constant__ qapfw::cas::Colonies colonies,
                                                  uint32_t chunk) {
    extern __shared__ uint64_t added[];
    __shared__ uint64_t deposits;
    qapfw::cas::update_row(colonies, blockIdx.y, blockIdx.x, added, chunk, &deposits);
}

/// One block per ant. Dynamic shared memory: 2 * free_count elements, unless the scratch lies elsewhere.
extern "C" __global__ void __launch_bounds__(qapfw::cas::kBlockThreads)
    qapfw_cas_construct(const __grid_constant__ qapfw::cas::Colonies colonies,
                        const __grid_constant__ qapfw::cas::Problem::View view, uint64_t iteration) {
    extern __shared__ uint16_t scratch[];
    const uint64_t own = static_cast<uint64_t>(blockIdx.x) * 2 * colonies.tables.free_count;
    qapfw::cas::construct(colonies, view, blockIdx.x, iteration,
                          colonies.scratch_in_shared != 0 ? scratch : colonies.scratch + own);
}

/// One warp per ant.
extern "C" __global__ void qapfw_cas_select(const __grid_constant__ qapfw::cas::Colonies colonies, uint64_t iteration) {
    const uint32_t ant = qapfw::cas::grid_warp();
    if (ant < colonies.all_ants) qapfw::cas::select(colonies, ant, iteration);
}

/// Any grid; `sum` is zero before.
extern "C" __global__ void qapfw_cas_digest(const __grid_constant__ qapfw::cas::Colonies colonies, uint64_t iterations,
                                            unsigned long long* sum) {
    const uint64_t own = qapfw::cas::digest(colonies, qapfw::cas::grid_warp(), gridDim.x * blockDim.x / 32, iterations);
    if ((threadIdx.x & 31u) == 0) atomicAdd(sum, own);
}
