// SPDX-License-Identifier: Apache-2.0
// How islands of CpuIslands are settled: first individuals, restarts, and migrants.
#include <algorithm>
#include <cstring>
#include <map>

#include "plugins/imga/cpu_islands.hpp"

namespace qapfw::imga {

/// New individuals everywhere; warm start w goes to island w mod N.
bool CpuIslands::fill(const std::vector<unsigned char>& warm, const sdk::Run& run) {
    std::fill(ready_.begin(), ready_.end(), std::uint8_t{0});
    bool complete = for_all_parts(run, [&](const Part& part, std::uint32_t worker) { draw(part, warm, worker); });
    for (std::uint64_t k = 0; k < options_.individuals(); ++k) {
        if (ready_[k] != 0) continue;  // cut short: who is missing is reported as individual 0
        std::memcpy(parent(k), parent(0), bytes_);
        state_.costs[k] = state_.costs[0];
    }
    if (improvers_ && complete) {
        qapfw_improve_request request =
            run.improve_request(static_cast<std::uint32_t>(state_.generation), kStartImproverStream);
        request.first_individual = options_.first_individual();
        scratch_[0].evaluations +=
            improvers_.improve_all({state_.solutions.data(), state_.costs.data(), options_.individuals()}, request);
        complete = !run.should_stop();
    }
    for (std::uint32_t island = 0; island < options_.islands; ++island) {
        const std::uint64_t first = number(island, 0);
        state_.present_best[island] = state_.costs[first];
        state_.improved[island] = state_.generation;
        if (state_.generation == 0) take_best(island, parent(first), state_.costs[first], 0);
        keep_best(island, state_.generation);
    }
    return complete;
}

void CpuIslands::draw(const Part& part, const std::vector<unsigned char>& warm, std::uint32_t worker) {
    Scratch& scratch = scratch_[worker];
    const std::uint64_t first = number(part.island, part.first), last = number(part.island, part.last);
    with_solutions([&](const auto& view) {
        for (std::uint64_t k = first; k < last; ++k) {
            std::memcpy(parent(k), fixed_.base.data(), bytes_);
            kernels::island_draw(options_.rules, view(parent(k)), scratch.positions.data(), state_.generation,
                                 individual(k));
        }
    });
    for (std::uint32_t member = part.first; member < part.last; ++member) {
        const std::uint64_t w = std::uint64_t{member} * options_.islands + part.island;
        if (w * bytes_ >= warm.size()) break;
        std::memcpy(parent(number(part.island, member)), warm.data() + w * bytes_, bytes_);
    }
    problem_.evaluate({parent(first), state_.costs.data() + first, last - first});
    scratch.evaluations += last - first;
    std::fill_n(ready_.begin() + static_cast<std::ptrdiff_t>(first), last - first, std::uint8_t{1});
}

/// Emigrants are copied before any of them arrives, so that the order of the islands does not matter.
void CpuIslands::migrate(const sdk::Run& run) {
    if (options_.islands > 1) {
        Travellers travellers(std::uint64_t{options_.islands} * options_.migrants, bytes_);
        host_.parallel_for(options_.islands, [&](std::uint64_t island, std::uint32_t) {
            invite(static_cast<std::uint32_t>(island), travellers);
        });
        host_.parallel_for(options_.islands, [&](std::uint64_t island, std::uint32_t) {
            const std::uint64_t first = island * options_.migrants;
            settle(static_cast<std::uint32_t>(island),
                   {travellers.solutions.data() + first * bytes_, travellers.costs.data() + first, options_.migrants});
        });
    }
    if (has_other_processes(run)) exchange_with_processes(run);
}

/// Copies those that are to come to the island.
void CpuIslands::invite(std::uint32_t island, Travellers& travellers) const {
    const std::uint64_t migration = state_.generation / options_.migrate_every;
    const std::uint32_t of_each = kernels::island_emigrants(options_.topology, options_.islands, options_.migrants);
    const kernels::IslandSources from = kernels::island_sources(options_.topology, options_.islands, island,
                                                                options_.rules.tournament.seed, state_.generation);
    std::map<std::uint32_t, std::vector<std::uint32_t>> best;  // of each source
    for (std::uint32_t m = 0; m < options_.migrants; ++m) {
        const kernels::IslandImmigrant one = kernels::island_immigrant(from, options_.migrants, migration, m);
        const auto [members, is_new] = best.try_emplace(one.source);
        if (is_new) members->second = ranked(state_.costs, one.source, of_each, false);
        const std::uint64_t k = number(one.source, members->second[one.rank]);
        const std::uint64_t seat = std::uint64_t{island} * options_.migrants + m;
        std::memcpy(travellers.solutions.data() + seat * bytes_, parent(k), bytes_);
        travellers.costs[seat] = state_.costs[k];
    }
}

/// Immigrants take the places of the worst; with replacement "distinct" only those better than the worst whose cost
/// the island does not have.
void CpuIslands::settle(std::uint32_t island, const qapfw_batch& newcomers) {
    const auto count = static_cast<std::uint32_t>(newcomers.count);
    const std::vector<std::uint32_t> places = ranked(state_.costs, island, count, true);
    std::uint32_t taken = 0;
    for (std::uint32_t m = 0; m < count; ++m) {
        const std::uint64_t to = number(island, places[taken]);
        if (options_.distinct && !is_welcome(island, newcomers.costs[m], state_.costs[to])) continue;
        std::memcpy(parent(to), sdk::solution_at(newcomers.solutions, bytes_, m), bytes_);
        state_.costs[to] = newcomers.costs[m];
        ++taken;
    }
    keep_best(island, state_.generation);
}

bool CpuIslands::is_welcome(std::uint32_t island, qapfw_cost cost, qapfw_cost worst) const {
    const auto first = state_.costs.begin() + static_cast<std::ptrdiff_t>(number(island, 0));
    return problem_.less()(cost, worst) &&
           std::none_of(first, first + options_.size(), [&](qapfw_cost own) { return equal(own, cost); });
}

/// The best of the last island also go to the first island of the next process on the ring.
void CpuIslands::exchange_with_processes(const sdk::Run& run) {
    const std::uint32_t last = options_.islands - 1;
    Travellers leaving(options_.migrants, bytes_), arriving(options_.migrants, bytes_);
    const std::vector<std::uint32_t> best = ranked(state_.costs, last, options_.migrants, false);
    for (std::uint32_t m = 0; m < options_.migrants; ++m) {
        std::memcpy(leaving.solutions.data() + m * bytes_, parent(number(last, best[m])), bytes_);
        leaving.costs[m] = state_.costs[number(last, best[m])];
    }
    swap_with_processes(run, leaving, arriving);
    settle(0, arriving.batch());
}

}  // namespace qapfw::imga
