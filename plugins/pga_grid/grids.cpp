// SPDX-License-Identifier: Apache-2.0
#include "plugins/pga_grid/grids.hpp"

#include "qapfw/sdk/free_positions.hpp"

namespace qapfw::pga_grid {

kernels::PgaRules GridOptions::rules(const sdk::ProblemRef& problem) const {
    return {seed,
            shape.cells(),
            first_individual(),
            static_cast<std::uint32_t>(sdk::free_positions(problem).size()),
            problem.length(),
            crossover,
            mutation,
            transposition,
            topology == Topology::kRandom ? 1u : 0u};
}

void GridState::save(sdk::Writer& writer) const {
    writer.value(generation);
    writer.value(populated);
    if (!populated) return;
    writer.array(solutions);
    writer.array(costs);
    writer.array(best.solution);
    writer.value(best.cost);
    writer.value(best.generation);
    writer.value(best.cell);
}

void GridState::load(sdk::Reader& reader, std::uint64_t cells, std::uint64_t solution_bytes) {
    generation = reader.value<std::uint64_t>();
    populated = reader.value<bool>();
    if (!populated) return;
    reader.array(solutions, cells * solution_bytes);
    reader.array(costs, cells);
    reader.array(best.solution, solution_bytes);
    best.cost = reader.value<qapfw_cost>();
    best.generation = reader.value<std::uint64_t>();
    best.cell = reader.value<std::uint64_t>();
}

}  // namespace qapfw::pga_grid
