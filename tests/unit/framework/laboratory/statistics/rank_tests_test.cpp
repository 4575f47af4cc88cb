// SPDX-License-Identifier: Apache-2.0
#include "framework/laboratory/statistics/rank_tests.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <stdexcept>

#include "tests/unit/framework/laboratory/statistics/reference_values.hpp"

using namespace qapfw::statistics;

namespace {

void check_near(double found, double wanted) {
    CHECK(std::abs(found - wanted) <= 1e-9 * std::max(1.0, std::abs(wanted)));
}

template <class Cases, class Test>
void check_against_r(const Cases& cases, const Test& test) {
    for (const auto& c : cases) {
        CAPTURE(c.name);
        if (c.exact >= 0) {
            const RankTest exact = test(c.a, c.b, RankMethod::kExact, true);
            check_near(exact.statistic, c.v);
            check_near(exact.p, c.exact);
            CHECK(exact.exact);
        } else {
            CHECK_FALSE(test(c.a, c.b, RankMethod::kAuto, true).exact);
        }
        check_near(test(c.a, c.b, RankMethod::kNormal, true).p, c.corrected);
        check_near(test(c.a, c.b, RankMethod::kNormal, false).p, c.plain);
    }
}

std::vector<double> random_sample(std::mt19937& generator, std::size_t n, int values) {
    std::vector<double> sample(n);
    for (double& value : sample) value = static_cast<double>(generator() % static_cast<unsigned>(values));
    return sample;
}

}  // namespace

TEST_CASE("Wilcoxon's signed rank test gives R's values, exact and normal, with ties and zeros") {
    check_against_r(reference::kSignedRank, wilcoxon_signed_rank);
}

TEST_CASE("the rank sum test gives R's values, exact and normal, with ties") {
    check_against_r(reference::kRankSum, wilcoxon_rank_sum);
}

TEST_CASE("Holm's correction gives R's values") {
    for (const auto& c : reference::kHolm) {
        const std::vector<double> adjusted = holm(c.p);
        REQUIRE(adjusted.size() == c.adjusted.size());
        for (std::size_t k = 0; k < adjusted.size(); ++k) check_near(adjusted[k], c.adjusted[k]);
    }
    CHECK(holm({}).empty());
}

TEST_CASE("Friedman's test and Iman and Davenport's F give R's values") {
    for (const auto& c : reference::kFriedman) {
        const Friedman test = friedman(c.rows);
        for (std::size_t k = 0; k < c.ranks.size(); ++k) check_near(test.mean_ranks[k], c.ranks[k]);
        check_near(test.chi_squared, c.chi);
        check_near(test.p, c.p);
        check_near(test.f, c.f);
        check_near(test.f_p, c.f_p);
    }
}

TEST_CASE("the studentised range gives R's probabilities and quantiles") {
    for (const auto& c : reference::kRangeProbability) check_near(studentized_range(c.q, c.k), c.p);
    // R's qtukey has an error of up to 1e-4. For a closer check, each quantile is put into studentized_range(), which
    // was checked above.
    for (const auto& c : reference::kStudentizedRange) {
        CHECK(std::abs(studentized_range_quantile(c.p, c.k) - c.q) < 1e-3);
        check_near(studentized_range(studentized_range_quantile(c.p, c.k), c.k), c.p);
    }
    // The expected values are from Demsar's table of q_0.05 / sqrt(2).
    CHECK(critical_difference(2, 1) == doctest::Approx(1.960).epsilon(1e-3));
    CHECK(critical_difference(5, 30) / std::sqrt(5.0 * 6 / (6 * 30)) == doctest::Approx(2.728).epsilon(1e-3));
    CHECK(critical_difference(10, 12) / std::sqrt(10.0 * 11 / (6 * 12)) == doctest::Approx(3.164).epsilon(1e-3));
}

TEST_CASE("A12 counts wins and half of the ties") {
    CHECK(a12(std::vector{1.0, 2.0, 3.0}, std::vector{0.0}) == 1);
    CHECK(a12(std::vector{1.0}, std::vector{1.0}) == 0.5);
    CHECK(a12(std::vector{1.0, 2.0}, std::vector{2.0, 3.0}) == doctest::Approx(0.125));
    CHECK(a12_size(0.5) == std::string("none"));
    CHECK(a12_size(0.56) == std::string("small"));
    CHECK(a12_size(0.36) == std::string("medium"));
    CHECK(a12_size(0.71) == std::string("large"));
    CHECK(a12_size(0) == std::string("large"));
}

TEST_CASE("samples of one value, of equal values and of equal pairs have p-values without NaN") {
    const std::vector<double> one{3}, same{2, 2, 2, 2}, other{2, 2, 2};
    for (const RankMethod method : {RankMethod::kAuto, RankMethod::kExact, RankMethod::kNormal}) {
        CHECK(wilcoxon_signed_rank(same, same, method).p == 1);
        CHECK(wilcoxon_signed_rank(same, same, method).zeros == 4);
        CHECK(wilcoxon_signed_rank(one, std::vector{4.0}, method).p == 1);
        CHECK(wilcoxon_rank_sum(same, other, method).p == 1);
        CHECK(wilcoxon_rank_sum(one, std::vector{4.0}, method).p == 1);
    }
    CHECK(wilcoxon_signed_rank({}, {}).p == 1);
    CHECK_THROWS_AS(wilcoxon_signed_rank(one, same), std::invalid_argument);
    CHECK_THROWS_AS(wilcoxon_rank_sum({}, same), std::invalid_argument);
    const Friedman tied = friedman({{1, 1, 1}, {2, 2, 2}});
    CHECK(tied.p == 1);
    CHECK(tied.f_p == 1);
    CHECK(tied.mean_ranks == std::vector<double>{2, 2, 2});
    const Friedman alike = friedman({{1, 2, 3}, {4, 5, 6}, {7, 8, 9}});
    CHECK(std::isinf(alike.f));
    CHECK(alike.f_p == doctest::Approx(1.0 / 36));
    CHECK(friedman({{1, 2, 2}, {4, 5, 5}, {7, 9, 9}}).f_p == doctest::Approx(1.0 / 9));
    CHECK(friedman({{1, 2}}).p <= 1);
    CHECK(friedman({{1, 2}}).f_p == 1);
    CHECK_THROWS_AS(friedman({{1}}), std::invalid_argument);
    CHECK_THROWS_AS(friedman({{1, 2}, {1}}), std::invalid_argument);
}

TEST_CASE("the order of the values, and which sample is first, change no p-value") {
    std::mt19937 generator(7);
    for (int round = 0; round < 60; ++round) {
        const std::size_t n = 1 + generator() % 20;
        std::vector<double> a = random_sample(generator, n, 1 + round % 9),
                            b = random_sample(generator, n, 1 + round % 9);
        const double paired = wilcoxon_signed_rank(a, b).p, independent = wilcoxon_rank_sum(a, b).p;
        CHECK(paired >= 0);
        CHECK(paired <= 1);
        CHECK(wilcoxon_signed_rank(b, a).p == doctest::Approx(paired).epsilon(1e-12));
        CHECK(wilcoxon_rank_sum(b, a).p == doctest::Approx(independent).epsilon(1e-12));
        CHECK(a12(a, b) + a12(b, a) == doctest::Approx(1));
        for (std::size_t k = n; k-- > 1;) {  // shuffles the pairs; each pair stays together
            const std::size_t with = generator() % (k + 1);
            std::swap(a[k], a[with]);
            std::swap(b[k], b[with]);
        }
        CHECK(wilcoxon_signed_rank(a, b).p == doctest::Approx(paired).epsilon(1e-12));
        std::shuffle(b.begin(), b.end(), generator);
        CHECK(wilcoxon_rank_sum(a, b).p == doctest::Approx(independent).epsilon(1e-12));
    }
}

TEST_CASE("treatments that Friedman's test ranks near each other form groups") {
    CHECK(rank_groups(std::vector{1.0, 1.5, 3.0, 3.2}, 1.0) ==
          std::vector<std::pair<std::size_t, std::size_t>>{{0, 1}, {2, 3}});
    CHECK(rank_groups(std::vector{3.0, 1.0, 2.0}, 1.0) ==
          std::vector<std::pair<std::size_t, std::size_t>>{{0, 1}, {1, 2}});
    CHECK(rank_groups(std::vector{1.0, 2.0, 3.0}, 0.5).empty());
    CHECK(rank_groups(std::vector{1.0, 2.0, 3.0}, 5).size() == 1);
}

TEST_CASE("the rank sum test needs so many values that its least p is small enough") {
    // p of scipy.stats.mannwhitneyu([1, 2, 3, 4], [5, 6, 7, 8], method="exact")
    CHECK(least_rank_sum_p(4, 4) == doctest::Approx(0.02857142857142857));
    CHECK(wilcoxon_rank_sum(std::vector<double>{1, 2, 3, 4}, std::vector<double>{5, 6, 7, 8}).p ==
          doctest::Approx(least_rank_sum_p(4, 4)));
    CHECK(least_rank_sum_p(3, 3) > 0.05);
    CHECK(least_rank_sum_p(1, 40) == doctest::Approx(2.0 / 41));
    CHECK(fewest_values(0.05) == 4);
    CHECK(fewest_values(0.01) == 5);
}

TEST_CASE("the signed rank test needs so many pairs that its least p is small enough") {
    CHECK(fewest_pairs(0.05) == 6);
    CHECK(fewest_pairs(0.01) == 8);
    CHECK(fewest_pairs(1) == 1);
    for (const double alpha : {0.05, 0.01}) {
        const std::size_t pairs = fewest_pairs(alpha);
        const std::vector<double> low(pairs, 1.0);
        std::vector<double> high;
        for (std::size_t k = 0; k < pairs; ++k) high.push_back(2.0 + static_cast<double>(k));
        CHECK(wilcoxon_signed_rank(low, high).p <= alpha);
        CHECK(
            wilcoxon_signed_rank(std::vector(low.begin() + 1, low.end()), std::vector(high.begin() + 1, high.end())).p >
            alpha);
        CHECK(wilcoxon_signed_rank(low, high).direction() < 0);
        CHECK(wilcoxon_signed_rank(high, low).direction() > 0);
    }
}
