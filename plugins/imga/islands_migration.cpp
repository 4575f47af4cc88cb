// SPDX-License-Identifier: Apache-2.0
// How islands are settled: first individuals, restarts, and migrants.
#include <algorithm>
#include <cstring>
#include <map>
#include <numeric>

#include "plugins/imga/islands.hpp"

namespace qapfw::imga {
namespace {

constexpr std::uint32_t kStartImproverStream = 68;  ///< and 69

}  // namespace

/// The warm starts by cost, no more than there are individuals.
std::vector<std::uint64_t> Islands::order_warm_starts(const sdk::Run& run) const {
    const qapfw_batch& initial = run.initial();
    std::vector<qapfw_cost> costs(initial.count);
    if (initial.count > 0) problem_.evaluate({initial.solutions, costs.data(), initial.count});
    std::vector<std::uint64_t> order(initial.count);
    std::iota(order.begin(), order.end(), std::uint64_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint64_t a, std::uint64_t b) { return problem_.less()(costs[a], costs[b]); });
    order.resize(std::min<std::uint64_t>(order.size(), options_.individuals()));
    return order;
}

bool Islands::populate(const sdk::Run& run) {
    now_.populated = true;
    return fill(order_warm_starts(run), run);
}

/// Looked at where islands meet: at migrations.
bool Islands::restart_due() const {
    const std::uint64_t generation = now_.generation;
    if (options_.restart_after == 0) return false;
    if (options_.migrate_every > 0 && generation % options_.migrate_every != 0) return false;
    const std::uint64_t last = *std::max_element(now_.improved.begin(), now_.improved.end());
    return generation - last >= options_.restart_after;
}

bool Islands::restart(const sdk::Run& run) {
    ++now_.restarts;
    return fill({}, run);
}

/// New individuals everywhere; warm start w goes to island w mod N.
bool Islands::fill(const std::vector<std::uint64_t>& warm, const sdk::Run& run) {
    std::fill(ready_.begin(), ready_.end(), std::uint8_t{0});
    bool complete = for_all_parts(run, [&](const Part& part, std::uint32_t worker) { draw(part, warm, worker, run); });
    for (std::uint64_t k = 0; k < options_.individuals(); ++k) {
        if (ready_[k] != 0) continue;  // cut short: who is missing is reported as individual 0
        std::memcpy(parent(k), parent(0), bytes_);
        now_.costs[k] = now_.costs[0];
    }
    if (improvers_ && complete) {
        qapfw_improve_request request =
            run.improve_request(static_cast<std::uint32_t>(now_.generation), kStartImproverStream);
        request.first_individual = options_.first_individual();
        scratch_[0].evaluations +=
            improvers_.improve_all({now_.solutions.data(), now_.costs.data(), options_.individuals()}, request);
        complete = !run.should_stop();
    }
    for (std::uint32_t island = 0; island < options_.islands; ++island) {
        const std::uint64_t first = number(island, 0);
        now_.present_best[island] = now_.costs[first];
        now_.improved[island] = now_.generation;
        if (now_.generation == 0) take_best(island, parent(first), now_.costs[first], 0);
        keep_best(island, now_.generation);
    }
    return complete;
}

void Islands::draw(const Part& part, const std::vector<std::uint64_t>& warm, std::uint32_t worker,
                   const sdk::Run& run) {
    Scratch& scratch = scratch_[worker];
    const std::uint64_t first = number(part.island, part.first), last = number(part.island, part.last);
    with_solutions([&](const auto& view) {
        for (std::uint64_t k = first; k < last; ++k) {
            std::memcpy(parent(k), base_.data(), bytes_);
            kernels::island_draw(options_.rules, view(parent(k)), scratch.positions.data(), now_.generation,
                                 individual(k));
        }
    });
    for (std::uint32_t member = part.first; member < part.last; ++member) {
        const std::uint64_t w = std::uint64_t{member} * options_.islands + part.island;
        if (w >= warm.size()) break;
        const void* const from = sdk::solution_at(static_cast<const void*>(run.initial().solutions), bytes_, warm[w]);
        std::memcpy(parent(number(part.island, member)), from, bytes_);
    }
    problem_.evaluate({parent(first), now_.costs.data() + first, last - first});
    scratch.evaluations += last - first;
    std::fill_n(ready_.begin() + static_cast<std::ptrdiff_t>(first), last - first, std::uint8_t{1});
}

/// Emigrants are copied before any of them arrives, so that the order of the islands does not matter.
void Islands::migrate(const sdk::Run& run) {
    if (options_.islands > 1) {
        Travellers travellers{std::vector<unsigned char>(bytes_ * options_.islands * options_.migrants),
                              std::vector<qapfw_cost>(std::size_t{options_.islands} * options_.migrants)};
        host_.parallel_for(options_.islands, [&](std::uint64_t island, std::uint32_t) {
            invite(static_cast<std::uint32_t>(island), run, travellers);
        });
        host_.parallel_for(options_.islands, [&](std::uint64_t island, std::uint32_t) {
            const std::uint64_t first = island * options_.migrants;
            settle(static_cast<std::uint32_t>(island),
                   {travellers.solutions.data() + first * bytes_, travellers.costs.data() + first, options_.migrants});
        });
    }
    swap_with_processes(run);
}

/// Copies those that are to come to the island.
void Islands::invite(std::uint32_t island, const sdk::Run& run, Travellers& travellers) const {
    const std::uint64_t migration = now_.generation / options_.migrate_every;
    std::uint64_t seat = std::uint64_t{island} * options_.migrants;
    const Sources from = sources(options_.topology, options_.islands, island, run.seed(), now_.generation);
    const std::uint32_t deepest = (options_.migrants - 1) / from.size() + 1;
    std::map<std::uint32_t, std::vector<std::uint32_t>> best;  // of each source
    for (const Immigrant& one : immigrants(from, options_.migrants, migration)) {
        const auto [members, is_new] = best.try_emplace(one.source);
        if (is_new) members->second = ranked(now_.costs, one.source, deepest, false);
        const std::uint64_t k = number(one.source, members->second[one.rank]);
        std::memcpy(travellers.solutions.data() + seat * bytes_, now_.solutions.data() + k * bytes_, bytes_);
        travellers.costs[seat++] = now_.costs[k];
    }
}

/// Immigrants take the places of the worst; with replacement "distinct" only those better than the worst whose cost
/// the island does not have.
void Islands::settle(std::uint32_t island, const qapfw_batch& newcomers) {
    const auto count = static_cast<std::uint32_t>(newcomers.count);
    const std::vector<std::uint32_t> places = ranked(now_.costs, island, count, true);
    std::uint32_t taken = 0;
    for (std::uint32_t m = 0; m < count; ++m) {
        const std::uint64_t to = number(island, places[taken]);
        if (options_.distinct && !is_welcome(island, newcomers.costs[m], now_.costs[to])) continue;
        std::memcpy(parent(to), sdk::solution_at(newcomers.solutions, bytes_, m), bytes_);
        now_.costs[to] = newcomers.costs[m];
        ++taken;
    }
    keep_best(island, now_.generation);
}

bool Islands::is_welcome(std::uint32_t island, qapfw_cost cost, qapfw_cost worst) const {
    const auto first = now_.costs.begin() + static_cast<std::ptrdiff_t>(number(island, 0));
    return problem_.less()(cost, worst) &&
           std::none_of(first, first + options_.size(), [&](qapfw_cost own) { return equal(own, cost); });
}

/// With several processes the best of the last island also go to the first island of the next process on the ring.
void Islands::swap_with_processes(const sdk::Run& run) {
    if (run.exchange() == nullptr || run.exchange()->size < 2) return;
    const std::uint32_t last = options_.islands - 1;
    std::vector<unsigned char> leaving(options_.migrants * bytes_), arriving(leaving.size());
    std::vector<qapfw_cost> leaving_costs(options_.migrants), arriving_costs(options_.migrants);
    const std::vector<std::uint32_t> best = ranked(now_.costs, last, options_.migrants, false);
    for (std::uint32_t m = 0; m < options_.migrants; ++m) {
        std::memcpy(leaving.data() + m * bytes_, parent(number(last, best[m])), bytes_);
        leaving_costs[m] = now_.costs[number(last, best[m])];
    }
    const qapfw_batch out{leaving.data(), leaving_costs.data(), options_.migrants};
    qapfw_batch in{arriving.data(), arriving_costs.data(), options_.migrants};
    sdk::check(run.exchange()->ring(run.exchange()->context, &out, &in), "exchange: ring");
    settle(0, in);
}

}  // namespace qapfw::imga
