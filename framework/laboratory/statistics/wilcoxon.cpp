// SPDX-License-Identifier: Apache-2.0
// The exact distributions count the ways to reach every sum of doubled ranks. (Ranks are doubled because midranks may
// be halves.)
#include <algorithm>
#include <boost/math/special_functions/erf.hpp>
#include <cmath>
#include <cstdint>
#include <stdexcept>

#include "framework/laboratory/statistics/rank_tests.hpp"

namespace qapfw::statistics {
namespace {

constexpr std::size_t kExactPairs = 50;
constexpr std::size_t kExactValues = 60;

/// 2 P(Z >= |z|) for a standard normal Z.
double two_sided_normal(double z) {
    return std::min(1.0, boost::math::erfc(std::abs(z) / std::sqrt(2.0)));
}

double normal_p(double statistic, double expected, double variance, bool continuity) {
    double distance = std::abs(statistic - expected);
    if (continuity) distance = std::max(0.0, distance - 0.5);
    return variance > 0 ? two_sided_normal(distance / std::sqrt(variance)) : 1.0;
}

std::vector<std::size_t> doubled(const std::vector<double>& ranks) {
    std::vector<std::size_t> whole;
    whole.reserve(ranks.size());
    for (const double rank : ranks) whole.push_back(static_cast<std::size_t>(std::llround(2 * rank)));
    return whole;
}

/// The two-sided p of `observed`: twice the smaller tail of the distribution, but at most 1. Entry k of `weights` is
/// the weight of the value k. Both tails include `observed`.
double two_sided_exact(const std::vector<double>& weights, std::size_t observed) {
    double below = 0, above = 0, all = 0;
    for (std::size_t sum = 0; sum < weights.size(); ++sum) {
        all += weights[sum];
        if (sum <= observed) below += weights[sum];
        if (sum >= observed) above += weights[sum];
    }
    return std::min(1.0, 2 * std::min(below, above) / all);
}

/// Entry s: the probability that the doubled ranks with a positive sign have the sum s, if each sign is drawn by a fair
/// coin.
std::vector<double> signed_rank_weights(const std::vector<std::size_t>& ranks) {
    std::size_t largest = 0;
    for (const std::size_t rank : ranks) largest += rank;
    std::vector<double> weights(largest + 1, 0.0);
    weights[0] = 1;
    std::size_t reached = 0;
    for (const std::size_t rank : ranks) {
        reached += rank;
        for (std::size_t sum = reached + 1; sum-- > 0;)
            weights[sum] = (weights[sum] + (sum >= rank ? weights[sum - rank] : 0.0)) / 2;
    }
    return weights;
}

/// Entry s: the number of ways to choose `count` of the doubled `ranks` so that their sum is s.
std::vector<double> rank_sum_weights(const std::vector<std::size_t>& ranks, std::size_t count) {
    std::size_t largest = 0;
    for (const std::size_t rank : ranks) largest += rank;
    std::vector<std::vector<double>> ways(count + 1, std::vector<double>(largest + 1, 0.0));
    ways[0][0] = 1;
    std::size_t reached = 0;
    for (const std::size_t rank : ranks) {
        reached += rank;
        for (std::size_t chosen = count; chosen > 0; --chosen) {
            for (std::size_t sum = reached; sum >= rank; --sum) ways[chosen][sum] += ways[chosen - 1][sum - rank];
        }
    }
    return ways[count];
}

}  // namespace

std::size_t fewest_pairs(double alpha) {
    std::size_t pairs = 1;
    for (double least = 1; least > alpha && pairs < 1000; least /= 2) ++pairs;
    return pairs;
}

double least_rank_sum_p(std::size_t first, std::size_t second) {
    double p = 2;  // becomes 2 / (number of ways to choose the ranks of the first sample)
    for (std::size_t k = 1; k <= first; ++k) p *= static_cast<double>(k) / static_cast<double>(second + k);
    return std::min(1.0, p);
}

std::size_t fewest_values(double alpha) {
    std::size_t values = 1;
    while (least_rank_sum_p(values, values) > alpha && values < 1000) ++values;
    return values;
}

RankTest wilcoxon_signed_rank(Sample a, Sample b, RankMethod method, bool continuity) {
    if (a.size() != b.size()) throw std::invalid_argument("paired samples must have the same size");
    std::vector<double> differences, sizes;
    for (std::size_t k = 0; k < a.size(); ++k) {
        if (a[k] == b[k]) continue;
        differences.push_back(a[k] - b[k]);
        sizes.push_back(std::abs(differences.back()));
    }
    RankTest test;
    test.used = differences.size();
    test.zeros = a.size() - differences.size();
    const auto n = static_cast<double>(test.used);
    test.expected = n * (n + 1) / 4;
    if (differences.empty()) return test;
    const std::vector<double> ranks = midranks(sizes);
    for (std::size_t k = 0; k < ranks.size(); ++k) test.statistic += differences[k] > 0 ? ranks[k] : 0.0;
    test.exact = method == RankMethod::kExact || (method == RankMethod::kAuto && test.used <= kExactPairs);
    if (test.exact) {
        const auto observed = static_cast<std::size_t>(std::llround(2 * test.statistic));
        test.p = two_sided_exact(signed_rank_weights(doubled(ranks)), observed);
        return test;
    }
    const double variance = n * (n + 1) * (2 * n + 1) / 24 - tie_term(sizes) / 48;
    test.p = normal_p(test.statistic, test.expected, variance, continuity);
    return test;
}

RankTest wilcoxon_rank_sum(Sample a, Sample b, RankMethod method, bool continuity) {
    if (a.empty() || b.empty()) throw std::invalid_argument("a sample must hold at least one value");
    std::vector<double> all(a.begin(), a.end());
    all.insert(all.end(), b.begin(), b.end());
    const std::vector<double> ranks = midranks(all);
    double sum = 0;
    for (std::size_t k = 0; k < a.size(); ++k) sum += ranks[k];
    const auto m = static_cast<double>(a.size());
    const auto n = static_cast<double>(b.size());
    RankTest test;
    test.used = all.size();
    test.statistic = sum - m * (m + 1) / 2;
    test.expected = m * n / 2;
    test.exact = method == RankMethod::kExact || (method == RankMethod::kAuto && test.used <= kExactValues);
    if (test.exact) {
        test.p = two_sided_exact(rank_sum_weights(doubled(ranks), a.size()),
                                 static_cast<std::size_t>(std::llround(2 * sum)));
        return test;
    }
    const double total = m + n;
    const double variance = m * n / 12 * ((total + 1) - tie_term(all) / (total * (total - 1)));
    test.p = normal_p(test.statistic, test.expected, variance, continuity);
    return test;
}

}  // namespace qapfw::statistics
