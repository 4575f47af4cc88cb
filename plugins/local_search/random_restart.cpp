// SPDX-License-Identifier: Apache-2.0
#include "plugins/local_search/random_restart.hpp"

#include <algorithm>
#include <cstring>

#include "qapfw/kernels/digest.hpp"
#include "qapfw/kernels/random_permutation.hpp"
#include "qapfw/sdk/free_positions.hpp"

namespace qapfw::local_search {
namespace {

constexpr std::uint32_t kStartStream = 80;
constexpr std::uint32_t kBitsStream = 81;
constexpr std::uint32_t kImproverStream = 64;

/// Calls visit(position, value) for the segments after the first. Positions continue the count of the first segment.
template <class Visit>
void for_bits(const qapfw_encoding& encoding, const void* solution, Visit visit) {
    std::uint32_t position = encoding.segments[0].length;
    for (std::uint32_t s = 1; s < encoding.segment_count; ++s) {
        const qapfw_segment& segment = encoding.segments[s];
        const auto* bits = static_cast<const std::uint8_t*>(solution) + segment.offset;
        for (std::uint32_t k = 0; k < segment.length; ++k) visit(position++, bits[k]);
    }
}

}  // namespace

RandomRestart::RandomRestart(const sdk::SolverContext& context)
    : host_(context.host),
      problem_(context.problem),
      improvers_(host_, problem_, context.improver),
      batch_(static_cast<std::uint64_t>(context.parameters.integer("batch"))),
      free_(sdk::free_positions(problem_)),
      base_(problem_.solution_bytes()),
      solutions_(std::make_unique_for_overwrite<unsigned char[]>(problem_.solution_bytes() * batch_)),
      costs_(std::make_unique_for_overwrite<qapfw_cost[]>(batch_)),
      drawn_(batch_) {
    best_.solution.resize(problem_.solution_bytes());
    sdk::base_solution(problem_, base_.data());
}

void RandomRestart::run(sdk::Run& run) {
    while (run.begin_round(1) > 0) {
        if (draw_solutions(run)) improve_solutions(run);
        const bool complete = !run.should_stop();
        Incumbent best = best_;  // a generation that was cut short is reported, but leaves no trace in the saved state
        keep_best(best);
        report(run, best, complete);
    }
}

bool RandomRestart::draw_solutions(const sdk::Run& run) {
    host_.parallel_for(batch_, [&](std::uint64_t k, std::uint32_t) {
        const bool needed = k == 0 && !best_.exists;  // there is always a result
        drawn_[k] = needed || !run.should_stop() ? 1 : 0;
        if (drawn_[k] != 0) draw_solution(run, k);
    });
    evaluations_ = static_cast<std::uint64_t>(std::count(drawn_.begin(), drawn_.end(), std::uint8_t{1}));
    return evaluations_ == batch_;
}

void RandomRestart::draw_solution(const sdk::Run& run, std::uint64_t k) {
    const std::uint64_t bytes = problem_.solution_bytes();
    void* solution = sdk::solution_at(solutions_.get(), bytes, k);
    if (generation_ == 0 && k < run.initial().count) {
        std::memcpy(solution, sdk::solution_at(run.initial().solutions, bytes, k), bytes);
    } else {
        std::memcpy(solution, base_.data(), bytes);
        kernels::shuffle(sdk::permutation_of(solution), free_.data(), static_cast<std::uint32_t>(free_.size()),
                         run.seed(), generation_, static_cast<std::uint32_t>(k), kStartStream);
        draw_bits(solution, run.seed(), static_cast<std::uint32_t>(k));
    }
    problem_.evaluate({solution, &costs_[k], 1});
}

/// Sets random bits. How many are 1 is drawn for each solution, from none to 2 sqrt(n) of n on average, since layouts
/// of n departments have from one to a few sqrt(n) bays. Improvers that make swaps keep the bits, so no other bits are
/// tried.
void RandomRestart::draw_bits(void* solution, std::uint64_t seed, std::uint32_t individual) const {
    for (std::uint32_t s = 1; s < problem_.encoding().segment_count; ++s) {
        const qapfw_segment& segment = problem_.encoding().segments[s];
        auto* bits = static_cast<std::uint8_t*>(solution) + segment.offset;
        const auto word = [&](std::uint32_t slot) {
            return kernels::draw(seed, generation_, individual, kBitsStream + s - 1, slot);
        };
        std::uint32_t root = 1;
        while (root * root < segment.length + 1) ++root;
        const std::uint32_t ones = kernels::below(word(segment.length), 2 * root);
        for (std::uint32_t k = 0; k < segment.length; ++k) {
            bits[k] = kernels::below(word(k), segment.length + 1) < ones ? 1 : 0;
        }
    }
}

void RandomRestart::improve_solutions(const sdk::Run& run) {
    if (!improvers_) return;
    const qapfw_batch batch{solutions_.get(), costs_.get(), batch_};
    evaluations_ +=
        improvers_.improve_all(batch, run.improve_request(static_cast<std::uint32_t>(generation_), kImproverStream));
}

void RandomRestart::keep_best(Incumbent& best) const {
    for (std::uint64_t k = 0; k < batch_; ++k) {
        if (drawn_[k] == 0 || (best.exists && !problem_.less()(costs_[k], best.cost))) continue;
        std::memcpy(best.solution.data(), sdk::solution_at(solutions_.get(), problem_.solution_bytes(), k),
                    best.solution.size());
        best.cost = costs_[k];
        best.generation = generation_;
        best.individual = k;
        best.exists = true;
    }
}

std::uint64_t RandomRestart::digest(const Incumbent& best) const {
    std::uint64_t sum = 0;
    for (std::uint64_t k = 0; k < batch_; ++k) {
        const void* solution = sdk::solution_at(solutions_.get(), problem_.solution_bytes(), k);
        std::uint64_t elements = kernels::digest_solution(sdk::permutation_of(solution), problem_.length());
        for_bits(problem_.encoding(), solution,
                 [&](std::uint32_t position, std::uint8_t bit) { elements += kernels::digest_element(position, bit); });
        sum += kernels::digest_in_round(k, kernels::digest_search(elements, costs_[k].i, best.cost.i, generation_));
    }
    return sum;
}

void RandomRestart::report(sdk::Run& run, const Incumbent& best, bool complete) {
    const qapfw_round round{
        sizeof(qapfw_round),  complete ? 1u : 0u, complete ? 1u : 0u, evaluations_,   complete ? digest(best) : 0,
        best.solution.data(), best.cost,          best.generation,    best.individual};
    if (complete) {
        best_ = best;
        ++generation_;
    }
    run.end_round(round);
}

void RandomRestart::save(sdk::Writer& writer) const {
    writer.value(generation_);
    writer.array(best_.solution);
    writer.value(best_.cost);
    writer.value(best_.generation);
    writer.value(best_.individual);
    writer.value(best_.exists);
}

void RandomRestart::load(sdk::Reader& reader) {
    generation_ = reader.value<std::uint64_t>();
    reader.array(best_.solution, problem_.solution_bytes());
    best_.cost = reader.value<qapfw_cost>();
    best_.generation = reader.value<std::uint64_t>();
    best_.individual = reader.value<std::uint64_t>();
    best_.exists = reader.value<bool>();
}

}  // namespace qapfw::local_search
