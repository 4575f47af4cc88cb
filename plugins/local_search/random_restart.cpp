// SPDX-License-Identifier: Apache-2.0
#include "plugins/local_search/random_restart.hpp"

#include <algorithm>

#include "qapfw/kernels/digest.hpp"
#include "qapfw/kernels/random_permutation.hpp"
#include "qapfw/sdk/free_positions.hpp"

namespace qapfw::local_search {
namespace {

constexpr std::uint32_t kStartStream = 80;
constexpr std::uint32_t kBitsStream = 81;
constexpr std::uint32_t kImproverStream = 64;

}  // namespace

Restarts::Restarts(const sdk::SolverContext& context)
    : problem_(context.problem),
      batch_(static_cast<std::uint32_t>(context.parameters.integer("batch"))),
      free_(sdk::free_positions(problem_)) {}

void Restarts::prepare(Host& steps) const {
    const std::uint64_t count = steps.shard().individuals();
    here_.solutions = std::make_unique_for_overwrite<unsigned char[]>(problem_.solution_bytes() * count);
    here_.costs = std::make_unique_for_overwrite<qapfw_cost[]>(count);
    here_.drawn.assign(count, 0);
    steps.place().improvers().prepare(count);
}

bool Restarts::needs_one(Host& steps) const {
    return !best_.exists() && steps.shard().first_group == 0 && steps.shard().groups > 0;
}

bool Restarts::draw_batch(Host& steps, std::uint64_t generation) {
    const bool needs_first = needs_one(steps);
    steps.settings().host.parallel_for(here_.drawn.size(), [&](std::uint64_t k, std::uint32_t) {
        here_.drawn[k] = (k == 0 && needs_first) || !steps.run().should_stop() ? 1 : 0;
        if (here_.drawn[k] != 0) draw_solution(steps, static_cast<std::uint32_t>(k), generation);
    });
    const auto drawn = static_cast<std::uint64_t>(std::count(here_.drawn.begin(), here_.drawn.end(), std::uint8_t{1}));
    steps.count(0, drawn);
    return drawn == here_.drawn.size();
}

void Restarts::draw_solution(Host& steps, std::uint32_t k, std::uint64_t generation) {
    const std::uint32_t number = steps.shard().first_individual() + k;
    void* solution = sdk::solution_at(here_.solutions.get(), problem_.solution_bytes(), k);
    if (generation == 0 && number < steps.settings().warm_count()) {
        steps.begin_with(solution, k);
    } else {
        sdk::base_solution(problem_, solution);
        kernels::shuffle(sdk::permutation_of(solution), free_.data(), static_cast<std::uint32_t>(free_.size()),
                         steps.run().seed(), generation, number, kStartStream);
        draw_bits(solution, steps.run().seed(), generation, number);
    }
    problem_.evaluate({solution, &here_.costs[k], 1});
    here_.drawn[k] = 1;
}

/// Sets random bits. How many are 1 is drawn for each solution, from none to 2 sqrt(n) of n on average, since layouts
/// of n departments have from one to a few sqrt(n) bays. Improvers that make swaps keep the bits, so no other bits are
/// tried.
void Restarts::draw_bits(void* solution, std::uint64_t seed, std::uint64_t generation, std::uint32_t individual) const {
    for (std::uint32_t s = 1; s < problem_.encoding().segment_count; ++s) {
        const qapfw_segment& segment = problem_.encoding().segments[s];
        auto* bits = static_cast<std::uint8_t*>(solution) + segment.offset;
        const auto word = [&](std::uint32_t slot) {
            return kernels::draw(seed, generation, individual, kBitsStream + s - 1, slot);
        };
        std::uint32_t root = 1;
        while (root * root < segment.length + 1) ++root;
        const std::uint32_t ones = kernels::below(word(segment.length), 2 * root);
        for (std::uint32_t k = 0; k < segment.length; ++k) {
            bits[k] = kernels::below(word(k), segment.length + 1) < ones ? 1 : 0;
        }
    }
}

bool Restarts::improve_batch(Host& steps, std::uint64_t generation) {
    if (steps.improves()) {
        qapfw_improve_request request =
            steps.run().improve_request(static_cast<std::uint32_t>(generation), kImproverStream);
        request.first_individual = steps.shard().first_individual();
        const qapfw_batch batch{here_.solutions.get(), here_.costs.get(), here_.drawn.size()};
        steps.count(0, steps.place().improvers().improve_all(batch, request));
    }
    return !steps.run().should_stop();
}

sdk::Leader Restarts::best_of_batch(Host& steps, std::uint64_t generation) const {
    const sdk::CostLess less = problem_.less();
    std::size_t best = here_.drawn.size();
    for (std::size_t k = 0; k < here_.drawn.size(); ++k) {
        if (here_.drawn[k] == 0) continue;
        if (best == here_.drawn.size() || less(here_.costs[k], here_.costs[best])) best = k;
    }
    if (best == here_.drawn.size()) return {};
    const auto* at = static_cast<const unsigned char*>(
        sdk::solution_at(static_cast<const void*>(here_.solutions.get()), problem_.solution_bytes(), best));
    return {
        {at, at + problem_.solution_bytes()}, here_.costs[best], generation, steps.shard().first_individual() + best};
}

/// Generations of the framework's count from 1, those of draws and reports from 0.
sdk::RoundReport Restarts::look(Host& steps, std::uint64_t t, bool complete) {
    sdk::RoundReport report;
    if (!complete) {
        if (needs_one(steps) && here_.drawn[0] == 0) {
            draw_solution(steps, 0, t);
            steps.count(0, 1);
        }
        report.leader = best_of_batch(steps, t);
        if (best_.leads(report.leader, problem_.less())) report.leader = best_;
        return report;
    }
    report.leader = best_;
    for (std::size_t k = 0; k < here_.drawn.size(); ++k) {
        const std::uint64_t elements = steps.settings().digest_of(here_.solutions.get(), k);
        report.digest +=
            kernels::digest_in_round(steps.shard().first_individual() + k,
                                     kernels::digest_search(elements, here_.costs[k].i, best_.cost.i, t - 1));
    }
    return report;
}

void Restarts::save(sdk::Writer& writer) const {
    best_.save(writer);
}

void Restarts::load(sdk::Reader& reader) {
    best_.load(reader, problem_);
}

}  // namespace qapfw::local_search
