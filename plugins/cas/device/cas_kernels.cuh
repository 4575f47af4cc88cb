// SPDX-License-Identifier: Apache-2.0
// The phases of the cunning ant system on the device, between two calls of the improver: first trails, trail update,
// construction with costs, selection, exchange, end of a round. A CUDA block works on one trail row, constructs one
// ant, or selects in one colony. Random numbers and choices are those of plugins/cas/device/ant_trails.hpp, so the CPU
// makes the same ants. The problem's device code must come before this file.
#include "plugins/cas/device/cas_construction.cuh"
#include "plugins/cas/device/cas_selection.cuh"
#include "plugins/cas/device/segment_construction.cuh"

namespace qapfw::cas {

/// Updates the trails of one position of one colony (equation 1, see ant_trails.hpp). The trails of the position are a
/// row with one entry for each value. Each entry evaporates. Then it receives the deposits of the ants that have the
/// entry's value at this position, and is clamped to the limits. `added`: shared memory for `chunk` sums of deposits.
/// Each thread loads an entry early, so that the thread seldom waits for memory.
QAPFW_DEVICE void update_row(const Colonies& c, uint32_t colony, uint32_t row, uint64_t* added, uint32_t chunk) {
    const Element element = element_of(c, colony, row);
    const uint32_t first_ant = colony * c.rules.ants;
    uint64_t* const trail = element.trail;
    for (uint32_t first = 0; first < element.values; first += chunk) {
        const uint32_t size = element.values - first < chunk ? element.values - first : chunk;
        uint64_t entry = trail[first + (threadIdx.x < size ? threadIdx.x : 0)];
        for (uint32_t k = threadIdx.x; k < size; k += kBlockThreads) added[k] = 0;
        __syncthreads();
        uint64_t own = 0;
        for (uint32_t k = threadIdx.x; k < c.rules.ants; k += kBlockThreads) {
            const uint32_t value = element.value(c.ants + static_cast<uint64_t>(first_ant + k) * c.stride) - first;
            const uint64_t amount = kernels::deposit<kRealCosts>(c.rules, c.references[colony], c.costs[first_ant + k]);
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

/// Sets the trails of one row of a colony to tau_max, which is computed from the deposits of the colony's first
/// solutions. The call for row 0 also stores the colony's DepositReference.
QAPFW_DEVICE void lay_first_row(const Colonies& c, const kernels::CostBound& bound, uint32_t colony, uint32_t row) {
    const uint32_t ants = c.rules.ants;
    const int64_t* const costs = c.costs + static_cast<uint64_t>(colony) * ants;
    const int64_t best =
        costs[kernels::extreme_by_warp(costs, 0, ants, [](int64_t a, int64_t b) { return rank(a) < rank(b); })];
    const int64_t worst =
        costs[kernels::extreme_by_warp(costs, 0, ants, [](int64_t a, int64_t b) { return rank(a) > rank(b); })];
    const kernels::DepositReference reference = kernels::make_reference<kRealCosts>(c.rules, bound, best, worst);
    uint64_t deposits = 0;
    for (uint32_t k = threadIdx.x; k < ants; k += kBlockThreads) {
        deposits += kernels::deposit<kRealCosts>(c.rules, reference, costs[k]);
    }
    const uint64_t entry = kernels::trail_limits(c.rules, BlockGroup{}.sum(deposits)).most;
    if (row == 0 && threadIdx.x == 0) c.references[colony] = reference;
    if (row >= c.tables.free_count) return;
    const Element element = element_of(c, colony, row);
    for (uint32_t k = threadIdx.x; k < element.values; k += kBlockThreads) element.trail[k] = entry;
}

/// Describes a copy that is made at the end of a round. The copy contains the state: all that a round changes.
struct Marking {
    const kernels::SolutionUnit* from;
    kernels::SolutionUnit* to;  ///< destination; null: no copy is made
    uint64_t pieces;            ///< number of SolutionUnits to copy
};

/// Makes the copy that `marking` describes. Each of `threads` threads calls this function with its number `thread`, and
/// copies a part.
QAPFW_DEVICE void mark(const Marking& marking, uint64_t thread, uint64_t threads) {
    if (marking.to == nullptr) return;
    for (uint64_t k = thread; k < marking.pieces; k += threads) marking.to[k] = marking.from[k];
}

/// The digest of a solution, by a warp.
QAPFW_DEVICE uint64_t solution_digest(const Colonies& c, const uint16_t* solution) {
#ifdef QAPFW_SEGMENTS
    return kernels::segments_digest_by_warp(reinterpret_cast<const uint8_t*>(solution));
#else
    const uint32_t values = c.tables.values;
    return kernels::digest_by_warp(solution, values, bits_of(solution), kHasBits ? values - 1 : 0);
#endif
}

/// This lane's summand of the round's digest. Warps handle ants first, then parts of the trails.
QAPFW_DEVICE uint64_t digest(const Colonies& c, uint32_t warp, uint32_t warps, uint64_t iterations) {
    const uint32_t lane = kernels::lane_number();
    uint64_t sum = 0;
    for (uint32_t ant = warp; ant < c.all_ants; ant += warps) {
        const uint64_t own = solution_digest(c, c.ants + static_cast<uint64_t>(ant) * c.stride);
        const uint64_t search = kernels::digest_search(own, c.costs[ant], c.costs[ant], iterations);
        if (lane == 0) sum += kernels::digest_in_round(c.first_ant + ant, search);
    }
    const uint64_t matrix = trail_size(c);
    const uint64_t entries = c.all_ants / c.rules.ants * matrix, before = c.first_colony * matrix;
    for (uint64_t k = static_cast<uint64_t>(warp) * 32 + lane; k < entries; k += static_cast<uint64_t>(warps) * 32) {
        sum += kernels::digest_trail(before + k, c.trail[k]);
    }
    return sum;
}

}  // namespace qapfw::cas

/// Sets all trails to their first values. CUDA grid: free positions (at least one) x colonies.
extern "C" __global__ void __launch_bounds__(qapfw::cas::kBlockThreads)
    qapfw_cas_lay_first_trails(const __grid_constant__ qapfw::cas::Colonies colonies,
                               const __grid_constant__ qapfw::kernels::CostBound bound) {
    qapfw::cas::lay_first_row(colonies, bound, blockIdx.y, blockIdx.x);
}

/// Updates all trails. CUDA grid: free positions x colonies. Dynamic shared memory: `chunk` sums of 64 bits.
extern "C" __global__ void __launch_bounds__(qapfw::cas::kBlockThreads)
    qapfw_cas_update_trail(const __grid_constant__ qapfw::cas::Colonies colonies, uint32_t chunk) {
    extern __shared__ uint64_t added[];
    qapfw::cas::update_row(colonies, blockIdx.y, blockIdx.x, added, chunk);
}

/// Makes the first ants; one CUDA block per ant. The first `given` ants stay as they are.
extern "C" __global__ void __launch_bounds__(qapfw::cas::kBlockThreads)
    qapfw_cas_sample(const __grid_constant__ qapfw::cas::Colonies colonies,
                     const __grid_constant__ qapfw::cas::Problem::View view, uint32_t given) {
    using namespace qapfw::cas;
    const bool given_one = blockIdx.x < given;
#ifdef QAPFW_SEGMENTS
    sample_segments(colonies, view, blockIdx.x, given_one);
#else
    extern __shared__ uint64_t construction[];
    if (colonies.rows_at_a_time > 0)
        sample(colonies, view, blockIdx.x, given_one, scratch_in(construction, colonies.tables));
    else
        sample(colonies, view, blockIdx.x, given_one, scratch_in_memory(colonies));
#endif
}

/// Constructs the cunning ants; one CUDA block per ant. Dynamic shared memory: `scratch_bytes`, unless the scratch lies
/// in device memory.
extern "C" __global__ void __launch_bounds__(qapfw::cas::kBlockThreads)
    qapfw_cas_construct(const __grid_constant__ qapfw::cas::Colonies colonies,
                        const __grid_constant__ qapfw::cas::Problem::View view, uint64_t iteration) {
    extern __shared__ uint64_t construction[];
#ifdef QAPFW_SEGMENTS
    qapfw::cas::construct_segments(colonies, view, blockIdx.x, iteration, construction);
#else
    if (colonies.rows_at_a_time > 0)
        qapfw::cas::construct_staged(colonies, view, blockIdx.x, iteration, construction);
    else
        qapfw::cas::construct_in_memory(colonies, view, blockIdx.x, iteration);
#endif
}

/// Replaces each ant by its cunning ant if that one costs less (in iteration 0 always); one warp per ant.
extern "C" __global__ void qapfw_cas_select(const __grid_constant__ qapfw::cas::Colonies colonies, uint64_t iteration) {
    const uint32_t ant = qapfw::cas::grid_warp();
    if (ant < colonies.all_ants) qapfw::cas::select(colonies, ant, iteration);
}

/// Selects as above, then exchanges ants on the ring of colonies; one CUDA block per colony, at most 32 warps. In
/// iteration 0 another kernel has already selected.
extern "C" __global__ void __launch_bounds__(1024)
    qapfw_cas_select_and_exchange(const __grid_constant__ qapfw::cas::Colonies colonies, uint64_t iteration,
                                  const __grid_constant__ qapfw::cas::Exchange exchange) {
    qapfw::cas::select_and_exchange(colonies, exchange, iteration);
}

/// Finds the best and the worst ant of each colony, for an exchange between several places; one CUDA block per colony,
/// at most 32 warps.
extern "C" __global__ void __launch_bounds__(1024)
    qapfw_cas_show_champions(const __grid_constant__ qapfw::cas::Colonies colonies,
                             const __grid_constant__ qapfw::cas::Exchange exchange) {
    // Iteration 0: select_colony() only finds the champion and the worst ant. No cunning ant replaces its donor.
    qapfw::cas::select_colony(colonies, exchange, blockIdx.x, 0);
}

/// Offers each colony the champion of the colony before it on the ring of all colonies (see immigrate); one CUDA block
/// per colony, at most 32 warps.
extern "C" __global__ void __launch_bounds__(1024)
    qapfw_cas_immigrate(const __grid_constant__ qapfw::cas::Colonies colonies,
                        const __grid_constant__ qapfw::cas::Exchange exchange, uint32_t colonies_of_run) {
    const uint32_t seat = colonies.first_colony + blockIdx.x;
    qapfw::cas::immigrate(colonies, exchange, (seat + colonies_of_run - 1) % colonies_of_run, blockIdx.x);
}

/// The first CUDA block finds the best ant. All other CUDA blocks together compute the digest and copy the state; the
/// host chooses their number.
extern "C" __global__ void __launch_bounds__(qapfw::cas::kBlockThreads)
    qapfw_cas_end_round(const __grid_constant__ qapfw::cas::Colonies colonies, uint64_t iterations,
                        qapfw::kernels::PopulationReport* report, const __grid_constant__ qapfw::cas::Marking marking) {
    if (blockIdx.x == 0) {
        const auto* const costs = reinterpret_cast<const qapfw::cas::Problem::Cost*>(colonies.costs);
        return qapfw::kernels::report_best(report, colonies.ants, 2 * colonies.stride, costs, colonies.found,
                                           colonies.all_ants, colonies.first_ant);
    }
    constexpr uint32_t kWarps = qapfw::cas::kBlockThreads / 32;
    const uint32_t warp = qapfw::cas::grid_warp() - kWarps, warps = (gridDim.x - 1) * kWarps;
    qapfw::cas::mark(marking, warp * 32 + threadIdx.x % 32, warps * 32);
    const uint64_t own = qapfw::cas::BlockGroup{}.sum(qapfw::cas::digest(colonies, warp, warps, iterations));
    if (threadIdx.x == 0) atomicAdd(&report->digest, own);
}
