// SPDX-License-Identifier: Apache-2.0
// The first population of PGAGrid on the device, and the phases of a generation: tournament, crossover, the best of
// each grid, mutation and transposition, the bests of all generations; the exchange between grids; the digest. A thread
// makes an individual or a child, since shuffle and crossover are serial walks, a warp evaluates or copies one. Grids
// lie in device memory (a population of some thousand cells stays in the cache), so any number of cells spreads over
// all multiprocessors. Choices are those of qapfw/kernels/pga_rules.hpp. The problem's text comes before this one.
#include "qapfw/kernels/ga_block.hpp"
#include "qapfw/kernels/pga_rules.hpp"

namespace qapfw::pga_grid {

using Problem = device::Problem;
using Cost = Problem::Cost;
using kernels::kGaThreads;
using kernels::lane_number;
using Costs = kernels::ChildCosts<Problem>;
using OrderedSolution = kernels::OrderedSolution<uint16_t>;
using kernels::warp_number;

/// All that the kernels share; device pointers, owned by the host. Cells are numbered grid by grid, row by row.
struct Grids {
    kernels::PgaRules rules;
    kernels::PgaNeighbours neighbours;
    const uint16_t *positions, *order, *base;
    uint16_t* solutions;
    Cost* costs;
    uint16_t* selected;  ///< after the tournament
    Cost* selected_costs;
    uint16_t* scratch;         ///< a row per cell
    uint32_t* opponents;       ///< per cell, where they do not fit shared memory
    uint32_t* remembered;      ///< per grid: the cell of its best
    uint16_t* best_solutions;  ///< of each grid and all generations
    Cost* best_costs;
    uint64_t* best_generations;  ///< kNone before the first
    uint32_t* best_cells;        ///< among those of the process
    uint16_t* emigrants;         ///< row 0: who arrives at the first grid; row g + 1: the best of grid g
    Cost* emigrant_costs;
    unsigned long long* evaluations;
    uint64_t stride;
    uint32_t cells, first_here;  ///< on this GPU; number of the first one within the process
    uint32_t first_grid;         ///< number of the first grid among all processes
    uint32_t opponents_in_shared;
    QAPFW_DEVICE uint16_t* row(uint16_t* of, uint64_t k) const { return of + k * stride; }
};

static_assert(sizeof(Grids) == 216, "as in device_share.hpp");

constexpr uint64_t kNone = ~uint64_t{0};

QAPFW_DEVICE void copy_row(const Grids& g, uint16_t* to, const uint16_t* from) {
    for (uint32_t v = lane_number(); v < g.rules.values; v += 32) to[v] = from[v];
}

QAPFW_DEVICE uint32_t best_cell(const Grids& g, uint32_t grid) {
    return kernels::extreme_by_warp(g.costs, grid * g.rules.cells, g.rules.cells, [](Cost a, Cost b) { return a < b; });
}
QAPFW_DEVICE uint32_t worst_cell(const Grids& g, uint32_t grid) {
    return kernels::extreme_by_warp(g.costs, grid * g.rules.cells, g.rules.cells, [](Cost a, Cost b) { return b < a; });
}

/// Elitist binary tournament of grid blockIdx.x.
QAPFW_DEVICE void select(const Grids& g, uint64_t generation, uint32_t* shared) {
    const uint32_t first = blockIdx.x * g.rules.cells;
    uint32_t* const opponents = g.opponents_in_shared != 0 ? shared : g.opponents + first;
    if (threadIdx.x == 0) kernels::pga_opponents(g.rules, opponents, generation, g.first_grid + blockIdx.x);
    __syncthreads();
    for (uint32_t k = warp_number(); k < g.rules.cells; k += kernels::warp_count()) {
        const uint32_t own = first + k, other = first + opponents[k];
        const uint32_t winner = g.costs[other] < g.costs[own] ? other : own;
        copy_row(g, g.row(g.selected, own), g.row(g.solutions, winner));
        if (lane_number() == 0) g.selected_costs[own] = g.costs[winner];
    }
}

/// The child of a cell, or a copy of its individual; by a thread. Whether there is a child.
QAPFW_DEVICE bool make_child(const Grids& g, uint32_t cell, uint64_t generation) {
    uint16_t* const child = g.row(g.solutions, cell);
    const uint16_t* const parent = g.row(g.selected, cell);
    for (uint32_t v = 0; v < g.rules.values; ++v) child[v] = parent[v];
    g.costs[cell] = g.selected_costs[cell];
    uint32_t mate = 0, cut = 0;
    if (!kernels::pga_has_child(g.rules, g.neighbours, g.selected_costs, kernels::CostOrder{}, generation, cell, mate,
                                cut)) {
        return false;
    }
    kernels::pga_cross(g.rules, g.positions, child, parent, g.row(g.selected, mate),
                       reinterpret_cast<uint8_t*>(g.row(g.scratch, cell)), cut);
    return true;
}

/// The child stays where it is not worse than the selected individual; by a warp.
QAPFW_DEVICE void judge_child(const Grids& g, const Problem::View& view, Costs& costs, uint32_t cell) {
    uint16_t *const parent = g.row(g.selected, cell), *const child = g.row(g.solutions, cell);
    const Cost before = g.selected_costs[cell];
    const Cost after = costs.after(kernels::WarpGroup{}, view, OrderedSolution{parent, g.order}, before,
                                   OrderedSolution{child, g.order});
    if (before < after) {
        __syncwarp();
        copy_row(g, child, parent);
    } else if (lane_number() == 0) {
        g.costs[cell] = after;
    }
}

/// By a warp.
QAPFW_DEVICE void take_cost(const Grids& g, const Problem::View& view, Costs& costs, uint32_t cell) {
    const Cost cost = costs.of(kernels::WarpGroup{}, view, OrderedSolution{g.row(g.solutions, cell), g.order});
    if (lane_number() == 0) g.costs[cell] = cost;
}

/// Mutation and transposition of a cell, unless it holds its grid's best; by a thread. Whether something changed.
QAPFW_DEVICE bool change(const Grids& g, uint32_t cell, uint64_t generation) {
    if (g.remembered[cell / g.rules.cells] == cell) return false;
    uint16_t* const individual = g.row(g.solutions, cell);
    const bool mutated = kernels::pga_mutate(g.rules, g.positions, individual, generation, cell);
    return kernels::pga_transpose(g.rules, g.positions, individual, generation, cell) || mutated;
}

/// make(cell) by a thread for each of this block's cells, then settle(costs, cell) by a warp for those where it said
/// yes.
template <class Make, class Settle>
QAPFW_DEVICE void for_cells(const Grids& g, const Problem::View& view, const Make& make, const Settle& settle) {
    __shared__ Costs costs;
    __shared__ uint32_t list[kGaThreads];
    __shared__ uint32_t count;
    costs.load(view);
    if (threadIdx.x == 0) count = 0;
    __syncthreads();
    const kernels::GaTile tile(g.cells);
    const uint32_t cell = tile.first + threadIdx.x;
    if (cell < tile.last && make(cell)) list[atomicAdd(&count, 1u)] = cell;
    __syncthreads();
    for (uint32_t i = warp_number(); i < count; i += kernels::warp_count()) settle(costs, list[i]);
    if (threadIdx.x == 0) atomicAdd(g.evaluations, static_cast<unsigned long long>(count));
}

/// The newcomer takes the worst individual's place in grid blockIdx.x if it is better and not there yet.
QAPFW_DEVICE void immigrate(const Grids& g) {
    const uint32_t grid = blockIdx.x, first = grid * g.rules.cells;
    const uint16_t* const newcomer = g.row(g.emigrants, grid);
    const bool present =
        kernels::held_by_block(g.row(g.solutions, first), g.stride, g.rules.cells, newcomer, g.rules.values);
    if (warp_number() != 0 || present) return;
    const uint32_t worst = worst_cell(g, grid);
    if (!(g.emigrant_costs[grid] < g.costs[worst])) return;
    __syncwarp();
    copy_row(g, g.row(g.solutions, worst), newcomer);
    if (lane_number() == 0) g.costs[worst] = g.emigrant_costs[grid];
}

}  // namespace qapfw::pga_grid

/// The first population, of which `given` cells have their solutions already, by ga_blocks_for CUDA blocks.
extern "C" __global__ void __launch_bounds__(qapfw::kernels::kGaThreads)
    qapfw_pga_grid_populate(const __grid_constant__ qapfw::pga_grid::Grids grids,
                            const __grid_constant__ qapfw::pga_grid::Problem::View view, uint32_t given) {
    using namespace qapfw::pga_grid;
    for_cells(
        grids, view,
        [&](uint32_t cell) {
            uint16_t* const individual = grids.row(grids.solutions, cell);
            if (cell >= given) qapfw::kernels::pga_draw(grids.rules, grids.positions, grids.base, individual, cell);
            return true;
        },
        [&](Costs& costs, uint32_t cell) { take_cost(grids, view, costs, cell); });
}

/// A block for each grid. Dynamic shared memory: an element per cell of a grid, or none.
extern "C" __global__ void __launch_bounds__(qapfw::kernels::kGaThreads)
    qapfw_pga_grid_select(const __grid_constant__ qapfw::pga_grid::Grids grids, uint64_t generation) {
    extern __shared__ uint32_t pga_memory[];
    qapfw::pga_grid::select(grids, generation, pga_memory);
}

/// By ga_blocks_for CUDA blocks.
extern "C" __global__ void __launch_bounds__(qapfw::kernels::kGaThreads)
    qapfw_pga_grid_cross(const __grid_constant__ qapfw::pga_grid::Grids grids,
                         const __grid_constant__ qapfw::pga_grid::Problem::View view, uint64_t generation) {
    using namespace qapfw::pga_grid;
    for_cells(
        grids, view, [&](uint32_t cell) { return make_child(grids, cell, generation); },
        [&](Costs& costs, uint32_t cell) { judge_child(grids, view, costs, cell); });
}

/// A warp for each grid.
extern "C" __global__ void qapfw_pga_grid_remember(const __grid_constant__ qapfw::pga_grid::Grids grids) {
    const uint32_t best = qapfw::pga_grid::best_cell(grids, blockIdx.x);
    if (threadIdx.x == 0) grids.remembered[blockIdx.x] = best;
}

/// By ga_blocks_for CUDA blocks.
extern "C" __global__ void __launch_bounds__(qapfw::kernels::kGaThreads)
    qapfw_pga_grid_change(const __grid_constant__ qapfw::pga_grid::Grids grids,
                          const __grid_constant__ qapfw::pga_grid::Problem::View view, uint64_t generation) {
    using namespace qapfw::pga_grid;
    for_cells(
        grids, view, [&](uint32_t cell) { return change(grids, cell, generation); },
        [&](Costs& costs, uint32_t cell) { take_cost(grids, view, costs, cell); });
}

/// A warp for each grid.
extern "C" __global__ void qapfw_pga_grid_keep_best(const __grid_constant__ qapfw::pga_grid::Grids grids,
                                                    uint64_t generation) {
    using namespace qapfw::pga_grid;
    const uint32_t grid = blockIdx.x, cell = best_cell(grids, grid);
    if (grids.best_generations[grid] != kNone && !(grids.costs[cell] < grids.best_costs[grid])) return;
    __syncwarp();
    copy_row(grids, grids.row(grids.best_solutions, grid), grids.row(grids.solutions, cell));
    if (lane_number() != 0) return;
    grids.best_costs[grid] = grids.costs[cell];
    grids.best_generations[grid] = generation;
    grids.best_cells[grid] = grids.first_here + cell;
}

/// A warp for each grid.
extern "C" __global__ void qapfw_pga_grid_emigrate(const __grid_constant__ qapfw::pga_grid::Grids grids) {
    using namespace qapfw::pga_grid;
    const uint32_t cell = best_cell(grids, blockIdx.x);
    copy_row(grids, grids.row(grids.emigrants, blockIdx.x + 1), grids.row(grids.solutions, cell));
    if (lane_number() == 0) grids.emigrant_costs[blockIdx.x + 1] = grids.costs[cell];
}

/// A block for each grid.
extern "C" __global__ void __launch_bounds__(qapfw::kernels::kGaThreads)
    qapfw_pga_grid_immigrate(const __grid_constant__ qapfw::pga_grid::Grids grids) {
    qapfw::pga_grid::immigrate(grids);
}

/// A warp for each cell; `best` is the bits of the best cost of all, `sum` zero before.
extern "C" __global__ void qapfw_pga_grid_digest(const __grid_constant__ qapfw::pga_grid::Grids grids, int64_t best,
                                                 uint64_t generation, unsigned long long* sum) {
    using namespace qapfw;
    const uint32_t cell = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    if (cell >= grids.cells) return;
    const uint16_t* const solution = grids.row(grids.solutions, cell);
    uint64_t own = 0;
    for (uint32_t v = kernels::lane_number(); v < grids.rules.values; v += 32) {
        own += kernels::digest_element(v, solution[v]);
    }
    own = kernels::WarpGroup{}.sum(own);
    const uint64_t search = kernels::digest_search(own, kernels::cost_bits(grids.costs[cell]), best, generation);
    if (kernels::lane_number() == 0) atomicAdd(sum, kernels::digest_in_round(grids.rules.first + cell, search));
}
