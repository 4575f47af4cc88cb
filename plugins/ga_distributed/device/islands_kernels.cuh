// SPDX-License-Identifier: Apache-2.0
// Subpopulations of the base GA on the device (GECCO 2009, section 3.2). Generations are made in one of two ways, which
// have the same trajectory. The first way makes many generations in a launch, with the pools in shared memory and a
// CUDA block per subpopulation. The second way makes one launch per step, with the pools in device memory. It is used
// if the pools do not fit into shared memory, an improver works between the steps, or a solution is more than a
// permutation. The file also has kernels for the first individuals, the exchange, the bests and the digest. Random
// numbers and choices are those of qapfw/kernels/ga_base.hpp and ga_exchange.hpp. The problem's device code must come
// before this file.
#include "plugins/ga_distributed/device/islands.hpp"
#include "qapfw/kernels/ga_block.hpp"

namespace qapfw::ga_distributed {

using Problem = device::Problem;
using Cost = Problem::Cost;
using Population = kernels::GaPopulation<Cost>;

using Pools = kernels::GaPools<Cost>;
using Report = kernels::PopulationReport;
using BestsHere = Bests<Cost>;

#if QAPFW_GA_IN_SHARED
/// Makes generations first+1 to `last` of subpopulation blockIdx.x, and writes the subpopulation to `to`.
QAPFW_DEVICE void evolve(const Population& all, const Pools& to, const Problem::View& view, uint64_t first,
                         uint64_t last, uint64_t* memory) {
    __shared__ kernels::ChildCosts<Problem> costs;
    const kernels::GaSharedPools<Cost> pools(all, to, blockIdx.x, memory);
    pools.load(all, blockIdx.x);
    costs.load(view);
    __syncthreads();
    for (uint64_t generation = first + 1; generation <= last; ++generation) {
        const kernels::GaWork work = pools.work_of(generation);
        kernels::ga_breed_all(pools.own, 0, pools.own.rules.size, generation, work);
        __syncthreads();
        for (uint32_t i = kernels::warp_number(); i < *work.count; i += kernels::warp_count()) {
            const uint32_t listed = work.list[i];
            const Cost cost = kernels::ga_listed_cost(costs, view, pools.own, listed);
            kernels::ga_replace(pools.own, listed & ~kernels::GaWork::kUnknown, cost, generation);
        }
        __syncthreads();
    }
    pools.store(to, blockIdx.x);
}
#endif

}  // namespace qapfw::ga_distributed

/// Makes many generations of all subpopulations. For each subpopulation there is one CUDA block of ga_threads_of_block
/// threads, with ga_shared_bytes bytes of dynamic shared memory. Writes the individuals to `to`, which may be the
/// memory that holds the individuals now.
extern "C" __global__ void __launch_bounds__(qapfw::kernels::kGaMostThreads)
    qapfw_ga_distributed_evolve(const __grid_constant__ qapfw::ga_distributed::Population population,
                                const __grid_constant__ qapfw::ga_distributed::Pools to,
                                const __grid_constant__ qapfw::ga_distributed::Problem::View view, uint64_t first,
                                uint64_t last) {
#if QAPFW_GA_IN_SHARED  // if this is 0, the host never launches the kernel
    extern __shared__ uint64_t ga_memory[];
    qapfw::ga_distributed::evolve(population, to, view, first, last, ga_memory);
#endif
}

/// Makes the individuals of generation 0. The first `given` of them exist already and are only evaluated. Launched with
/// the number of CUDA blocks that ga_blocks_for returns.
extern "C" __global__ void __launch_bounds__(qapfw::kernels::kGaThreads)
    qapfw_ga_distributed_begin(const __grid_constant__ qapfw::ga_distributed::Population population,
                               const __grid_constant__ qapfw::ga_distributed::Problem::View view, uint32_t given) {
    qapfw::kernels::ga_begin_tile<qapfw::device::Problem>(population, view, given);
}

/// Makes all children with their costs. Launched with the number of CUDA blocks that ga_blocks_for returns.
extern "C" __global__ void __launch_bounds__(qapfw::kernels::kGaThreads)
    qapfw_ga_distributed_breed(const __grid_constant__ qapfw::ga_distributed::Population population,
                               const __grid_constant__ qapfw::ga_distributed::Problem::View view, uint64_t generation) {
    qapfw::kernels::ga_breed_tile<qapfw::device::Problem>(population, view, generation);
}

/// Carries out step 6 (selection); a warp per individual.
extern "C" __global__ void qapfw_ga_distributed_select(
    const __grid_constant__ qapfw::ga_distributed::Population population, uint64_t generation) {
    const uint32_t k = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    if (k >= population.individuals) return;
    qapfw::kernels::ga_replace(population, k, population.pools.child_costs[k], generation);
}

/// Copies individuals of the whole run (`all`) to their new positions at this place. Each warp handles one of the
/// `moved` moves of the exchange. A warp does nothing if its move ends at another place.
extern "C" __global__ void qapfw_ga_distributed_move(
    const __grid_constant__ qapfw::ga_distributed::Population population,
    const __grid_constant__ qapfw::kernels::RandomBijection places,
    const __grid_constant__ qapfw::ga_distributed::Pools all, uint32_t moved) {
    using namespace qapfw;
    const uint32_t k = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    if (k >= moved) return;
    const kernels::GaMove move = kernels::ga_move(places, k, moved);
    const uint32_t to = move.to - population.rules.first;
    if (to >= population.individuals) return;
    kernels::ga_copy_by_warp(population.pools.parent(to), all.parent(move.from), kernels::ga_row(population.rules));
    if (kernels::lane_number() != 0) return;
    population.pools.costs[to] = all.costs[move.from];
    population.pools.found[to] = all.found[move.from];
}

/// Finds the best of each subpopulation; a warp per subpopulation.
extern "C" __global__ void qapfw_ga_distributed_bests(
    const __grid_constant__ qapfw::ga_distributed::Population population,
    const __grid_constant__ qapfw::ga_distributed::BestsHere bests) {
    using namespace qapfw;
    const uint32_t size = population.rules.size;
    const uint32_t k = kernels::best_by_warp(population.pools.costs, population.pools.found, blockIdx.x * size, size);
    if (kernels::lane_number() != 0) return;
    bests.costs[blockIdx.x] = population.pools.costs[k];
    bests.found[blockIdx.x] = population.pools.found[k];
    bests.individuals[blockIdx.x] = k;
}

/// Reports the best of all individuals, which is the best of the subpopulations' bests; one warp.
extern "C" __global__ void qapfw_ga_distributed_report(
    const __grid_constant__ qapfw::ga_distributed::Population population,
    const __grid_constant__ qapfw::ga_distributed::BestsHere bests, qapfw::ga_distributed::Report* report) {
    using namespace qapfw;
    const uint32_t islands = population.individuals / population.rules.size;
    const uint32_t leader = kernels::best_by_warp(bests.costs, bests.found, 0, islands);
    const uint32_t k = bests.individuals[leader];
    kernels::population_report(report, bests.costs[leader], bests.found[leader], population.rules.first + k,
                               population.pools.parent(k), kernels::ga_row(population.rules));
}

/// Computes the digest of the population; each warp handles `of_warp` individuals.
extern "C" __global__ void qapfw_ga_distributed_digest(
    const __grid_constant__ qapfw::ga_distributed::Population population, uint64_t generation, uint32_t of_warp,
    qapfw::ga_distributed::Report* report) {
    const auto own_cost = [&](uint32_t k) { return population.pools.costs[k]; };
    qapfw::kernels::ga_digest(population, own_cost, generation, of_warp, report);
}
