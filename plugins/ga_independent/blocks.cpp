// SPDX-License-Identifier: Apache-2.0
#include "plugins/ga_independent/blocks.hpp"

#include <algorithm>
#include <numeric>

namespace qapfw::ga_independent {

BlockState::BlockState(const BlockOptions& options, std::uint64_t stride)
    : BlockBests{std::vector<std::uint16_t>(stride * options.blocks), std::vector<qapfw_cost>(options.blocks),
                 std::vector<std::uint64_t>(options.blocks, kNotFound), std::vector<std::uint64_t>(options.blocks),
                 std::vector<std::uint64_t>(options.blocks)},
      solutions(stride * options.individuals()),
      costs(options.individuals()),
      found(options.individuals()) {}

void BlockState::keep_best(std::uint32_t block, std::uint32_t size, const sdk::CostLess& less) {
    const std::uint64_t stride = best_solutions.size() / best_costs.size();
    const std::uint32_t k = kernels::ga_best(costs.data(), found.data(), less, block * size, size);
    if (best_found[block] != kNotFound && !less(costs[k], best_costs[block])) return;
    std::copy_n(solutions.data() + k * stride, stride, best_solutions.data() + block * stride);
    best_costs[block] = costs[k];
    best_found[block] = found[k];
}

void BlockState::save(sdk::Writer& writer) const {
    writer.array(solutions);
    writer.array(costs);
    writer.array(found);
    writer.array(best_solutions);
    writer.array(best_costs);
    writer.array(best_found);
    writer.array(restarts);
}

void BlockState::load(sdk::Reader& reader) {
    reader.array(solutions, solutions.size());
    reader.array(costs, costs.size());
    reader.array(found, found.size());
    reader.array(best_solutions, best_solutions.size());
    reader.array(best_costs, best_costs.size());
    reader.array(best_found, best_found.size());
    reader.array(restarts, restarts.size());
}

std::uint64_t Blocks::evaluations() const {
    return std::accumulate(bests().evaluations.begin(), bests().evaluations.end(), std::uint64_t{0});
}

std::uint64_t Blocks::restarts() const {
    return std::accumulate(bests().restarts.begin(), bests().restarts.end(), std::uint64_t{0});
}

std::uint32_t Blocks::leader(const sdk::CostLess& less) const {
    const auto blocks = static_cast<std::uint32_t>(bests().best_costs.size());
    return kernels::ga_best(bests().best_costs.data(), bests().best_found.data(), less, 0, blocks);
}

const void* Blocks::best_solution(std::uint32_t block) const {
    const BlockBests& all = bests();
    return all.best_solutions.data() + block * (all.best_solutions.size() / all.best_costs.size());
}

}  // namespace qapfw::ga_independent
