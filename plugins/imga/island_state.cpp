// SPDX-License-Identifier: Apache-2.0
#include "plugins/imga/island_state.hpp"

namespace qapfw::imga {

void IslandState::resize(std::uint64_t islands, std::uint64_t size, std::uint64_t solution_bytes) {
    solutions.resize(islands * size * solution_bytes);
    costs.resize(islands * size);
    best_solutions.resize(islands * solution_bytes);
    best_costs.resize(islands);
    best_found.resize(islands);
    present_best.resize(islands);
    improved.resize(islands);
}

void IslandState::save(sdk::Writer& writer) const {
    writer.value(generation);
    writer.value(restarts);
    writer.value(populated);
    if (!populated) return;
    writer.array(solutions);
    writer.array(costs);
    writer.array(best_solutions);
    writer.array(best_costs);
    writer.array(best_found);
    writer.array(present_best);
    writer.array(improved);
}

void IslandState::load(sdk::Reader& reader) {
    generation = reader.value<std::uint64_t>();
    restarts = reader.value<std::uint64_t>();
    populated = reader.value<bool>();
    if (!populated) return;
    reader.array(solutions, solutions.size());
    reader.array(costs, costs.size());
    reader.array(best_solutions, best_solutions.size());
    reader.array(best_costs, best_costs.size());
    reader.array(best_found, best_found.size());
    reader.array(present_best, present_best.size());
    reader.array(improved, improved.size());
}

}  // namespace qapfw::imga
