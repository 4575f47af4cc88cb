// SPDX-License-Identifier: Apache-2.0
// The rows of a study by instance and variant, and what its measure makes of a run. Smaller measures are better.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "framework/laboratory/statistics/run_times.hpp"
#include "framework/laboratory/study/index.hpp"

namespace qapfw::framework::laboratory {

/// All runs of one variant on one instance, by seed.
struct ResultCell {
    std::string instance, variant;
    std::vector<const RunRow*> runs;
    std::uint64_t budget = 0;                    ///< iterations, where the configuration limits them
    std::map<std::string, std::string> factors;  ///< the swept keys' values

    std::vector<double> costs() const;    ///< of runs with a solution, as people see them
    std::vector<double> seconds() const;  ///< of runs that have one
    std::vector<double> seconds_of_hits() const;
    std::vector<statistics::TimedRun> timed() const;
    std::size_t hits() const;
    /// True if the time limit ended the run before its iterations were made.
    bool was_cut(const RunRow& run) const;
    std::size_t cuts() const;
};

class Results {
  public:
    Results(const Plan& plan, const std::vector<RunRow>& rows);
    const Plan& plan() const { return plan_; }
    const std::vector<std::string>& instances() const { return instances_; }
    const std::vector<std::string>& variants() const { return variants_; }
    /// Variants that have a run at all, or those that have none.
    std::vector<std::string> variants_with_runs(bool some = true) const;
    const ResultCell* find(const std::string& instance, const std::string& variant) const;
    std::vector<const ResultCell*> of_instance(const std::string& instance) const;
    /// Cells whose variant is this, or whose algorithm is.
    std::vector<const ResultCell*> named(const std::string& instance, const std::string& algorithm) const;
    std::string group_of(const std::string& instance) const;

    /// One value a run, better ones smaller. A run that misses its target counts as longer than any that hits: its time
    /// or its iterations are infinite. All sections follow this rule.
    std::vector<double> measured(const ResultCell& cell) const;
    /// The measure's summary: mean cost, expected running time, median iterations, mean time of the budget.
    double summary(const ResultCell& cell) const;
    std::string summary_name() const;
    /// Pairs by seed of two cells, for paired tests; infinite values as a large number.
    std::pair<std::vector<double>, std::vector<double>> paired(const ResultCell& a, const ResultCell& b) const;
    /// The cost that gaps are relative to: the best known one, else the best of the study.
    double reference_cost(const std::string& instance) const;
    bool has_best_known(const std::string& instance) const;

  private:
    void take_over(const RunRow& row, ResultCell& cell);

    const Plan& plan_;
    std::vector<std::string> instances_, variants_;
    std::map<std::pair<std::string, std::string>, ResultCell> cells_;
    std::map<std::string, std::string> groups_;
};

/// Iterations of the run until its best solution was there; infinite where it missed.
double iterations_to_hit(const RunRow& run);

/// The median, and the median absolute deviation from it, of values some of which may be infinite. Infinite where half
/// of them or more are.
double median_with_misses(statistics::Sample values);
double deviation_with_misses(statistics::Sample values);

/// The same rule in words, for readers of a section.
inline constexpr const char* kRuleForMisses =
    "A run that misses counts as longer than any that hits; where half of the runs or more miss there is no median.";

/// Value of the measure over drawn runs, which are resampled for intervals and verdicts.
double summary_of(StudyMeasure measure, statistics::Sample values);

}  // namespace qapfw::framework::laboratory
