// SPDX-License-Identifier: Apache-2.0
#include "framework/laboratory/statistics/bootstrap.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace qapfw::statistics {
namespace {

constexpr std::size_t kLeastForVerdict = 5;

std::vector<double> values_at(Sample sample, std::span<const std::size_t> indices) {
    std::vector<double> drawn;
    drawn.reserve(indices.size());
    for (const std::size_t index : indices) drawn.push_back(sample[index]);
    return drawn;
}

std::vector<double> resampled_statistic(Sample sample, const Statistic& statistic, const BootstrapOptions& options,
                                        std::size_t size = 0) {
    return resampled(
        sample.size(), [&](std::span<const std::size_t> drawn) { return statistic(values_at(sample, drawn)); }, options,
        size);
}

}  // namespace

std::uint64_t Draws::next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15U);
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31U);
}

std::size_t Draws::below(std::size_t count) {
    const std::uint64_t limit = count;
    const std::uint64_t surplus = (0 - limit) % limit;  // smaller draws are rejected: they would favour small results
    std::uint64_t drawn = next();
    while (drawn < surplus) drawn = next();
    return static_cast<std::size_t>(drawn % limit);
}

std::uint64_t seed_of(std::string_view name) {
    std::uint64_t hash = 0xcbf29ce484222325U;
    for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
    return hash;
}

std::vector<double> resampled(std::size_t n, const IndexStatistic& statistic, const BootstrapOptions& options,
                              std::size_t size) {
    if (n == 0) throw std::invalid_argument("a sample must hold at least one value");
    Draws draws(options.seed);
    std::vector<std::size_t> drawn(size == 0 ? n : size);
    std::vector<double> values;
    values.reserve(options.resamples);
    for (std::size_t k = 0; k < options.resamples; ++k) {
        for (std::size_t& index : drawn) index = draws.below(n);
        values.push_back(statistic(drawn));
    }
    return values;
}

Interval central_interval(std::vector<double> values, double confidence) {
    if (values.empty()) throw std::invalid_argument("a sample must hold at least one value");
    std::sort(values.begin(), values.end());
    const double tail = (1 - confidence) / 2;
    const auto last = static_cast<double>(values.size() - 1);
    return {values[static_cast<std::size_t>(std::floor(tail * last))],
            values[static_cast<std::size_t>(std::ceil((1 - tail) * last))]};
}

Interval bootstrap_interval(Sample sample, const Statistic& statistic, const BootstrapOptions& options) {
    return central_interval(resampled_statistic(sample, statistic, options), options.confidence);
}

const char* verdict_name(Verdict verdict) {
    static constexpr const char* kNames[]{"worse", "undecided", "equal", "better", "too few runs"};
    return kNames[static_cast<std::size_t>(verdict)];
}

Verdict verdict_against(double published, std::size_t their_runs, Sample ours, const Statistic& statistic,
                        const BootstrapOptions& options) {
    if (ours.size() < kLeastForVerdict) return Verdict::kTooFew;
    BootstrapOptions second = options;
    second.seed = Draws(options.seed).next();
    const std::vector<double> theirs = resampled_statistic(ours, statistic, options, their_runs);
    const std::vector<double> again = resampled_statistic(ours, statistic, second);
    // Two infinite values are equal, so their difference is 0.
    const auto difference = [](double a, double b) { return a == b ? 0.0 : a - b; };
    const double observed = difference(published, statistic(ours));
    std::size_t at_most = 0, at_least = 0;
    for (std::size_t k = 0; k < theirs.size(); ++k) {
        const double chance = difference(theirs[k], again[k]);
        at_most += chance <= observed ? 1 : 0;
        at_least += chance >= observed ? 1 : 0;
    }
    const double few = (1 - options.confidence) / 2 * static_cast<double>(theirs.size());
    if (static_cast<double>(at_most) < few) return Verdict::kWorse;
    if (static_cast<double>(at_least) < few) return Verdict::kBetter;
    return Verdict::kUndecided;
}

}  // namespace qapfw::statistics
