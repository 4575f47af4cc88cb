// SPDX-License-Identifier: Apache-2.0
// The rows of a study, grouped by instance and variant, and the study's measure of a run. Smaller measures are better.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "framework/laboratory/statistics/run_times.hpp"
#include "framework/laboratory/study/index.hpp"

namespace qapfw::framework::laboratory {

/// All runs of one variant on one instance, sorted by seed.
struct ResultCell {
    std::string instance, variant;
    std::vector<const RunRow*> runs;
    std::uint64_t budget = 0;                    ///< limit of iterations in the configuration; 0: none
    std::map<std::string, std::string> factors;  ///< for each key that the study sweeps: the value in this cell

    std::vector<double> costs() const;    ///< costs of runs with a solution, in the displayed form
    std::vector<double> seconds() const;  ///< durations, in seconds, of the runs that recorded their duration
    std::vector<double> seconds_of_hits() const;
    std::vector<statistics::TimedRun> timed() const;
    std::size_t hits() const;
    /// True if the time limit ended the run before it had made all iterations of the budget.
    bool was_cut(const RunRow& run) const;
    std::size_t cuts() const;
};

class Results {
  public:
    Results(const Plan& plan, const std::vector<RunRow>& rows);
    const Plan& plan() const { return plan_; }
    const std::vector<std::string>& instances() const { return instances_; }
    const std::vector<std::string>& variants() const { return variants_; }
    /// Variants with at least one run (`some`), or variants without any run.
    std::vector<std::string> variants_with_runs(bool some = true) const;
    const ResultCell* find(const std::string& instance, const std::string& variant) const;
    std::vector<const ResultCell*> of_instance(const std::string& instance) const;
    /// The cell of the variant with this name; if there is none, the cells of the algorithm with this name.
    std::vector<const ResultCell*> named(const std::string& instance, const std::string& algorithm) const;
    std::string group_of(const std::string& instance) const;

    /// One value per run, smaller is better. If times or iterations to the target are compared, a run that misses its
    /// target has the value infinity. In a comparison by budget, the time of a run that the time limit cut is scaled to
    /// the whole budget.
    std::vector<double> measured(const ResultCell& cell) const;
    /// The measure's summary: mean cost, expected running time, median iterations, or mean time for the whole budget.
    double summary(const ResultCell& cell) const;
    std::string summary_name() const;
    /// Returns the measured values of both cells, paired by seed, for paired tests. Infinite values become a large
    /// number, so that they can be subtracted.
    std::pair<std::vector<double>, std::vector<double>> paired(const ResultCell& a, const ResultCell& b) const;
    /// The cost that gaps are relative to: the best known cost, else the best cost of the study, else 0.
    double reference_cost(const std::string& instance) const;
    bool has_best_known(const std::string& instance) const;

  private:
    void take_over(const RunRow& row, ResultCell& cell);

    const Plan& plan_;
    std::vector<std::string> instances_, variants_;
    std::map<std::pair<std::string, std::string>, ResultCell> cells_;
    std::map<std::string, std::string> groups_;
};

/// Number of iterations until the run found its best solution; infinite if it missed the target.
double iterations_to_hit(const RunRow& run);

/// The first function returns the median, the second the median absolute deviation from the median. Values may be
/// infinite. Each result is infinite if at least half of the values are infinite.
double median_with_misses(statistics::Sample values);
double deviation_with_misses(statistics::Sample values);

/// Tells the readers of a section how runs that miss are counted.
inline constexpr const char* kRuleForMisses =
    "A run that misses its target counts as longer than any run that hits. If half of the runs or more miss, there is "
    "no median.";

/// Summarises values from Results::measured: returns their median if the measure is iterations, otherwise their mean.
/// Times to a target need statistics::expected_running_time instead.
double summary_of(StudyMeasure measure, statistics::Sample values);

}  // namespace qapfw::framework::laboratory
