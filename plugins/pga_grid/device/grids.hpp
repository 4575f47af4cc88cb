// SPDX-License-Identifier: Apache-2.0
// The fields of PGAGrid (thesis, 2018, chapter 3), for steps on the host and for kernels. Cells are numbered grid by
// grid, row by row.
#pragma once

#include "plugins/pga_grid/device/pga_rules.hpp"

namespace qapfw::pga_grid {

constexpr uint64_t kNone = ~uint64_t{0};  ///< generation of a grid's best while there is no best yet

/// Each grid counts its children by crossover. Indices of the counts: all children, children not worse than their
/// parent, and children better than their parent. kChildCounts is the number of counts.
constexpr uint32_t kChildren = 0, kKeptChildren = 1, kBetterChildren = 2, kChildCounts = 3;

template <class Cost>
struct Grids {
    kernels::PgaRules rules;
    kernels::PgaNeighbours neighbours;
    kernels::SegmentList segments;  ///< segments of solutions that are neither permutations nor layouts
    const uint16_t* positions;      ///< free positions
    const uint16_t* order;          ///< free positions, then the fixed ones
    const uint16_t* base;           ///< the solution that sdk::base_solution makes, with all fixed elements
    uint16_t* solutions;
    Cost* costs;
    uint16_t* selected;  ///< individuals after the tournament
    Cost* selected_costs;
    uint16_t* scratch;         ///< only on GPUs: per cell, room for one solution
    uint32_t* opponents;       ///< only on GPUs: per cell, its opponent, if opponents do not fit shared memory
    uint32_t* remembered;      ///< per grid: the cell of its best individual of this generation
    uint16_t* best_solutions;  ///< per grid: its best solution of all generations
    Cost* best_costs;
    uint64_t* best_generations;    ///< per grid: generation that found its best solution; kNone: no solution yet
    uint32_t* best_cells;          ///< per grid: the cell that found its best solution, numbered in the run
    unsigned long long* children;  ///< per grid: counts of its children, see kChildren; PgaGrid::tell reports them
    uint16_t* emigrants;           ///< for each grid of the run: its best individual
    Cost* emigrant_costs;
    unsigned long long* evaluations;  ///< the report's number of evaluations; kernels add the number they made
    uint64_t stride;
    uint32_t cells;       ///< number of cells of this place
    uint32_t first_grid;  ///< this place's first grid, numbered in the run
    uint32_t grids_of_run;
    uint32_t opponents_in_shared;  ///< 1: kernels keep the cells' opponents in shared memory; 0: in `opponents`
    QAPFW_HD uint16_t* row(uint16_t* of, uint64_t k) const { return of + k * stride; }
    /// The counts of children (see kChildren) of the grid that holds `cell`.
    QAPFW_HD unsigned long long* children_of(uint32_t cell) const {
        return children + uint64_t{cell / rules.cells} * kChildCounts;
    }
    /// The grid that comes before a grid of this place on the ring of all grids.
    QAPFW_HD uint32_t grid_before(uint32_t grid) const { return (first_grid + grid + grids_of_run - 1) % grids_of_run; }
};

}  // namespace qapfw::pga_grid
