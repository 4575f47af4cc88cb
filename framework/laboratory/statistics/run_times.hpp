// SPDX-License-Identifier: Apache-2.0
// Times to a target: expected running time, success rate, fitted and empirical distributions of run times, and the
// speedup of p independent runs.
#pragma once

#include <optional>
#include <vector>

#include "framework/laboratory/statistics/bootstrap.hpp"

namespace qapfw::statistics {

/// One run: its time, and whether it reached the target.
struct TimedRun {
    double seconds = 0;
    bool hit = false;
};

/// Total time of all runs, divided by the number of hits (Hoos and Stuetzle; "ERT" of Hansen et al., COCO). Infinite if
/// there is no hit.
double expected_running_time(std::span<const TimedRun> runs);
Interval expected_running_time_interval(std::span<const TimedRun> runs, const BootstrapOptions& options = {});

/// Fraction of runs that are hits, with its exact confidence interval (Clopper and Pearson, Biometrika 26, 1934).
struct SuccessRate {
    std::size_t hits = 0, runs = 0;
    double rate = 0;
    Interval interval;
};
SuccessRate success_rate(std::span<const TimedRun> runs, double confidence = 0.95);

/// A point of an empirical distribution function: from `x` on, its value is `share`.
struct Step {
    double x = 0, share = 0;
};
/// The points of a sample's distribution; equal values are one point. `total`: number of runs, including runs that
/// never hit (0: the sample's size).
std::vector<Step> empirical_distribution(Sample sample, std::size_t total = 0);
/// The points of the distribution of times to the target. Some runs may have missed the target. Method: Kaplan and
/// Meier, "Nonparametric estimation from incomplete observations", JASA 53 (1958). A run that missed counts as a run
/// that would need longer than its time, and longer than a hit with the same time.
std::vector<Step> empirical_distribution(std::span<const TimedRun> runs);

/// Mean time until the earliest hit among p runs that are drawn with replacement. If all p runs miss, the time of the
/// longest run is added, and p more runs are drawn. With p = 1 this is the expected running time. Infinite without a
/// hit.
double mean_of_smallest(std::span<const TimedRun> runs, std::size_t p);

enum class Family { kExponential, kShiftedExponential, kGamma, kNormal };
const char* family_name(Family family);

/// A distribution of times with its parameters: exponential: scale; shifted exponential: shift and scale; gamma: shape
/// and scale; normal: mean (shift) and standard deviation (scale).
struct Fit {
    Family family = Family::kExponential;
    double shift = 0, shape = 1, scale = 1;
    /// Root mean square of the differences between this distribution and the middles of the empirical distribution's
    /// steps.
    double error = 0;

    double distribution(double t) const;
    /// 1 - distribution(t). For the families gamma and normal the result is accurate even if it is near 0.
    double survival(double t) const;
    double mean() const;
};

/// Fit by maximum likelihood. A run that missed counts with the probability of a longer time. Returns nothing if no run
/// hit, a time is below 0, the mean time is 0, or the search for the fit diverges. Gamma has no fit if a hit has
/// time 0. If all hits have the same time, gamma and normal have no fit. A shifted exponential then fits only if a run
/// that missed took longer.
std::optional<Fit> fit_likelihood(std::span<const TimedRun> runs, Family family);
std::optional<Fit> fit_likelihood(Sample sample, Family family);  ///< the same if all runs hit; `sample`: hit times

/// Fit by least squares. It compares the distribution at each hit with the middle of the hit's step in the empirical
/// distribution. If all n runs hit, the middle of the k-th step is (k - 1/2) / n, as in Fig. 6 of the CEC 2010 paper.
/// Returns nothing if fit_likelihood gives nothing, the hits have fewer than three different times, or the search for
/// the fit diverges.
std::optional<Fit> fit_least_squares(std::span<const TimedRun> runs, Family family);
std::optional<Fit> fit_least_squares(Sample sample, Family family);  ///< the same if all runs hit; `sample`: hit times

/// M(p), the mean time until the first of p independent runs hits: the integral of survival(t)^p over t >= 0. Throws
/// std::invalid_argument if p is below 1.
double mean_of_first(const Fit& fit, double p);

}  // namespace qapfw::statistics
