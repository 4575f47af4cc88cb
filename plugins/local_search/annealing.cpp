// SPDX-License-Identifier: Apache-2.0
#include "plugins/local_search/annealing.hpp"

#include <algorithm>
#include <cmath>

#include "qapfw/kernels/philox.hpp"
#include "qapfw/kernels/slicing_annealing.hpp"

namespace qapfw::local_search {
namespace {

/// Moves for each element of the descent at the start.
constexpr std::uint64_t kDescent = 50;
/// Deltas that the unit of temperature is taken from.
constexpr std::uint32_t kSamples = 1024;
/// Proposals at one temperature, after which the search looks whether it is to stop.
constexpr std::uint64_t kBeat = 256;

/// The ratio between two beats: a root of `cooling` by square roots and products, which IEEE 754 rounds correctly.
double ratio_of_beat(double cooling, std::uint64_t beats) {
    std::uint64_t parts = 1;
    double ratio = cooling;
    for (; parts < beats; parts *= 2) ratio = std::sqrt(ratio);
    return ratio;  // of the next power of two: the end is a little warmer
}

}  // namespace

Annealing::Workspace::Workspace(const Annealing& improver)
    : improver_(improver), neighbourhood_(improver.problem_), best_(improver.problem_.solution_bytes()) {
    const qapfw_encoding& encoding = improver.problem_.encoding();
    std::uint64_t end = 0;
    for (std::uint32_t s = 0; s < encoding.segment_count; ++s) {
        const std::uint64_t free = neighbourhood_.list().free(s).size();
        const bool order = encoding.segments[s].kind == QAPFW_SEGMENT_PERMUTATION || encoding.segments[s].counts;
        if (free < (order ? 2u : 1u)) continue;
        segments_.push_back(s);
        ends_.push_back(end += free);
    }
}

std::uint64_t Annealing::Workspace::improve(const qapfw_batch& batch, const qapfw_improve_request& request) {
    const std::uint64_t before = proposals_;
    for (std::uint64_t k = 0; k < batch.count && !segments_.empty(); ++k) {
        if (request.should_stop != nullptr && request.should_stop(request.stop_context) != 0) break;
        void* const solution = sdk::solution_at(batch.solutions, improver_.problem_.solution_bytes(), k);
        anneal(solution, batch.costs + k, request, request.first_individual + static_cast<std::uint32_t>(k));
    }
    return proposals_ - before;
}

void Annealing::Workspace::anneal(void* solution, qapfw_cost* cost, const qapfw_improve_request& request,
                                  std::uint32_t individual) {
    const std::uint64_t limit = request.iterations > 0 ? request.iterations : improver_.iterations_;
    const std::uint64_t end = proposals_ + limit, beats = (limit + kBeat - 1) / kBeat;
    begin(request, individual);
    best_cost_ = neighbourhood_.reset(solution);
    std::memcpy(best_.data(), solution, best_.size());
    best_is_old_ = false;
    const std::uint64_t descent = std::min(limit, kDescent * ends_.back());
    const double ratio = ratio_of_beat(improver_.cooling_, beats);
    double temperature = -1;
    for (bool stopped = false; proposals_ < end && !stopped;) {
        if (temperature < 0 && proposals_ + limit >= end + descent)
            temperature = improver_.heat_ * unit_of_temperature();
        for (std::uint64_t k = 0; k < kBeat && proposals_ < end; ++k) {
            qapfw_move move{};
            ++proposals_;
            if (!propose(move)) continue;
            const qapfw_cost delta = neighbourhood_.delta(move);
            const double most = temperature > 0 ? temperature * kernels::slicing_minus_log(word()) : 0;
            if (value(delta) <= most) make(move, delta);
        }
        if (temperature > 0) temperature *= ratio;
        stopped = request.should_stop != nullptr && request.should_stop(request.stop_context) != 0;
    }
    keep_best();
    if (!improver_.problem_.has_integer_costs()) {  // a sum of real-valued deltas is rounded
        const qapfw_cost exact = improver_.problem_.evaluate_one(best_.data());
        if (!improver_.problem_.less()(exact, *cost)) return;
        best_cost_ = exact;
    }
    std::memcpy(solution, best_.data(), best_.size());
    *cost = best_cost_;
}

/// Numbers that are a function of the run's seed, the generation and the individual.
void Annealing::Workspace::begin(const qapfw_improve_request& request, std::uint32_t individual) {
    const kernels::Philox4 words =
        kernels::draw4(request.seed, std::uint64_t{request.generation} << 32, individual, request.stream, 0);
    state_ = std::uint64_t{words.word[0]} << 32 | words.word[1];
}

std::uint32_t Annealing::Workspace::word() {  // SplitMix64
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15ull;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ z >> 27) * 0x94D049BB133111EBull;
    return static_cast<std::uint32_t>((z ^ z >> 31) >> 32);
}
std::uint32_t Annealing::Workspace::below(std::uint32_t bound) {
    return static_cast<std::uint32_t>(std::uint64_t{word()} * bound >> 32);
}

/// A random move; false: what was drawn changes nothing, or breaks a bound.
bool Annealing::Workspace::propose(qapfw_move& move) {
    const qapfw_encoding& encoding = improver_.problem_.encoding();
    const std::uint64_t drawn = segments_.size() == 1 ? 0 : below(static_cast<std::uint32_t>(ends_.back()));
    const auto at = std::upper_bound(ends_.begin(), ends_.end(), drawn) - ends_.begin();
    const std::uint32_t s = segments_[static_cast<std::size_t>(at)];
    const qapfw_segment& segment = encoding.segments[s];
    const auto free = neighbourhood_.list().free(s);
    const void* const solution = neighbourhood_.solution();
    const std::uint32_t i = free[below(static_cast<std::uint32_t>(free.size()))];
    const std::uint32_t held = sdk::element_at(segment, solution, i), bound = sdk::bound_at(segment, i);
    const bool order = segment.kind == QAPFW_SEGMENT_PERMUTATION || segment.counts != nullptr;
    const bool sets = !order && (segment.kind != QAPFW_SEGMENT_VALUES || (word() & 1u) == 0);
    if (sets) {
        if (bound < 2) return false;
        const std::uint32_t value = below(bound - 1);
        move = {QAPFW_MOVE_SET, s, i, value < held ? value : value + 1};
        return true;
    }
    const std::uint32_t j = free[below(static_cast<std::uint32_t>(free.size()))];
    const std::uint32_t other = sdk::element_at(segment, solution, j);
    if (held == other || other >= bound || held >= sdk::bound_at(segment, j)) return false;
    move = {QAPFW_MOVE_EXCHANGE, s, std::min(i, j), std::max(i, j)};
    return true;
}

double Annealing::Workspace::unit_of_temperature() {
    std::vector<double> rising;
    for (std::uint32_t k = 0; k < kSamples; ++k) {
        qapfw_move move{};
        if (!propose(move)) continue;
        const double delta = value(neighbourhood_.delta(move));
        if (delta > 0) rising.push_back(delta);
    }
    proposals_ += kSamples;
    if (rising.empty()) return 0;
    const auto cheap = rising.begin() + static_cast<std::ptrdiff_t>(rising.size() / 100);
    std::nth_element(rising.begin(), cheap, rising.end());
    return *cheap;
}

double Annealing::Workspace::value(qapfw_cost cost) const {
    return improver_.problem_.has_integer_costs() ? static_cast<double>(cost.i) : cost.f;
}

/// The best solution is copied when it is left, so that a descent is not copied at every step.
void Annealing::Workspace::make(const qapfw_move& move, qapfw_cost delta) {
    if (value(delta) > 0) keep_best();
    neighbourhood_.apply(move, delta);
    if (!improver_.problem_.less()(neighbourhood_.cost(), best_cost_)) return;
    best_cost_ = neighbourhood_.cost();
    best_is_old_ = true;
}
void Annealing::Workspace::keep_best() {
    if (!best_is_old_) return;
    std::memcpy(best_.data(), neighbourhood_.solution(), best_.size());
    best_is_old_ = false;
}

}  // namespace qapfw::local_search
