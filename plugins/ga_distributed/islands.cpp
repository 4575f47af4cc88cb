// SPDX-License-Identifier: Apache-2.0
#include "plugins/ga_distributed/islands.hpp"

#include <algorithm>

#include "qapfw/kernels/ga_exchange.hpp"

namespace qapfw::ga_distributed {

Individuals::Individuals(const IslandOptions& options, std::uint64_t stride)
    : solutions(stride * options.individuals()), costs(options.individuals()), found(options.individuals()) {}

void Individuals::save(sdk::Writer& writer) const {
    writer.array(solutions);
    writer.array(costs);
    writer.array(found);
}

void Individuals::load(sdk::Reader& reader) {
    reader.array(solutions, solutions.size());
    reader.array(costs, costs.size());
    reader.array(found, found.size());
}

void exchange(const Individuals& from, Individuals& to, const IslandOptions& options, std::uint64_t generation,
              std::uint32_t moved) {
    const std::uint64_t stride = from.solutions.size() / from.costs.size();
    const kernels::RandomBijection places =
        kernels::random_bijection(options.rules.seed, generation, kernels::kGaExchangeStream, options.individuals());
    to = from;
    for (std::uint32_t k = 0; k < moved; ++k) {
        const kernels::GaMove move = kernels::ga_move(places, k, moved);
        std::copy_n(from.solutions.data() + move.from * stride, stride, to.solutions.data() + move.to * stride);
        to.costs[move.to] = from.costs[move.from];
        to.found[move.to] = from.found[move.from];
    }
}

}  // namespace qapfw::ga_distributed
