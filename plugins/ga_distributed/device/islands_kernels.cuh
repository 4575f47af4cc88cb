// SPDX-License-Identifier: Apache-2.0
// Subpopulations of the base GA on the device (GECCO 2009, section 3.2). Two ways with the same trajectory: many
// generations in one launch with the pools in shared memory, a CUDA block for each subpopulation; or a launch for each
// step of a generation with the pools in device memory, where they do not fit or an improver works between the steps.
// Before, the first individuals; then the exchange of individuals, the bests, the digest. Numbers and choices are those
// of qapfw/kernels/ga_base.hpp and ga_exchange.hpp. The problem's text comes before this one.
#include "qapfw/kernels/ga_block.hpp"
#include "qapfw/kernels/ga_exchange.hpp"

namespace qapfw::ga_distributed {

using Problem = device::Problem;
using Cost = Problem::Cost;
using Population = kernels::GaPopulation<Cost>;

/// Where individuals go.
struct Destination {
    uint16_t* solutions;
    Cost* costs;
    uint64_t* found;
};

/// The best of one subpopulation.
struct Best {
    Cost cost;
    uint64_t found;
    uint32_t individual;  ///< among those of the process
    uint32_t unused;
};

/// Subpopulation blockIdx.x from generation first+1 to `last`.
QAPFW_DEVICE void evolve(const Population& all, const Problem::View& view, uint64_t first, uint64_t last,
                         uint64_t* memory) {
    __shared__ kernels::ChildCosts<Problem> costs;
    const kernels::GaSharedPools<Cost> pools(all, blockIdx.x, memory);
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
    pools.store(all, blockIdx.x);
}

}  // namespace qapfw::ga_distributed

/// A CUDA block of ga_threads_of_block threads for each subpopulation. Dynamic shared memory: ga_shared_bytes.
extern "C" __global__ void __launch_bounds__(qapfw::kernels::kGaMostThreads)
    qapfw_ga_distributed_evolve(const __grid_constant__ qapfw::ga_distributed::Population population,
                                const __grid_constant__ qapfw::ga_distributed::Problem::View view, uint64_t first,
                                uint64_t last) {
    extern __shared__ uint64_t ga_memory[];
    qapfw::ga_distributed::evolve(population, view, first, last, ga_memory);
}

/// The first individuals, of which `given` are there already, kGaDrawn to a CUDA block.
extern "C" __global__ void __launch_bounds__(qapfw::kernels::kGaThreads)
    qapfw_ga_distributed_begin(const __grid_constant__ qapfw::ga_distributed::Population population,
                               const __grid_constant__ qapfw::ga_distributed::Problem::View view, uint32_t given) {
    qapfw::kernels::ga_begin_tile<qapfw::device::Problem>(population, view, given);
}

/// All children with their costs, kGaThreads to a CUDA block.
extern "C" __global__ void __launch_bounds__(qapfw::kernels::kGaThreads)
    qapfw_ga_distributed_breed(const __grid_constant__ qapfw::ga_distributed::Population population,
                               const __grid_constant__ qapfw::ga_distributed::Problem::View view, uint64_t generation) {
    qapfw::kernels::ga_breed_tile<qapfw::device::Problem>(population, view, generation);
}

/// Step 6: a warp for each individual.
extern "C" __global__ void qapfw_ga_distributed_select(
    const __grid_constant__ qapfw::ga_distributed::Population population, uint64_t generation) {
    const uint32_t k = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    if (k >= population.individuals) return;
    qapfw::kernels::ga_replace(population, k, population.pools.child_costs[k], generation);
}

/// One of `moved` moves by each warp; the destination is a copy of the population before.
extern "C" __global__ void qapfw_ga_distributed_move(
    const __grid_constant__ qapfw::ga_distributed::Population population,
    const __grid_constant__ qapfw::kernels::RandomBijection places,
    const __grid_constant__ qapfw::ga_distributed::Destination destination, uint32_t moved) {
    using namespace qapfw;
    const uint32_t k = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    if (k >= moved) return;
    const kernels::GaMove move = kernels::ga_move(places, k, moved);
    uint16_t* const to = destination.solutions + uint64_t{move.to} * population.pools.stride;
    for (uint32_t v = kernels::lane_number(); v < population.rules.values; v += 32) {
        to[v] = population.pools.parent(move.from)[v];
    }
    if (kernels::lane_number() != 0) return;
    destination.costs[move.to] = population.pools.costs[move.from];
    destination.found[move.to] = population.pools.found[move.from];
}

/// The best of each subpopulation, a warp for each.
extern "C" __global__ void qapfw_ga_distributed_bests(
    const __grid_constant__ qapfw::ga_distributed::Population population, qapfw::ga_distributed::Best* bests) {
    using namespace qapfw;
    const uint32_t size = population.rules.size;
    const uint32_t k =
        kernels::ga_best_by_warp(population.pools.costs, population.pools.found, blockIdx.x * size, size);
    if (kernels::lane_number() != 0) return;
    bests[blockIdx.x] = {population.pools.costs[k], population.pools.found[k], population.first_here + k, 0};
}

/// A warp for each individual; `sum` is zero before.
extern "C" __global__ void qapfw_ga_distributed_digest(
    const __grid_constant__ qapfw::ga_distributed::Population population, uint64_t generation,
    unsigned long long* sum) {
    using namespace qapfw;
    const uint32_t k = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    if (k >= population.individuals) return;
    const uint64_t own = kernels::ga_digest(population, k, population.pools.costs[k], generation);
    if (kernels::lane_number() == 0) atomicAdd(sum, own);
}
