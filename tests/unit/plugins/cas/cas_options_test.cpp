// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <bit>
#include <limits>

#include "plugins/cas/cas.hpp"
#include "tests/support/test_solver.hpp"
#include "tests/support/toy_problems.hpp"
#include "tests/unit/plugins/cas/cas_test_tools.hpp"

namespace {

using namespace qapfw;

constexpr double kTwo32 = 4294967296.0;

/// An ant samples l_s positions. Returns P(l_s = l) for l = 0, 1, ..., from the table of P(l_s <= l).
std::vector<double> probabilities(const std::vector<std::uint32_t>& thresholds) {
    std::vector<double> p;
    double before = 0;
    for (const std::uint32_t t : thresholds) {
        p.push_back((t - before) / kTwo32);
        before = t;
    }
    p.push_back((kTwo32 - before) / kTwo32);
    return p;
}

double density(double x, double g) {
    return g <= 0.5 ? (1 - g) / g * std::pow(1 - x, (1 - 2 * g) / g) : g / (1 - g) * std::pow(x, (2 * g - 1) / (1 - g));
}

/// Returns P(l_s = l) for l = 0, 1, ..., by integrating the density of x = l_s / n. The probability at x * n is split
/// between the two neighbouring integers: the nearer integer gets more.
std::vector<double> integrated(std::uint32_t n, double g) {
    constexpr int kSteps = 400'000;
    std::vector<double> p(n + 2, 0);
    for (int k = 0; k < kSteps; ++k) {
        const double x = (k + 0.5) / kSteps, y = x * n, below = std::floor(y);
        const double mass = density(x, g) / kSteps;
        p[static_cast<std::size_t>(below)] += mass * (1 - (y - below));
        p[static_cast<std::size_t>(below) + 1] += mass * (y - below);
    }
    p.pop_back();
    return p;
}

}  // namespace

TEST_CASE("the number of sampled positions has mean n gamma and the density of the paper's class") {
    for (const std::uint32_t n : {1u, 2u, 3u, 12u, 50u, 100u}) {
        for (const double g : {0.1, 0.2, 0.4, 0.5, 0.7}) {
            CAPTURE(n);
            CAPTURE(g);
            const std::vector<double> p = probabilities(cas::cunning_thresholds(n, g));
            const std::vector<double> expected = integrated(n, g);
            REQUIRE(p.size() == n + 1);
            double mean = 0;
            for (std::uint32_t l = 0; l <= n; ++l) {
                mean += l * p[l];
                CHECK(p[l] == doctest::Approx(expected[l]).epsilon(1e-3).scale(0.01));
            }
            CHECK(mean == doctest::Approx(n * g).epsilon(1e-7));
        }
    }
}

TEST_CASE("draws of the number of sampled positions follow the table") {
    const std::uint32_t n = 40;
    const std::vector<std::uint32_t> thresholds = cas::cunning_thresholds(n, 0.4);
    const std::vector<double> p = probabilities(thresholds);
    constexpr std::uint32_t kDraws = 40'000;
    std::vector<double> observed(n + 1, 0), expected;
    for (std::uint32_t k = 0; k < kDraws; ++k) {
        const std::uint32_t word = kernels::draw(1, k, 3, kernels::kCunningStream, 0);
        observed[kernels::sampled_count({nullptr, thresholds.data(), n, n}, word)] += 1;
    }
    for (const double q : p) expected.push_back(q * kDraws);
    int cells = 0;
    const double statistic = test::chi_square(observed, expected, cells);
    CHECK(cells > 30);
    CHECK(statistic < test::chi_square_limit(cells - 1));
}

TEST_CASE("all deposits together never carry a trail above 2^46") {
    for (const double rho : {0.0, 0.02, 0.5, 0.98, 0.999}) {
        for (const std::uint32_t ants : {1u, 3u, 100u, 400u, 1'000'000u}) {
            const kernels::TrailRules rules = cas::make_rules({ants, rho, 0.4, 0.005}, 100);
            CHECK(rules.deposit_scale >= 1);
            CHECK(rules.deposit_scale * cas::kDepositRange <= rules.deposit_limit);
            const std::uint64_t most = kernels::trail_limits(rules, rules.deposit_limit * ants).most;
            CHECK(most <= std::uint64_t{1} << kernels::kTrailBits);
            CHECK(kernels::evaporated(rules, most) + rules.deposit_limit * ants <= std::uint64_t{1} << 47);
            CHECK(static_cast<double>(rules.persistence) / 65536 == doctest::Approx(rho).epsilon(1e-3).scale(0.1));
        }
    }
}

TEST_CASE("the least trail follows MMAS' p_best rule and never exceeds the largest") {
    CHECK(cas::least_trail_share(100, 0.005) ==
          doctest::Approx((1 - std::pow(0.005, 0.01)) / (49 * std::pow(0.005, 0.01))));
    for (const std::uint32_t n : {1u, 2u, 3u, 4u, 9u, 50u, 1000u}) {
        for (const double p_best : {1e-9, 0.005, 0.5, 0.999}) {
            const kernels::TrailRules rules = cas::make_rules({n, 0.5, 0.4, p_best}, n);
            const kernels::TrailLimits limits = kernels::trail_limits(rules, rules.deposit_scale * n);
            CHECK(limits.least >= 1);
            CHECK(limits.least <= limits.most);
        }
    }
}

TEST_CASE("deposits are inversely proportional to costs, to costs above a lower bound where costs may be negative") {
    const kernels::TrailRules rules = cas::make_rules({100, 0.5, 0.4, 0.005}, 100);
    const kernels::CostBound positive = cas::cost_bound({});
    for (const std::int64_t best : {std::int64_t{7}, std::int64_t{21'000'000}, std::int64_t{1} << 62}) {
        const kernels::DepositReference reference = kernels::make_reference(rules, positive, best, best);
        const auto at = [&](double factor) {
            const auto cost = static_cast<std::int64_t>(static_cast<double>(best) * factor);
            return static_cast<double>(kernels::deposit(rules, reference, cost)) * static_cast<double>(cost);
        };
        CHECK(kernels::deposit(rules, reference, best) ==
              doctest::Approx(static_cast<double>(rules.deposit_scale)).epsilon(1e-6));
        CHECK(at(1.5) == doctest::Approx(at(1)).epsilon(1e-6));
    }
    qapfw_problem_info with_bound{};
    with_bound.has_lower_bound = 1;
    with_bound.lower_bound.i = -1000;
    const kernels::CostBound bounded = cas::cost_bound(with_bound);
    const kernels::DepositReference reference = kernels::make_reference(rules, bounded, -901, 50);
    CHECK(reference.floor == -1000);
    CHECK(kernels::deposit(rules, reference, -901) == rules.deposit_scale);
    CHECK(kernels::deposit(rules, reference, -801) == rules.deposit_scale / 2);
}

TEST_CASE("deposits stay within their limit for every cost there is") {
    const kernels::TrailRules rules = cas::make_rules({3, 0.5, 0.4, 0.005}, 9);
    constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
    constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
    const kernels::CostBound unbounded = cas::cost_bound({});
    for (const std::int64_t best : {kLeast, std::int64_t{-5}, std::int64_t{0}, std::int64_t{1}, kMost}) {
        for (const std::int64_t worst : {best, std::max<std::int64_t>(best, 10), kMost}) {
            const kernels::DepositReference reference = kernels::make_reference(rules, unbounded, best, worst);
            CHECK(kernels::deposit(rules, reference, best) > 0);
            std::uint64_t before = rules.deposit_limit;
            for (const std::int64_t cost : {kLeast, std::int64_t{-6}, std::int64_t{0}, std::int64_t{77}, kMost}) {
                const std::uint64_t deposit = kernels::deposit(rules, reference, cost);
                CHECK(deposit <= before);
                before = deposit;
            }
        }
    }
}

TEST_CASE("real-valued costs become integers in a unit of the first solutions, in their order") {
    const auto bits = [](double value) { return std::bit_cast<std::int64_t>(value); };
    for (const double unit : {1.0, 1e-290, 3e7, 1e300}) {
        CAPTURE(unit);
        const std::uint32_t scale = kernels::scale_of_costs(bits(unit), bits(9 * unit));
        const auto integer = [&](double value) { return kernels::integer_cost<true>(scale, bits(value)); };
        CHECK(integer(0) == 0);
        CHECK(integer(unit) >= std::int64_t{1} << kernels::kHeightBits);
        CHECK(integer(unit) < std::int64_t{2} << kernels::kHeightBits);
        CHECK(integer(2 * unit) == doctest::Approx(2.0 * static_cast<double>(integer(unit))).epsilon(1e-11));
        CHECK(integer(-unit) == -integer(unit));
        CHECK(integer(unit * 1e7) == std::int64_t{1} << 62);
        CHECK(integer(unit * -1e7) == -(std::int64_t{1} << 62));
    }
    CHECK(kernels::integer_cost<true>(kernels::scale_of_costs(bits(0), bits(0)), bits(1)) ==
          std::int64_t{1} << kernels::kHeightBits);
    CHECK(kernels::integer_cost<false>(7, 123) == 123);
    const std::vector<double> ascending = {-1e300, -2.5, -1, -1e-310, 0, 1e-310, 1, 1.5, 7e200};
    for (std::size_t k = 1; k < ascending.size(); ++k) {
        CHECK(kernels::order_of_real(bits(ascending[k - 1])) < kernels::order_of_real(bits(ascending[k])));
        CHECK(kernels::order_of_real(kernels::order_of_real(bits(ascending[k]))) == bits(ascending[k]));
    }
}

TEST_CASE("real-valued costs deposit in proportion, as integers do") {
    const auto bits = [](double value) { return std::bit_cast<std::int64_t>(value); };
    const kernels::TrailRules rules = cas::make_rules({8, 0.5, 0.4, 0.005}, 9);
    const kernels::DepositReference reference = kernels::make_reference<true>(rules, {}, bits(2.75), bits(31));
    const auto deposit = [&](double cost) {
        return static_cast<double>(kernels::deposit<true>(rules, reference, bits(cost)));
    };
    CHECK(deposit(2.75) == static_cast<double>(rules.deposit_scale));
    CHECK(deposit(5.5) == doctest::Approx(deposit(2.75) / 2).epsilon(1e-9));
    CHECK(deposit(27.5) == doctest::Approx(deposit(2.75) / 10).epsilon(1e-9));
    CHECK(deposit(1e9) > 0);
}
