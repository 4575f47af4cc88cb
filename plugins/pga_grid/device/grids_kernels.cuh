// SPDX-License-Identifier: Apache-2.0
// The kernels of PGAGrid: the first population, the phases of a generation, the exchange between grids, the report and
// the digest. The phases are: tournament, crossover, noting the best of each grid, mutation and transposition, keeping
// the best of all generations. One thread makes an individual or a child, since shuffle and crossover are serial walks.
// One warp evaluates or copies a solution. Grids lie in device memory (some thousand cells stay in the cache). So the
// cells of one grid can be spread over all multiprocessors. The steps are those of
// plugins/pga_grid/device/grid_steps.hpp. The problem's device code must come before this file.
#include "plugins/pga_grid/device/grid_steps.hpp"
#include "qapfw/kernels/ga_block.hpp"

namespace qapfw::pga_grid {

using Problem = device::Problem;
using Cost = Problem::Cost;
using kernels::kGaThreads;
using kernels::lane_number;
using Costs = kernels::ChildCosts<Problem>;
using OrderedSolution = kernels::OrderedSolution<uint16_t>;
using kernels::warp_number;

using View = Grids<Cost>;
using Operators = kernels::OperatorsOfRun<kernels::PgaPaperOperators>;

#ifdef QAPFW_SEGMENTS
constexpr Segmented kSegmented = Segmented::kAlways;
#else
constexpr Segmented kSegmented = Segmented::kNever;
#endif

/// The threads that do the steps of a grid of cells: one warp.
struct OneWarp {
    template <class Better>
    QAPFW_DEVICE uint32_t extreme(const Cost* costs, uint32_t first, uint32_t count, const Better& better) const {
        return kernels::extreme_by_warp(costs, first, count, better);
    }
    QAPFW_DEVICE void copy(uint16_t* to, const uint16_t* from, uint32_t elements) const {
        kernels::ga_copy_by_warp(to, from, elements);
    }
    QAPFW_DEVICE void wait() const { __syncwarp(); }
    template <class Work>
    QAPFW_DEVICE void once(const Work& work) const {
        if (lane_number() == 0) work();
    }
};

/// The order of costs for GridSteps and make_child.
struct CostOrder {
    QAPFW_DEVICE bool operator()(Cost a, Cost b) const { return a < b; }
};

/// Calls body(steps). `steps` is a GridSteps; the threads of a warp do each of its steps together.
template <class Body>
QAPFW_DEVICE void by_warp(const View& g, const Body& body) {
    const CostOrder less;
    body(GridSteps<Cost, CostOrder, OneWarp>(g, less, kernels::ga_row(g.rules)));
}

/// Selects individuals in grid blockIdx.x by elitist binary tournaments. A cell takes its opponent's individual only
/// if that individual is better than the cell's own.
QAPFW_DEVICE void select(const View& g, uint64_t generation, uint32_t* shared) {
    const uint32_t first = blockIdx.x * g.rules.cells;
    uint32_t* const opponents = g.opponents_in_shared != 0 ? shared : g.opponents + first;
    if (threadIdx.x == 0) kernels::pga_opponents(g.rules, opponents, generation, g.first_grid + blockIdx.x);
    __syncthreads();
    by_warp(g, [&](const auto& steps) {
        for (uint32_t k = warp_number(); k < g.rules.cells; k += kernels::warp_count()) {
            steps.take_winner(first + k, first + opponents[k]);
        }
    });
}

/// Keeps the child if it is not worse than the selected individual. Called by all lanes of a warp.
QAPFW_DEVICE void judge_child(const View& g, const Problem::View& view, Costs& costs, uint32_t cell) {
    uint16_t *const parent = g.row(g.selected, cell), *const child = g.row(g.solutions, cell);
    const Cost before = g.selected_costs[cell];
    const Cost after = costs.after(kernels::WarpGroup{}, view, OrderedSolution{parent, g.order}, before,
                                   OrderedSolution{child, g.order});
    if (lane_number() == 0) {
        unsigned long long* const counts = g.children_of(cell);
        atomicAdd(counts + kChildren, 1ull);
        if (!(before < after)) atomicAdd(counts + kKeptChildren, 1ull);
        if (after < before) atomicAdd(counts + kBetterChildren, 1ull);
    }
    if (before < after) {
        __syncwarp();
        kernels::ga_copy_by_warp(child, parent, kernels::ga_row(g.rules));
    } else if (lane_number() == 0) {
        g.costs[cell] = after;
    }
}

/// Writes the counts of children, summed over `count` grids, to the report. Called by all lanes of a warp.
QAPFW_DEVICE void report_children(const View& g, uint32_t count, kernels::PopulationReport* report) {
    for (uint32_t which = 0; which < kChildCounts; ++which) {
        unsigned long long sum = 0;
        for (uint32_t grid = lane_number(); grid < count; grid += 32) sum += g.children[grid * kChildCounts + which];
        sum = kernels::WarpGroup{}.sum(sum);
        if (lane_number() == 0) report->told[which] = sum;
    }
}

/// Computes the cost of a cell's solution, by one warp.
QAPFW_DEVICE void take_cost(const View& g, const Problem::View& view, Costs& costs, uint32_t cell) {
    const Cost cost = costs.of(kernels::WarpGroup{}, view, OrderedSolution{g.row(g.solutions, cell), g.order});
    if (lane_number() == 0) g.costs[cell] = cost;
}

/// Calls make(cell) in a thread for each of this CUDA block's cells. Then calls finish(costs, cell) in a warp for each
/// cell for which make returned true.
template <class Make, class Finish>
QAPFW_DEVICE void for_cells(const View& g, const Problem::View& view, const Make& make, const Finish& finish) {
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
    for (uint32_t i = warp_number(); i < count; i += kernels::warp_count()) finish(costs, list[i]);
    if (threadIdx.x == 0) atomicAdd(g.evaluations, static_cast<unsigned long long>(count));
}

/// Replaces the worst individual of grid blockIdx.x by the newcomer (the best of the preceding grid), if the newcomer
/// costs less and the grid does not have it yet.
QAPFW_DEVICE void immigrate(const View& g) {
    const uint32_t grid = blockIdx.x, first = grid * g.rules.cells;
    const uint16_t* const newcomer = g.row(g.emigrants, g.grid_before(grid));
    const bool present =
        kernels::held_by_block(g.row(g.solutions, first), g.stride, g.rules.cells, newcomer, kernels::ga_row(g.rules));
    if (warp_number() != 0 || present) return;
    by_warp(g, [&](const auto& steps) { steps.take_newcomer(grid); });
}

}  // namespace qapfw::pga_grid

/// Makes the first population. Launched with the number of CUDA blocks that ga_blocks_for returns. The first `given`
/// cells have their solutions already.
extern "C" __global__ void __launch_bounds__(qapfw::kernels::kGaThreads)
    qapfw_pga_grid_populate(const __grid_constant__ qapfw::pga_grid::View grids,
                            const __grid_constant__ qapfw::pga_grid::Problem::View view, uint32_t given) {
    using namespace qapfw::pga_grid;
    for_cells(
        grids, view,
        [&](uint32_t cell) {
            if (cell >= given) draw_cell<Operators, kSegmented>(grids, cell);
            return true;
        },
        [&](Costs& costs, uint32_t cell) { take_cost(grids, view, costs, cell); });
}

/// Carries out the tournaments; one CUDA block per grid of cells. If opponents_in_shared is 1, dynamic shared memory
/// holds the number of each cell's opponent. Otherwise the kernel needs no dynamic shared memory.
extern "C" __global__ void __launch_bounds__(qapfw::kernels::kGaThreads)
    qapfw_pga_grid_select(const __grid_constant__ qapfw::pga_grid::View grids, uint64_t generation) {
    extern __shared__ uint32_t pga_memory[];
    qapfw::pga_grid::select(grids, generation, pga_memory);
}

/// Crossover, launched with the number of CUDA blocks that ga_blocks_for returns.
extern "C" __global__ void __launch_bounds__(qapfw::kernels::kGaThreads)
    qapfw_pga_grid_cross(const __grid_constant__ qapfw::pga_grid::View grids,
                         const __grid_constant__ qapfw::pga_grid::Problem::View view, uint64_t generation) {
    using namespace qapfw::pga_grid;
    for_cells(
        grids, view,
        [&](uint32_t cell) {
            return make_child<Operators, kSegmented>(grids, CostOrder{}, qapfw::kernels::ga_row(grids.rules),
                                                     grids.row(grids.scratch, cell), cell, generation);
        },
        [&](Costs& costs, uint32_t cell) { judge_child(grids, view, costs, cell); });
}

/// Remembers the best cell of each grid; one warp per grid.
extern "C" __global__ void qapfw_pga_grid_remember(const __grid_constant__ qapfw::pga_grid::View grids) {
    qapfw::pga_grid::by_warp(grids, [](const auto& steps) { steps.remember_best(blockIdx.x); });
}

/// Mutation and transposition, launched with the number of CUDA blocks that ga_blocks_for returns.
extern "C" __global__ void __launch_bounds__(qapfw::kernels::kGaThreads)
    qapfw_pga_grid_change(const __grid_constant__ qapfw::pga_grid::View grids,
                          const __grid_constant__ qapfw::pga_grid::Problem::View view, uint64_t generation) {
    using namespace qapfw::pga_grid;
    for_cells(
        grids, view,
        [&](uint32_t cell) {
            return change_cell<Operators, kSegmented>(grids, grids.row(grids.scratch, cell), cell, generation);
        },
        [&](Costs& costs, uint32_t cell) { take_cost(grids, view, costs, cell); });
}

/// Keeps the best of all generations of each grid; one warp per grid.
extern "C" __global__ void qapfw_pga_grid_keep_best(const __grid_constant__ qapfw::pga_grid::View grids,
                                                    uint64_t generation) {
    qapfw::pga_grid::by_warp(grids, [&](const auto& steps) { steps.keep_best(blockIdx.x, generation); });
}

/// Shows each grid's best to the other grids; one warp per grid.
extern "C" __global__ void qapfw_pga_grid_emigrate(const __grid_constant__ qapfw::pga_grid::View grids) {
    qapfw::pga_grid::by_warp(grids, [](const auto& steps) { steps.emigrate(blockIdx.x); });
}

/// Lets a better newcomer replace the worst individual of each grid; one CUDA block per grid.
extern "C" __global__ void __launch_bounds__(qapfw::kernels::kGaThreads)
    qapfw_pga_grid_immigrate(const __grid_constant__ qapfw::pga_grid::View grids) {
    qapfw::pga_grid::immigrate(grids);
}

/// Reports the best solution of all grids and generations, and the counts of children; one warp. If several grids have
/// the best cost, reports the solution that was found in the earliest generation. If several grids found it in the same
/// generation, reports the solution of the first of these grids.
extern "C" __global__ void qapfw_pga_grid_report(const __grid_constant__ qapfw::pga_grid::View grids, uint32_t count,
                                                 qapfw::kernels::PopulationReport* report) {
    using namespace qapfw;
    const uint32_t best = kernels::best_by_warp(grids.best_costs, grids.best_generations, 0, count);
    kernels::population_report(report, grids.best_costs[best], grids.best_generations[best], grids.best_cells[best],
                               grids.row(grids.best_solutions, best), qapfw::kernels::ga_row(grids.rules));
    pga_grid::report_children(grids, count, report);
}

/// Adds the cells to the digest; one warp per cell. `best`: the bits of the best cost of all grids in all processes.
extern "C" __global__ void qapfw_pga_grid_digest(const __grid_constant__ qapfw::pga_grid::View grids, int64_t best,
                                                 uint64_t generation, qapfw::kernels::PopulationReport* report) {
    using namespace qapfw;
    const auto solution = [&](uint32_t cell) {
        return kernels::ga_solution_digest(grids.rules, grids.row(grids.solutions, cell));
    };
    const auto best_bits = [&](uint32_t) { return best; };
    kernels::digest_by_warps(report, solution, grids.costs, best_bits, grids.cells, grids.rules.first, generation, 1);
}
