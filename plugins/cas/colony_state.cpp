// SPDX-License-Identifier: Apache-2.0
#include "plugins/cas/colony_state.hpp"

#include <algorithm>
#include <cstring>

#include "qapfw/kernels/digest.hpp"
#include "qapfw/kernels/random_permutation.hpp"
#include "qapfw/sdk/free_positions.hpp"

namespace qapfw::cas {
ColonyState::ColonyState(const CasOptions& options, std::uint64_t solution_bytes)
    : bytes(solution_bytes),
      ants(options.ants()),
      colonies(options.colonies),
      solutions(solution_bytes * options.all_ants()),
      costs(options.all_ants()),
      found(options.all_ants()),
      trail(options.trail_size() * options.colonies),
      references(options.colonies) {}

void ColonyState::save(sdk::Writer& writer) const {
    writer.array(solutions);
    writer.array(costs);
    writer.array(found);
    writer.array(trail);
    writer.array(references);
}

void ColonyState::load(sdk::Reader& reader) {
    reader.array(solutions, solutions.size());
    reader.array(costs, costs.size());
    reader.array(found, found.size());
    reader.array(trail, trail.size());
    reader.array(references, references.size());
}

bool begin_first(const sdk::ProblemRef& problem, const std::vector<unsigned char>& warm, std::uint32_t k,
                 void* solution) {
    const std::uint64_t bytes = problem.solution_bytes();
    const bool given = (k + std::uint64_t{1}) * bytes <= warm.size();
    if (given)
        std::memcpy(solution, sdk::solution_at(warm.data(), bytes, k), bytes);
    else
        sdk::base_solution(problem, solution);
    return given;
}

void sample_first(const CasOptions& options, const sdk::ProblemRef& problem, const std::vector<unsigned char>& warm,
                  std::uint32_t k, void* solution) {
    if (begin_first(problem, warm, k, solution)) return;
    kernels::shuffle(sdk::permutation_of(solution), options.free.data(),
                     static_cast<std::uint32_t>(options.free.size()), options.seed, 0, options.first_ant() + k,
                     kernels::kFirstAntStream);
}

std::uint32_t best_ant(const qapfw_cost* costs, const std::uint64_t* found, std::uint32_t first, std::uint32_t count) {
    std::uint32_t best = first;
    for (std::uint32_t k = first + 1; k < first + count; ++k) {
        if (costs[k].i < costs[best].i || (costs[k].i == costs[best].i && found[k] < found[best])) best = k;
    }
    return best;
}

Champion champion(const ColonyState& state, std::uint32_t colony) {
    const std::uint32_t best = best_ant(state.costs.data(), state.found.data(), colony * state.ants, state.ants);
    const auto* bytes = static_cast<const unsigned char*>(state.solution(best));
    return {{bytes, bytes + state.bytes}, state.cost(best), state.found[best], best};
}

void immigrate(ColonyState& state, std::uint32_t colony, const Champion& newcomer) {
    std::uint32_t worst = colony * state.ants;
    for (std::uint32_t k = worst; k < (colony + 1) * state.ants; ++k) {
        if (std::memcmp(state.solution(k), newcomer.solution.data(), state.bytes) == 0) return;
        if (state.cost(k) > state.cost(worst)) worst = k;
    }
    if (newcomer.cost >= state.cost(worst)) return;
    std::memcpy(state.solution(worst), newcomer.solution.data(), state.bytes);
    state.costs[worst].i = newcomer.cost;
    state.found[worst] = newcomer.found;
}

void exchange_on_ring(ColonyState& state, const Champion& newcomer) {
    std::vector<Champion> champions{newcomer};
    for (std::uint32_t c = 0; c + 1 < state.colonies; ++c) champions.push_back(champion(state, c));
    for (std::uint32_t c = 0; c < state.colonies; ++c) immigrate(state, c, champions[c]);
}

std::uint64_t digest(const ColonyState& state, const CasOptions& options, std::uint64_t iterations) {
    const std::uint32_t all = options.all_ants();
    std::uint64_t sum = 0;
    for (std::uint32_t k = 0; k < all; ++k) {
        const std::uint64_t solution = kernels::digest_solution(sdk::permutation_of(state.solution(k)), options.values);
        sum += kernels::digest_in_round(k, kernels::digest_search(solution, state.cost(k), state.cost(k), iterations));
    }
    for (std::uint64_t k = 0; k < state.trail.size(); ++k) sum += kernels::digest_trail(k, state.trail[k]);
    return sum;
}

}  // namespace qapfw::cas
