// SPDX-License-Identifier: Apache-2.0
// The GA's independent blocks on the device (CEC 2010, section III). Generations are made in one of two ways, which
// have the same trajectory. The first way makes many generations in a launch, with the pools in shared memory and a
// CUDA block for each of the GA's blocks. The second way makes one launch per step, with the pools in device memory. It
// is used if the pools do not fit into shared memory, an improver works between the steps, or a solution is more than a
// permutation. Random numbers and choices are those of qapfw/kernels/ga_base.hpp. The problem's device code must come
// before this file.
#include "plugins/ga_independent/device/blocks.hpp"
#include "qapfw/kernels/ga_block.hpp"

namespace qapfw::ga_independent {

using Problem = device::Problem;
using Cost = Problem::Cost;
using Population = kernels::GaPopulation<Cost>;
using Costs = kernels::ChildCosts<Problem>;
using Pools = kernels::GaPools<Cost>;
using Report = kernels::PopulationReport;
using View = Blocks<Cost>;

/// Flags in the shared memory of a CUDA block.
struct Notice {
    uint32_t found;    ///< 1: this block has reached the target
    uint32_t restart;  ///< 1: the block restarts
    uint32_t over;     ///< 1: no further generation is needed, since some block has reached the target
};

QAPFW_DEVICE bool reaches(const View& b, Cost cost) {
    return b.has_target != 0 && !(b.target < cost);
}

QAPFW_DEVICE bool is_over(const View& b, uint64_t generation) {
    const volatile uint64_t* const end = b.end;
    return generation > end[0] || generation > end[1];
}

/// True if the generation is beyond a found flag, see View::end. All threads of a CUDA block get the same answer, even
/// if View::end changes meanwhile.
QAPFW_DEVICE bool is_over_for_all(const View& b, uint64_t generation) {
    __shared__ uint32_t over;
    if (threadIdx.x == 0) over = is_over(b, generation) ? 1 : 0;
    __syncthreads();
    return over != 0;
}

/// Called by a warp. Stores the best of the present individuals as the block's best, if the block has no best yet or
/// if its best costs more.
template <class Individuals>
QAPFW_DEVICE void keep_best(const View& b, const Individuals& p, uint32_t first, uint32_t block) {
    const uint32_t k = kernels::best_by_warp(p.pools.costs, p.pools.found, first, p.rules.size);
    if (b.best_found[block] != kNotFound && !(p.pools.costs[k] < b.best_costs[block])) return;
    __syncwarp();
    uint16_t* const best = b.best_solutions + uint64_t{block} * b.population.pools.stride;
    kernels::ga_copy_by_warp(best, p.pools.parent(k), kernels::ga_row(p.rules));
    if (kernels::lane_number() == 0) {
        b.best_costs[block] = p.pools.costs[k];
        b.best_found[block] = p.pools.found[k];
    }
    __syncwarp();
}

QAPFW_DEVICE bool may_restart(const View& b, uint64_t generation) {
    return b.restart_at != 0 && generation % b.restart_check == 0;
}

/// Called by the first warp. Decides whether the block whose first individual is `first` restarts (section III.B.3). If
/// the block restarts, stores its best.
template <class Individuals>
QAPFW_DEVICE void look_at_restart(const View& b, const Individuals& p, uint32_t first, uint32_t block, Notice& notice) {
    const uint32_t best = kernels::best_by_warp(p.pools.costs, p.pools.found, first, p.rules.size);
    const Cost* const costs = p.pools.costs + first;
    const bool due = kernels::ga_count_by_warp(costs, p.rules.size, p.pools.costs[best]) >= b.restart_at;
    if (due) keep_best(b, p, first, block);
    if (kernels::lane_number() != 0) return;
    notice.restart = due ? 1 : 0;
    if (!due) return;
    ++b.restarts[block];
    b.evaluations[block] += p.rules.size;
}

/// Draws and evaluates all individuals of a block again. Called by all threads of a CUDA block. Ends with a barrier.
template <class Element>
QAPFW_DEVICE void restart(const View& b, const kernels::GaPopulation<Cost, Element>& p, const Problem::View& view,
                          Costs& costs, uint32_t first, uint64_t generation, Notice& notice) {
    kernels::ga_draw_all(p, costs, view, first, first + p.rules.size, 0, generation, [&](Cost cost) {
        if (b.improves == 0 && reaches(b, cost)) notice.found = 1;
    });
}

/// Restarts the block in `generation` if look_at_restart() decides so. Called by all threads, after a barrier. Ends
/// with a barrier if may_restart() allows a restart in this generation.
template <class Individuals>
QAPFW_DEVICE void restart_if_due(const View& b, const Individuals& p, const Problem::View& view, Costs& costs,
                                 uint32_t first, uint32_t block, uint64_t generation, Notice& notice) {
    if (!may_restart(b, generation)) return;
    if (kernels::warp_number() == 0) look_at_restart(b, p, first, block, notice);
    __syncthreads();
    if (notice.restart != 0) restart(b, p, view, costs, first, generation, notice);
}

QAPFW_DEVICE void lower_end(const View& b, uint64_t generation) {
    atomicMin(reinterpret_cast<unsigned long long*>(b.end), static_cast<unsigned long long>(generation));
}

#if QAPFW_GA_IN_SHARED
/// Makes generations first+1 to `last` of one block of the GA. Stops earlier if any block reaches the target. Writes
/// the block's individuals to `to`.
QAPFW_DEVICE void evolve(const View& b, const Pools& to, const Problem::View& view, uint64_t first, uint64_t last,
                         uint64_t* memory) {
    __shared__ Notice notice;
    __shared__ Costs costs;
    const uint32_t block = blockIdx.x;
    const kernels::GaSharedPools<Cost> pools(b.population, to, block, memory);
    const auto& p = pools.own;
    const bool before = reaches(b, b.best_costs[block]);
    pools.load(b.population, block);
    costs.load(view);
    if (threadIdx.x == 0) notice = {0, 0, is_over(b, first + 1) ? 1u : 0u};
    __syncthreads();
    uint64_t generation = first;
    while (generation < last && notice.over == 0) {
        ++generation;
        kernels::ga_breed_all(p, 0, p.rules.size, generation, pools.work);
        __syncthreads();
        for (uint32_t i = kernels::warp_number(); i < *pools.work.count; i += kernels::warp_count()) {
            const uint32_t listed = pools.work.list[i];
            const Cost cost = kernels::ga_listed_cost(costs, view, p, listed);
            const uint32_t k = listed & ~kernels::GaWork::kUnknown;
            if (!kernels::ga_replace(p, k, cost, generation) || !reaches(b, cost)) continue;
            if (kernels::lane_number() == 0) notice.found = 1;
        }
        __syncthreads();
        restart_if_due(b, p, view, costs, 0, block, generation, notice);
        if (threadIdx.x == 0) {
            *pools.work.count = 0;
            if (notice.found != 0 && !before) lower_end(b, generation);
            notice.over = is_over(b, generation + 1) ? 1 : 0;
        }
        __syncthreads();
    }
    pools.store(to, block);
    if (kernels::warp_number() == 0) keep_best(b, p, 0, block);
    if (threadIdx.x == 0) b.evaluations[block] += (generation - first) * p.rules.size;
}
#endif

/// Carries out step 6 (selection) for one block of the GA and applies the restart rule. The block is in device memory,
/// and its children are already evaluated.
QAPFW_DEVICE void end_generation(const View& b, const Problem::View& view, uint64_t generation) {
    __shared__ Notice notice;
    __shared__ Costs costs;
    const uint32_t block = blockIdx.x, first = block * b.population.rules.size;
    const bool before = reaches(b, b.best_costs[block]);
    if (threadIdx.x == 0) notice = {0, 0, 0};
    if (may_restart(b, generation)) costs.load(view);
    __syncthreads();
    for (uint32_t k = first + kernels::warp_number(); k < first + b.population.rules.size; k += kernels::warp_count()) {
        const Cost cost = b.population.pools.child_costs[k];
        if (!kernels::ga_replace(b.population, k, cost, generation) || !reaches(b, cost)) continue;
        if (kernels::lane_number() == 0) notice.found = 1;
    }
    __syncthreads();
    restart_if_due(b, b.population, view, costs, first, block, generation, notice);
    if (kernels::warp_number() == 0 && (notice.restart == 0 || b.improves == 0)) {
        keep_best(b, b.population, first, block);
    }
    if (threadIdx.x != 0) return;
    b.drawn_anew[block] = notice.restart;
    b.evaluations[block] += b.population.rules.size;
    if (notice.found != 0 && !before) lower_end(b, generation);
}

}  // namespace qapfw::ga_independent

/// Makes many generations of all blocks of the GA. For each block of the GA there is one CUDA block of
/// ga_threads_of_block threads, with ga_shared_bytes bytes of dynamic shared memory. Writes the individuals to `to`,
/// which may be the memory that holds the individuals now.
extern "C" __global__ void __launch_bounds__(qapfw::kernels::kGaMostThreads)
    qapfw_ga_independent_evolve(const __grid_constant__ qapfw::ga_independent::View blocks,
                                const __grid_constant__ qapfw::ga_independent::Pools to,
                                const __grid_constant__ qapfw::ga_independent::Problem::View view, uint64_t first,
                                uint64_t last) {
#if QAPFW_GA_IN_SHARED  // if this is 0, the host never launches the kernel
    extern __shared__ uint64_t ga_memory[];
    qapfw::ga_independent::evolve(blocks, to, view, first, last, ga_memory);
#endif
}

/// Makes the individuals of generation 0. The first `given` of them exist already and are only evaluated. Launched with
/// the number of CUDA blocks that ga_blocks_for returns. The kernel keep_best must follow.
extern "C" __global__ void __launch_bounds__(qapfw::kernels::kGaThreads)
    qapfw_ga_independent_begin(const __grid_constant__ qapfw::ga_independent::View blocks,
                               const __grid_constant__ qapfw::ga_independent::Problem::View view, uint32_t given) {
    using namespace qapfw;
    kernels::ga_begin_tile<device::Problem>(blocks.population, view, given);
    const uint32_t block = blockIdx.x * kernels::kGaThreads + threadIdx.x;
    if (block >= blocks.population.individuals / blocks.population.rules.size) return;
    blocks.best_found[block] = ga_independent::kNotFound;
    blocks.evaluations[block] = blocks.population.rules.size;
}

/// Makes and evaluates the children of all blocks. Launched with the number of CUDA blocks that ga_blocks_for returns.
extern "C" __global__ void __launch_bounds__(qapfw::kernels::kGaThreads)
    qapfw_ga_independent_breed(const __grid_constant__ qapfw::ga_independent::View blocks,
                               const __grid_constant__ qapfw::ga_independent::Problem::View view, uint64_t generation) {
    if (qapfw::ga_independent::is_over_for_all(blocks, generation)) return;
    qapfw::kernels::ga_breed_tile<qapfw::device::Problem>(blocks.population, view, generation);
}

/// Carries out step 6 (selection) and applies the restart rule. One CUDA block works for each block of the GA.
extern "C" __global__ void __launch_bounds__(qapfw::kernels::kGaThreads)
    qapfw_ga_independent_end_generation(const __grid_constant__ qapfw::ga_independent::View blocks,
                                        const __grid_constant__ qapfw::ga_independent::Problem::View view,
                                        uint64_t generation) {
    if (qapfw::ga_independent::is_over_for_all(blocks, generation)) return;
    qapfw::ga_independent::end_generation(blocks, view, generation);
}

/// Called after individuals were drawn or improved. Updates the best of each block, and the found flag if a block now
/// reaches the target. One warp works for each block of the GA.
extern "C" __global__ void qapfw_ga_independent_keep_best(const __grid_constant__ qapfw::ga_independent::View blocks,
                                                          uint64_t generation) {
    using namespace qapfw;
    const auto block = static_cast<uint32_t>(blockIdx.x);
    const bool before = ga_independent::reaches(blocks, blocks.best_costs[block]);
    __syncwarp();
    ga_independent::keep_best(blocks, blocks.population, block * blocks.population.rules.size, block);
    if (before || kernels::lane_number() != 0) return;
    if (ga_independent::reaches(blocks, blocks.best_costs[block])) ga_independent::lower_end(blocks, generation);
}

/// Writes the report: the best solution of all the GA's blocks, and the sums of their restarts and evaluations.
/// Runs in one warp.
extern "C" __global__ void qapfw_ga_independent_report(const __grid_constant__ qapfw::ga_independent::View blocks,
                                                       qapfw::ga_independent::Report* report) {
    using namespace qapfw;
    const kernels::GaRules& rules = blocks.population.rules;
    const uint32_t count = blocks.population.individuals / rules.size;
    uint64_t restarts = 0, evaluations = 0;
    for (uint32_t block = kernels::lane_number(); block < count; block += 32) {
        restarts += blocks.restarts[block];
        evaluations += blocks.evaluations[block];
    }
    restarts = kernels::WarpGroup{}.sum(restarts);
    evaluations = kernels::WarpGroup{}.sum(evaluations);
    kernels::report_best(report, blocks.best_solutions, 2 * blocks.population.pools.stride, blocks.best_costs,
                         blocks.best_found, count, rules.first / rules.size);
    if (kernels::lane_number() != 0) return;
    report->evaluations = evaluations;
    report->told[ga_independent::kToldRestarts] = restarts;
}

/// Computes the digest; each warp handles `of_warp` individuals.
extern "C" __global__ void qapfw_ga_independent_digest(const __grid_constant__ qapfw::ga_independent::View blocks,
                                                       uint64_t generation, uint32_t of_warp,
                                                       qapfw::ga_independent::Report* report) {
    const auto best = [&](uint32_t k) { return blocks.best_costs[k / blocks.population.rules.size]; };
    qapfw::kernels::ga_digest(blocks.population, best, generation, of_warp, report);
}
