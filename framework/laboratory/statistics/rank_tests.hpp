// SPDX-License-Identifier: Apache-2.0
// Comparisons by ranks: Wilcoxon's two tests, Holm's correction, Friedman's test with Nemenyi's critical difference,
// and Vargha and Delaney's effect size. All p-values are two-sided.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "framework/laboratory/statistics/descriptive.hpp"

namespace qapfw::statistics {

enum class RankMethod {
    kAuto,   ///< exact for at most 50 differing pairs (signed rank test) or 60 values (rank sum test); else normal
    kExact,  ///< the permutation distribution of the actual ranks, including ties
    kNormal  ///< normal approximation: variance corrected for ties, continuity correction 1/2
};

struct RankTest {
    /// The signed rank test's statistic is V, the sum of the ranks of positive differences. The rank sum test's
    /// statistic is Mann and Whitney's U of the first sample, `a`.
    double statistic = 0;
    double p = 1;
    bool exact = true;
    std::size_t used = 0;   ///< signed rank test: number of pairs that differ; rank sum test: number of all values
    std::size_t zeros = 0;  ///< number of pairs left out because their two values are equal

    double expected = 0;  ///< expected statistic if the two samples have the same distribution

    /// Positive if `a` has larger ranks, negative if `b` has; 0: neither.
    double direction() const { return statistic - expected; }
};

/// The smallest number of pairs with which the signed rank test can reach p <= alpha. (The least p is 2 / 2^pairs.)
std::size_t fewest_pairs(double alpha);
/// The least p of the rank sum test for samples of these sizes.
double least_rank_sum_p(std::size_t first, std::size_t second);
/// The smallest size of two equally large samples with which the rank sum test can reach p <= alpha.
std::size_t fewest_values(double alpha);

/// The signed rank test for paired samples, from Wilcoxon, "Individual comparisons by ranking methods", Biometrics
/// Bulletin 1 (1945). Pairs of equal values are not used; differences of equal size get the mean of their ranks. If no
/// pair differs, p is 1. Throws std::invalid_argument for samples of different sizes.
RankTest wilcoxon_signed_rank(Sample a, Sample b, RankMethod method = RankMethod::kAuto, bool continuity = true);

/// The rank sum test for independent samples, from Wilcoxon's paper and from Mann and Whitney, Annals of Mathematical
/// Statistics 18 (1947). Equal values get the mean of their ranks.
RankTest wilcoxon_rank_sum(Sample a, Sample b, RankMethod method = RankMethod::kAuto, bool continuity = true);

/// Returns the p-values `p`, adjusted for their number, in the same order. The method is from Holm, "A simple
/// sequentially rejective multiple test procedure", Scandinavian Journal of Statistics 6 (1979).
std::vector<double> holm(Sample p);

/// The probability that a value of `a` is larger than a value of `b`; equal values count half. 0.5: no effect. From
/// Vargha and Delaney, "A critique and improvement of the CL common language effect size statistics of McGraw and
/// Wong", Journal of Educational and Behavioral Statistics 25 (2000).
double a12(Sample a, Sample b);
/// "none", "small", "medium" or "large", by the limits 0.56, 0.64 and 0.71 from the paper that a12() cites. A value x
/// below 0.5 counts as 1 - x.
const char* a12_size(double a12);

/// Result of Friedman's test, "The use of ranks to avoid the assumption of normality", JASA 32 (1937), corrected for
/// ties. `f` is the statistic of Iman and Davenport, "Approximations of the critical region of the Friedman statistic",
/// Communications in Statistics A9 (1980). In reports a block is an instance, and a treatment is an algorithm.
struct Friedman {
    std::vector<double> mean_ranks;  ///< mean rank of each treatment; small values have small ranks
    double chi_squared = 0, p = 1;
    /// If all blocks have the same ranks, f is infinite, and f_p is the probability that this happens by chance.
    double f = 0, f_p = 1;
    std::size_t blocks = 0;
};
/// Computes Friedman's test for rows[block][treatment]. Throws std::invalid_argument if there is no block, if there are
/// fewer than two treatments, or if the rows differ in length.
Friedman friedman(const std::vector<std::vector<double>>& rows);

/// Nemenyi's critical difference of mean ranks (Demsar, "Statistical comparisons of classifiers over multiple data
/// sets", JMLR 7 (2006)). For k treatments and N blocks it is q / sqrt(2) * sqrt(k (k + 1) / (6 N)), where q is the
/// (1 - `alpha`) quantile of the studentised range of k values with infinite degrees of freedom.
double critical_difference(std::size_t treatments, std::size_t blocks, double alpha = 0.05);
/// The distribution function of the studentised range of k normal values with infinite degrees of freedom.
double studentized_range(double q, std::size_t k);
/// The q for which studentized_range(q, k) is p.
double studentized_range_quantile(double p, std::size_t k);

/// Maximal groups of at least two treatments whose mean ranks differ by at most the critical difference. A group is
/// given by the indices of its first and last treatment, when the treatments are sorted by mean rank.
std::vector<std::pair<std::size_t, std::size_t>> rank_groups(Sample mean_ranks, double critical_difference);

}  // namespace qapfw::statistics
