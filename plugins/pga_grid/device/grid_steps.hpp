// SPDX-License-Identifier: Apache-2.0
// The steps of one cell and of one grid of PGAGrid. One code for the CPU's threads and for kernels, with the same
// result. The caller evaluates and improves individuals.
#pragma once

#include "plugins/pga_grid/device/grids.hpp"

namespace qapfw::pga_grid {

/// Says whether solutions are lists of any segments (kernels/segments.hpp) instead of permutations or layouts. Kernels
/// are compiled with kNever or kAlways. The CPU's code uses kAsRun: the fields of the run decide.
enum class Segmented { kNever, kAlways, kAsRun };

template <Segmented kSegmented, class Cost>
QAPFW_HD bool has_segments(const Grids<Cost>& g) {
    if constexpr (kSegmented == Segmented::kAsRun) return g.segments.count != 0;
    return kSegmented == Segmented::kAlways;
}

/// Copies the elements. One thread makes the whole copy. The CPU uses memcpy, which is faster than a loop; kernels have
/// no memcpy of the C library.
QAPFW_HD void copy_elements(uint16_t* to, const uint16_t* from, uint32_t elements) {
#if defined(__CUDA_ARCH__)
    for (uint32_t v = 0; v < elements; ++v) to[v] = from[v];
#else
    __builtin_memcpy(to, from, elements * sizeof *to);
#endif
}

// The steps of a cell, each made by one thread. `scratch`: a row for this thread alone.

/// Draws a random individual for a cell.
template <class Operators, Segmented kSegmented, class Cost>
QAPFW_HD void draw_cell(const Grids<Cost>& g, uint32_t cell) {
    uint16_t* const individual = g.row(g.solutions, cell);
    if constexpr (kSegmented != Segmented::kNever) {
        if (has_segments<kSegmented>(g)) {
            for (uint32_t v = 0; v < g.rules.values; ++v) individual[v] = g.base[v];
            return kernels::draw_segments(g.segments, reinterpret_cast<uint8_t*>(individual), g.rules.seed, 0,
                                          g.rules.first + cell);
        }
    }
    if constexpr (kSegmented != Segmented::kAlways) {
        kernels::pga_draw<Operators>(g.rules, g.positions, g.base, individual, cell);
    }
}

/// Crosses the cell's selected individual with a mate and puts the child into the cell; returns true. If there is no
/// crossover, puts a copy of the selected individual into the cell and returns false.
template <class Operators, Segmented kSegmented, class Cost, class Less>
QAPFW_HD bool make_child(const Grids<Cost>& g, const Less& less, uint32_t row, uint16_t* scratch, uint32_t cell,
                         uint64_t generation) {
    uint16_t *const child = g.row(g.solutions, cell), *const parent = g.row(g.selected, cell);
    copy_elements(child, parent, row);
    g.costs[cell] = g.selected_costs[cell];
    uint32_t mate = 0;
    kernels::CrossoverDraws draws;
    if (!kernels::pga_has_child(g.rules, g.neighbours, g.selected_costs, less, generation, cell, mate, draws)) {
        return false;
    }
    uint16_t* const father = g.row(g.selected, mate);
    if constexpr (kSegmented != Segmented::kNever) {
        if (has_segments<kSegmented>(g)) {
            const auto bytes = [](uint16_t* solution) { return reinterpret_cast<uint8_t*>(solution); };
            kernels::cross_segments<Operators::kCrossovers>(g.segments, bytes(child), bytes(parent), bytes(father),
                                                            bytes(scratch), g.rules.seed, generation,
                                                            g.rules.first + cell);
            return true;
        }
    }
    if constexpr (kSegmented != Segmented::kAlways) {
        kernels::pga_cross<Operators>(g.rules, g.order, child, parent, father, scratch, draws);
    }
    return true;
}

/// Mutates and transposes a cell, each with its probability, unless the cell holds its grid's best. Returns true if the
/// cell was mutated or transposed.
template <class Operators, Segmented kSegmented, class Cost>
QAPFW_HD bool change_cell(const Grids<Cost>& g, uint16_t* scratch, uint32_t cell, uint64_t generation) {
    if (g.remembered[cell / g.rules.cells] == cell) return false;
    uint16_t* const individual = g.row(g.solutions, cell);
    if constexpr (kSegmented != Segmented::kNever) {
        if (has_segments<kSegmented>(g)) {
            return kernels::pga_change_segments(g.rules, g.segments, individual, generation, cell) > 0;
        }
    }
    if constexpr (kSegmented == Segmented::kAlways) return false;
    const bool mutated =
        kernels::pga_mutate<Operators>(g.rules, g.order, g.base, individual, scratch, generation, cell);
    return kernels::pga_transpose<Operators>(g.rules, g.order, g.base, individual, scratch, generation, cell) ||
           mutated;
}

/// One thread that does the steps of a grid. Kernels use OneWarp instead, a warp with the same member functions.
struct OneThread {
    /// Returns the index of the best of `count` costs from `first` on. `better` compares costs. If several costs are
    /// best, the first of them is taken.
    template <class Cost, class Better>
    QAPFW_HD uint32_t extreme(const Cost* costs, uint32_t first, uint32_t count, const Better& better) const {
        uint32_t found = first;
        for (uint32_t k = first; k < first + count; ++k) {
            if (better(costs[k], costs[found])) found = k;
        }
        return found;
    }
    QAPFW_HD void copy(uint16_t* to, const uint16_t* from, uint32_t elements) const {
        copy_elements(to, from, elements);
    }
    /// Does nothing. In OneWarp, this function waits until all threads have read what is overwritten next.
    QAPFW_HD void wait() const {}
    template <class Work>
    QAPFW_HD void once(const Work& work) const {
        work();
    }
};

/// The steps of the grids on one place (a CPU or GPU). `Less`: the order of costs; `row`: number of elements to copy
/// for a whole solution.
template <class Cost, class Less, class Group = OneThread>
class GridSteps {
  public:
    QAPFW_HD GridSteps(const Grids<Cost>& grids, const Less& order, uint32_t row, Group threads = {})
        : g(grids), less(order), elements(row), group(threads) {}

    QAPFW_HD uint32_t best_cell(uint32_t grid) const {
        return group.extreme(g.costs, grid * g.rules.cells, g.rules.cells, less);
    }
    /// Selects an individual for cell `own`: the better one of the cells `own` and `other`. If both are equally good,
    /// takes the one of `own`.
    QAPFW_HD void take_winner(uint32_t own, uint32_t other) const {
        const uint32_t winner = less(g.costs[other], g.costs[own]) ? other : own;
        group.copy(g.row(g.selected, own), g.row(g.solutions, winner), elements);
        group.once([&] { g.selected_costs[own] = g.costs[winner]; });
    }
    QAPFW_HD void remember_best(uint32_t grid) const {
        const uint32_t best = best_cell(grid);
        group.once([&] { g.remembered[grid] = best; });
    }
    /// Updates a grid's best of all generations.
    QAPFW_HD void keep_best(uint32_t grid, uint64_t generation) const {
        const uint32_t cell = best_cell(grid);
        if (g.best_generations[grid] != kNone && !less(g.costs[cell], g.best_costs[grid])) return;
        group.wait();
        group.copy(g.row(g.best_solutions, grid), g.row(g.solutions, cell), elements);
        group.once([&] {
            g.best_costs[grid] = g.costs[cell];
            g.best_generations[grid] = generation;
            g.best_cells[grid] = g.rules.first + cell;
        });
    }
    QAPFW_HD void emigrate(uint32_t grid) const {
        const uint32_t cell = best_cell(grid), seat = g.first_grid + grid;
        group.copy(g.row(g.emigrants, seat), g.row(g.solutions, cell), elements);
        group.once([&] { g.emigrant_costs[seat] = g.costs[cell]; });
    }
    /// Replaces the worst individual by the newcomer (the best of the preceding grid) if the newcomer costs less. The
    /// grid must not have the newcomer yet.
    QAPFW_HD void take_newcomer(uint32_t grid) const {
        const uint32_t seat = g.grid_before(grid);
        const uint32_t worst =
            group.extreme(g.costs, grid * g.rules.cells, g.rules.cells, [&](Cost a, Cost b) { return less(b, a); });
        if (!less(g.emigrant_costs[seat], g.costs[worst])) return;
        group.wait();
        group.copy(g.row(g.solutions, worst), g.row(g.emigrants, seat), elements);
        group.once([&] { g.costs[worst] = g.emigrant_costs[seat]; });
    }

  private:
    const Grids<Cost>& g;
    const Less& less;
    uint32_t elements;
    Group group;
};

}  // namespace qapfw::pga_grid
