// SPDX-License-Identifier: Apache-2.0
// 2-opt and greedy 2-opt on a batch of solutions, over any swap neighbourhood (qapfw/kernels/swap_neighbourhood.hpp).
// The problem's device code must come before this file. 2-opt makes the best improving swap until there is none or
// `limit` is reached. (In the 2018 thesis, it makes one swap in each generation: limit 1.) Greedy 2-opt sweeps over the
// pairs in row-major order, makes every improving swap and goes on at the next pair. It stops after `limit` sweeps, or
// when a sweep makes no swap. A rising sweep makes only swaps that improve more than the last one made (algorithm 16 of
// the thesis as printed). The host may override the problem's hints by
//   LOCAL_SEARCH_TEAMS    solutions of one CUDA block
//   LOCAL_SEARCH_BLOCKS   CUDA blocks that a multiprocessor should hold
// LOCAL_SEARCH_SWEEPS is 1 for sweeps, 0 for 2-opt. If the problem has a neighbourhood that keeps the least delta of
// each thread (P::WordlessSwapNeighbourhood), 2-opt looks only at these deltas.
#include "qapfw/kernels/generic_swap_neighbourhood.hpp"
#include "qapfw/kernels/swap_neighbourhood.hpp"

#ifndef LOCAL_SEARCH_TEAMS
#define LOCAL_SEARCH_TEAMS QAPFW_HINT_TEAMS
#endif
#ifndef LOCAL_SEARCH_BLOCKS
#define LOCAL_SEARCH_BLOCKS QAPFW_HINT_BLOCKS
#endif

#ifndef LOCAL_SEARCH_SWEEPS
#define LOCAL_SEARCH_SWEEPS 0
#endif

namespace qapfw::local_search {

using Problem = device::Problem;

constexpr bool kSweeps = LOCAL_SEARCH_SWEEPS != 0;
using Neighbourhood = kernels::SwapNeighbourhoodFor<Problem, kSweeps>::type;
static_assert(LOCAL_SEARCH_TEAMS <= Neighbourhood::Group::kMostTeams);
using Value = Neighbourhood::Value;
using Key = decltype(kernels::ordered(Value{}));
using Candidate = kernels::Candidate<Key>;
using Group = Neighbourhood::Group;

constexpr uint32_t kRisingSweeps = 2;  ///< value of `mode` for Descent::kRisingSweeps of the host

struct LocalSearchLaunch {
    Problem::View view;
    /// The solutions, each with its elements in the order of the original positions. A solution begins `stride`
    /// elements after the solution before. The kernel replaces these solutions by the final ones.
    uint16_t* solutions;
    Problem::Cost* costs;  ///< costs of the final solutions, written by the kernel
    /// A counter for each solution: the kernel adds the number of scans of all pairs (best improvement), or of sweeps.
    /// May be null.
    uint64_t* scans;
    uint64_t* evaluations;  ///< for each solution: the kernel adds the number of pairs checked; may be null
    char* workspace;        ///< memory of the neighbourhoods: kWorkspaceBytes for each solution
    uint64_t limit;         ///< largest number of swaps (best improvement) or sweeps; 0: no limit
    uint64_t pairs;         ///< number of pairs in a scan
    uint32_t count, stride, mode;
};

struct TeamMemory {
    typename Neighbourhood::TeamShared neighbourhood;
    /// Memory of two selections, used alternately, so that one barrier per selection suffices.
    Candidate candidates[2][Neighbourhood::kThreads / 32];
};
struct BlockMemory {
    typename Neighbourhood::BlockShared block;
    TeamMemory teams[LOCAL_SEARCH_TEAMS];
};

/// Returns the least candidate of all threads of the team, compared by `key`, then by `code`.
QAPFW_DEVICE Candidate reduce(Candidate own, Candidate* shared) {
    Candidate least{kernels::warp_min(own.key), kernels::kNoPair};
    least.code = kernels::warp_min(own.key == least.key ? own.code : kernels::kNoPair);
    return kernels::over_warps(Group{}, least, shared);
}

/// The best improving pair of the warp. Each thread holds the least delta of its own pairs. kNoPair: no pair improves.
template <class Neighbourhood>
QAPFW_DEVICE Candidate best_of_warp(const Neighbourhood& neighbourhood) {
    const Key own = kernels::ordered(neighbourhood.least());
    Candidate best{kernels::warp_min(own), kernels::kNoPair};
    Value least{};
    kernels::unordered(best.key, least);
    if (!(least < Value{0})) return best;
    for (uint32_t left = __ballot_sync(kernels::kAllLanes, own == best.key); left != 0; left &= left - 1) {
        kernels::each_least_pair_of(neighbourhood, __ffs(static_cast<int>(left)) - 1, [&](int i, int j, Value delta) {
            const uint32_t code = Neighbourhood::code_of(i, j);
            if (delta == least && code < best.code) best.code = code;
        });
    }
    best.code = kernels::warp_min(best.code);
    return best;
}

/// The best improving pair, or kNoPair.
template <class Neighbourhood>
QAPFW_DEVICE Candidate best_improving(const Neighbourhood& neighbourhood, Candidate* shared) {
    if constexpr (requires { requires Neighbourhood::kKeepsLeast; })
        return kernels::over_warps(Group{}, best_of_warp(neighbourhood), shared);
    Candidate own{kernels::ordered(Value{0}), kernels::kNoPair};
#pragma unroll(Neighbourhood::kInRegisters ? Neighbourhood::kSlots : 1)
    for (int slot = 0; slot < Neighbourhood::kSlots; ++slot) {
        const Value delta = neighbourhood.delta(slot);
        if (!(delta < Value{0})) continue;
        const Key key = kernels::ordered(delta);
        if (key > own.key) continue;
        const uint32_t code = neighbourhood.pair_code(slot);
        if (key < own.key || code < own.code) own = Candidate{key, code};
    }
    return reduce(own, shared);
}

/// Returns the first pair that has a code of at least `from`, a delta below 0 and a key below `bound`. If there is no
/// such pair, returns the code kNoPair.
QAPFW_DEVICE Candidate first_below(const Neighbourhood& neighbourhood, uint32_t from, Key bound, Candidate* shared) {
    uint32_t code = kernels::kNoPair;
#pragma unroll(Neighbourhood::kInRegisters ? Neighbourhood::kSlots : 1)
    for (int slot = 0; slot < Neighbourhood::kSlots; ++slot) {
        const Value delta = neighbourhood.delta(slot);
        if (!(delta < Value{0}) || !(kernels::ordered(delta) < bound)) continue;
        const uint32_t own = neighbourhood.pair_code(slot);
        if (own >= from && own < code) code = own;
    }
    return reduce(Candidate{static_cast<Key>(code), code}, shared);  // the least code wins, whatever its delta is
}

/// Returns the key of a pair's delta to all threads. `code`: the code of the pair. The swap must improve the solution.
QAPFW_DEVICE Key delta_of(const Neighbourhood& neighbourhood, uint32_t code, Candidate* shared) {
    Candidate own{kernels::ordered(Value{0}), kernels::kNoPair};
#pragma unroll(Neighbourhood::kInRegisters ? Neighbourhood::kSlots : 1)
    for (int slot = 0; slot < Neighbourhood::kSlots; ++slot) {
        if (neighbourhood.delta(slot) < Value{0} && neighbourhood.pair_code(slot) == code)
            own = Candidate{kernels::ordered(neighbourhood.delta(slot)), code};
    }
    return reduce(own, shared).key;
}

QAPFW_DEVICE void make(Neighbourhood& neighbourhood, uint32_t code) {
    neighbourhood.apply(kernels::first_of_pair(code), kernels::second_of_pair(code), kernels::NoWords{});
}

QAPFW_DEVICE uint64_t improve_best(Neighbourhood& neighbourhood, TeamMemory& team, uint64_t limit) {
    uint64_t scans = 0;
    while (limit == 0 || scans < limit) {
        const Candidate best = best_improving(neighbourhood, team.candidates[scans++ & 1]);
        if (best.code == kernels::kNoPair) break;
        make(neighbourhood, best.code);
    }
    return scans;
}

/// Makes sweeps and returns their number. `rising`: makes only swaps that improve more than the last one made in the
/// sweep.
QAPFW_DEVICE uint64_t improve_in_sweeps(Neighbourhood& neighbourhood, TeamMemory& team, uint64_t limit, bool rising) {
    uint64_t sweeps = 0, selections = 0;
    bool changed = true;
    while (changed && (limit == 0 || sweeps < limit)) {
        changed = false;
        ++sweeps;
        Key bound = kernels::ordered(Value{0});
        for (uint32_t from = 0;;) {
            const Candidate first = first_below(neighbourhood, from, bound, team.candidates[selections++ & 1]);
            if (first.code == kernels::kNoPair) break;
            if (rising) bound = delta_of(neighbourhood, first.code, team.candidates[selections++ & 1]);
            make(neighbourhood, first.code);
            changed = true;
            from = first.code + 1;
        }
    }
    return sweeps;
}

QAPFW_DEVICE void improve(const LocalSearchLaunch& launch, BlockMemory& shared, uint32_t index) {
    const Group group;
    TeamMemory& team = shared.teams[group.index()];
    uint16_t* const solution = launch.solutions + static_cast<uint64_t>(index) * launch.stride;
    Neighbourhood neighbourhood(launch.view, shared.block, team.neighbourhood,
                                launch.workspace + index * Neighbourhood::kWorkspaceBytes);
    neighbourhood.load(solution);
    neighbourhood.reset();
    uint64_t scans = 0;
    if (Neighbourhood::kMovable > 1)
        scans = kSweeps ? improve_in_sweeps(neighbourhood, team, launch.limit, launch.mode == kRisingSweeps)
                        : improve_best(neighbourhood, team, launch.limit);
    group.sync();
    const Problem::Cost cost = neighbourhood.cost();
    neighbourhood.store(solution);
    if (group.rank() != 0) return;
    launch.costs[index] = cost;
    if (launch.scans != nullptr) launch.scans[index] += scans;
    if (launch.evaluations != nullptr) launch.evaluations[index] += scans * launch.pairs;
}

}  // namespace qapfw::local_search

/// Bytes of shared memory, threads per CUDA block, solutions per CUDA block, workspace bytes per solution.
extern "C" __device__ const unsigned long long qapfw_local_search_layout[4] = {
    sizeof(qapfw::local_search::BlockMemory), LOCAL_SEARCH_TEAMS* qapfw::local_search::Neighbourhood::kThreads,
    LOCAL_SEARCH_TEAMS, qapfw::local_search::Neighbourhood::kWorkspaceBytes};

extern "C" __global__ void __launch_bounds__(LOCAL_SEARCH_TEAMS* qapfw::local_search::Neighbourhood::kThreads,
                                             LOCAL_SEARCH_BLOCKS)
    qapfw_local_search(const __grid_constant__ qapfw::local_search::LocalSearchLaunch launch) {
    extern __shared__ __align__(16) char memory[];
    auto& shared = *reinterpret_cast<qapfw::local_search::BlockMemory*>(memory);
    qapfw::local_search::Neighbourhood::load_block(shared.block, launch.view);
    __syncthreads();
    const uint32_t index = blockIdx.x * LOCAL_SEARCH_TEAMS + threadIdx.x / qapfw::local_search::Neighbourhood::kThreads;
    if (index < launch.count) qapfw::local_search::improve(launch, shared, index);
}

extern "C" __global__ void qapfw_local_search_write_layout(unsigned long long* layout) {
    for (int k = 0; k < 4; ++k) layout[k] = qapfw_local_search_layout[k];
}
