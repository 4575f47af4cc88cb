// SPDX-License-Identifier: Apache-2.0
// The steps of one island of the island model GA. One code for a thread of the CPU and for the threads of a GPU, with
// the same result. A team knows how to compare costs, order individuals and split work; imga_host.cpp and islands.cuh
// define teams. All threads of a team call a step together.
#pragma once

#include "plugins/imga/device/islands.hpp"

namespace qapfw::imga {

template <class Cost, class Team>
class IslandSteps {
  public:
    QAPFW_HD IslandSteps(const Islands<Cost>& islands, uint32_t number, const Team& threads = {})
        : all(islands), island(number), size(islands.size()), first(uint64_t{number} * islands.size()), team(threads) {}

    /// Sets the island's best costs after the island got new individuals: in generation 0, or by a restart.
    QAPFW_HD void begin(uint64_t generation) const {
        team.once([&] {
            all.present_best[island] = all.costs[first];
            all.improved[island] = generation;
            if (generation > 0) ++all.restarts[island];
        });
        if (generation == 0) take_best(all.parents, all.costs, first, 0);
        keep_best(all.parents, all.costs, generation);
    }

    /// Updates the island's least cost since its last restart, and its best solution of the run. `solutions` and
    /// `costs` have the island's new population.
    QAPFW_HD void keep_best(const uint8_t* solutions, const Cost* costs, uint64_t generation) const {
        const uint64_t best = first + team.best(costs + first, size);
        const bool improves = team.less(costs[best], all.present_best[island]);
        const bool is_record = team.less(costs[best], all.best_costs[island]);
        team.once([&] {
            if (!improves) return;
            all.present_best[island] = costs[best];
            all.improved[island] = generation;
        });
        if (is_record) take_best(solutions, costs, best, generation);
    }

    /// The best parents replace the worst children. The caller then replaces all parents by the children.
    QAPFW_HD void let_elites_live() const {
        uint32_t *const elites = all.sorted + 2 * first, *const places = elites + all.elites;
        team.parts(2, [&](uint32_t part) {
            if (part == 0)
                team.template first_by_cost<false>(all.costs + first, size, elites, all.elites);
            else
                team.template first_by_cost<true>(all.child_costs + first, size, places, all.elites);
        });
        team.parts(all.elites, [&](uint32_t e) {
            const uint64_t place = first + places[e], elite = first + elites[e];
            team.copy(all.children + place * all.bytes, all.parents + elite * all.bytes, all.bytes);
            if (team.leads_part()) all.child_costs[place] = all.costs[elite];
        });
    }

    /// Copies the children and their costs over the parents. Only the CPU does this: on GPUs the arrays are swapped.
    QAPFW_HD void take_children() const {
        team.copy(all.parents + first * all.bytes, all.children + first * all.bytes, size * all.bytes);
        for (uint64_t k = first; k < first + size; ++k) all.costs[k] = all.child_costs[k];
    }

    /// Keeps the best of the parents and children. If several individuals have equal costs, keeps only one: a parent
    /// rather than a child. If this leaves positions empty, the best of the other individuals fill these positions. A
    /// kept parent stays at its position.
    QAPFW_HD void take_best_distinct() const {
        uint32_t* const sorted = all.sorted + 2 * first;
        uint8_t* const lives = all.lives + 2 * first;
        const auto cost = [&](uint32_t c) {
            return c < size ? all.costs[first + c] : all.child_costs[first + c - size];
        };
        team.sort(cost, sorted, 2 * size);
        team.once([&] {
            choose_distinct(cost, sorted, lives);
            fill_positions(lives, sorted);
        });
        team.parts(size, [&](uint32_t position) {
            const uint32_t from = sorted[position];
            if (from == position) return;
            put(first + position, all.children + (first + from - size) * all.bytes,
                all.child_costs[first + from - size]);
        });
    }

    /// Copies the island's best individuals to the emigrants, the best first.
    QAPFW_HD void show_best() const {
        uint32_t* const best = all.sorted + 2 * first;
        const uint64_t seat = uint64_t{all.first_island + island} * all.migration.emigrants;
        team.template first_by_cost<false>(all.costs + first, size, best, all.migration.emigrants);
        for (uint32_t rank = 0; rank < all.migration.emigrants; ++rank) {
            const uint64_t member = first + best[rank];
            team.copy(all.emigrants.solutions + (seat + rank) * all.bytes, all.parents + member * all.bytes, all.bytes);
            if (team.leads_part()) all.emigrants.costs[seat + rank] = all.costs[member];
        }
    }

    /// Immigrants replace the worst individuals. If costs must be distinct, immigrants for which is_welcome is false
    /// are ignored.
    QAPFW_HD void take_immigrants(uint64_t generation) const {
        const kernels::IslandSources sources = all.sources(island, generation);
        uint32_t* const worst = all.sorted + 2 * first;
        team.template first_by_cost<true>(all.costs + first, size, worst, all.migration.migrants);
        uint32_t taken = 0;
        for (uint32_t m = 0; m < all.migration.migrants; ++m) {
            const uint64_t from = all.immigrant(sources, generation, m), to = first + worst[taken];
            const Cost cost = all.emigrants.costs[from];
            if (all.distinct != 0 && !is_welcome(cost, all.costs[to])) continue;
            team.sync();
            put(to, all.emigrants.solutions + from * all.bytes, cost);
            team.sync();
            ++taken;
        }
        keep_best(all.parents, all.costs, generation);
    }

  private:
    QAPFW_HD void take_best(const uint8_t* solutions, const Cost* costs, uint64_t k, uint64_t generation) const {
        team.copy(all.best_solutions + island * all.bytes, solutions + k * all.bytes, all.bytes);
        team.once([&] {
            all.best_costs[island] = costs[k];
            all.best_found[island] = generation;
        });
    }
    /// Writes solution and cost of individual k. Called by a part of the team: a warp, or on the CPU the only thread.
    QAPFW_HD void put(uint64_t k, const uint8_t* solution, Cost cost) const {
        team.copy(all.parents + k * all.bytes, solution, all.bytes);
        if (team.leads_part()) all.costs[k] = cost;
    }
    /// True if a newcomer costs less than the individual that it would replace (`worst`), and no individual of the
    /// island has the newcomer's cost.
    QAPFW_HD bool is_welcome(Cost newcomer, Cost worst) const {
        return team.less(newcomer, worst) &&
               !team.any(size, [&](uint32_t k) { return team.equal(all.costs[first + k], newcomer); });
    }
    /// Marks the candidates that survive. The first `size` candidates are the parents, the other `size` candidates the
    /// children. `sorted` has the candidates' numbers by rising costs. Called by one thread.
    template <class CostOf>
    QAPFW_HD void choose_distinct(const CostOf& cost, const uint32_t* sorted, uint8_t* lives) const {
        for (uint32_t c = 0; c < 2 * size; ++c) lives[c] = 0;
        uint32_t living = 0;
        for (uint32_t c = 0; c < 2 * size && living < size; ++c) {
            if (c > 0 && team.equal(cost(sorted[c - 1]), cost(sorted[c]))) continue;
            lives[sorted[c]] = 1;
            ++living;
        }
        for (uint32_t c = 0; living < size; ++c) {
            if (lives[sorted[c]] != 0) continue;
            lives[sorted[c]] = 1;
            ++living;
        }
    }
    /// Finds the candidate that gets each position. A parent that survives keeps its position. The other positions go
    /// to the surviving children, in order. Called by one thread.
    QAPFW_HD void fill_positions(const uint8_t* lives, uint32_t* candidates) const {
        uint32_t next = size;
        for (uint32_t position = 0; position < size; ++position) {
            candidates[position] = position;
            if (lives[position] != 0) continue;
            while (lives[next] == 0) ++next;
            candidates[position] = next++;
        }
    }

    const Islands<Cost>& all;
    const uint32_t island, size;
    const uint64_t first;
    const Team team;
};

}  // namespace qapfw::imga
