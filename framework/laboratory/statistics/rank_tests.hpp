// SPDX-License-Identifier: Apache-2.0
// Comparisons by ranks: Wilcoxon's two tests, Holm's correction, Friedman's test with what follows it, and Vargha and
// Delaney's effect size. All p-values are two-sided.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "framework/laboratory/statistics/descriptive.hpp"

namespace qapfw::statistics {

enum class RankMethod {
    kAuto,   ///< exact for at most 50 pairs that differ, or 60 values in all; else normal
    kExact,  ///< the permutation distribution of the ranks as they are, ties included
    kNormal  ///< with the variance corrected for ties, and a correction of 1/2 for continuity
};

struct RankTest {
    double statistic = 0;  ///< V: sum of the ranks of positive differences; W: Mann and Whitney's U of the first sample
    double p = 1;
    bool exact = true;
    std::size_t used = 0;   ///< pairs that differ, or values in all
    std::size_t zeros = 0;  ///< pairs left out because they are equal

    double expected = 0;  ///< of the statistic, where the two samples are alike

    /// Above 0 where `a` is larger by its ranks, below 0 where `b` is; 0: neither.
    double direction() const { return statistic - expected; }
};

/// The fewest pairs with which the signed rank test can give a p of at most alpha, which is 2 / 2^pairs at the least.
std::size_t fewest_pairs(double alpha);
/// The least p that the rank sum test can give for samples of these sizes, and the fewest values in each of two samples
/// of one size with which it can give at most alpha.
double least_rank_sum_p(std::size_t first, std::size_t second);
std::size_t fewest_values(double alpha);

/// Wilcoxon, "Individual comparisons by ranking methods", Biometrics Bulletin 1 (1945): paired samples. Equal pairs are
/// left out, equal differences share their rank. Where no pair differs p is 1. Samples of different sizes are
/// std::invalid_argument.
RankTest wilcoxon_signed_rank(Sample a, Sample b, RankMethod method = RankMethod::kAuto, bool continuity = true);

/// The rank sum test of the same paper, and Mann and Whitney, Annals of Mathematical Statistics 18 (1947): independent
/// samples; equal values share their rank.
RankTest wilcoxon_rank_sum(Sample a, Sample b, RankMethod method = RankMethod::kAuto, bool continuity = true);

/// Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of Statistics 6 (1979):
/// p-values adjusted for all of them together, in their order.
std::vector<double> holm(Sample p);

/// Vargha and Delaney, "A critique and improvement of the CL common language effect size statistics of McGraw and
/// Wong", Journal of Educational and Behavioral Statistics 25 (2000): the chance that a value of `a` is larger than one
/// of `b`, equal ones counting half. 0.5: no effect.
double a12(Sample a, Sample b);
/// "none", "small", "medium", "large": that paper's limits 0.56, 0.64, 0.71 and their mirror images.
const char* a12_size(double a12);

/// Friedman, "The use of ranks to avoid the assumption of normality", JASA 32 (1937), corrected for ties; F by Iman and
/// Davenport, "Approximations of the critical region of the Friedman statistic", Communications in Statistics A9
/// (1980).
struct Friedman {
    std::vector<double> mean_ranks;  ///< of each treatment; small values have small ranks
    double chi_squared = 0, p = 1;
    double f = 0, f_p = 1;  ///< where all blocks rank alike f is infinite, and f_p the chance that they do by chance
    std::size_t blocks = 0;
};
/// rows[block][treatment]; at least one block and two treatments, all rows of one length, else std::invalid_argument.
Friedman friedman(const std::vector<std::vector<double>>& rows);

/// Nemenyi's critical difference of mean ranks (Demsar, "Statistical comparisons of classifiers over multiple data
/// sets", JMLR 7 (2006)): the quantile of the studentised range with infinite degrees of freedom over sqrt(2), times
/// sqrt(k (k + 1) / (6 N)).
double critical_difference(std::size_t treatments, std::size_t blocks, double alpha = 0.05);
/// The distribution function of the studentised range of k normal values, infinite degrees of freedom, and its inverse.
double studentized_range(double q, std::size_t k);
double studentized_range_quantile(double p, std::size_t k);

/// Maximal groups of treatments whose mean ranks lie within the critical difference, as index ranges [first, last] into
/// the order by mean rank; groups of one are left out.
std::vector<std::pair<std::size_t, std::size_t>> rank_groups(Sample mean_ranks, double critical_difference);

}  // namespace qapfw::statistics
