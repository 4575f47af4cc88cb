// SPDX-License-Identifier: Apache-2.0
#include "plugins/cas/cas_options.hpp"

#include <algorithm>
#include <cmath>

namespace qapfw::cas {
namespace {

constexpr double kTwo32 = 4294967296.0;

std::uint32_t threshold(double probability) {
    return static_cast<std::uint32_t>(std::clamp(std::floor(probability * kTwo32 + 0.5), 0.0, kTwo32 - 1));
}

/// Integral of P(X > y) over y from 0 to x, for x in [0, 1]. X is the fraction of positions that an ant samples.
double tail_integral(double x, double gamma) {
    if (gamma <= 0.5) return gamma * (1 - std::pow(1 - x, 1 / gamma));
    return x - (1 - gamma) * std::pow(x, 1 / (1 - gamma));
}

}  // namespace

double least_trail_share(std::uint32_t n, double p_best) {
    if (n <= 2) return 1;  // the rule divides by n/2 - 1
    const double root = std::pow(p_best, 1.0 / n);
    return std::min(1.0, (1 - root) / ((n / 2.0 - 1) * root));
}

kernels::TrailRules make_rules(const PaperParameters& parameters, std::uint32_t n) {
    constexpr std::uint32_t kOne = 1u << kernels::kPersistenceBits;
    kernels::TrailRules rules{};
    rules.ants = parameters.ants;
    rules.persistence = std::min(kOne - 1, static_cast<std::uint32_t>(parameters.rho * kOne + 0.5));
    // The deposits of all m ants, divided by (1 - rho), must stay within 2^kTrailBits.
    const std::uint64_t together = std::uint64_t{kOne - rules.persistence}
                                   << (kernels::kTrailBits - kernels::kPersistenceBits);
    rules.deposit_limit = std::max(kDepositRange, together / parameters.ants);
    rules.deposit_scale = rules.deposit_limit / kDepositRange;
    rules.least_share = static_cast<std::uint64_t>(least_trail_share(n, parameters.p_best) * kTwo32);
    return rules;
}

std::vector<std::uint32_t> cunning_thresholds(std::uint32_t n, double gamma) {
    std::vector<std::uint32_t> thresholds(n);
    for (std::uint32_t l = 0; l < n; ++l) {
        // P(l_s > l) = integral of P(n X > y) over y in [l, l + 1]. l_s is the number of positions that an ant samples.
        const double above = n * (tail_integral((l + 1.0) / n, gamma) - tail_integral(double{1} * l / n, gamma));
        thresholds[l] = threshold(1 - above);
        if (l > 0) thresholds[l] = std::max(thresholds[l], thresholds[l - 1]);
    }
    return thresholds;
}

kernels::CostBound cost_bound(const qapfw_problem_info& problem) {
    return {problem.has_lower_bound != 0 ? problem.lower_bound.i : 0, problem.has_lower_bound != 0 ? 1u : 0u};
}

}  // namespace qapfw::cas
