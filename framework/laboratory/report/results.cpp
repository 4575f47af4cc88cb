// SPDX-License-Identifier: Apache-2.0
#include "framework/laboratory/report/results.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <set>

namespace qapfw::framework::laboratory {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr double kVeryLarge = 1e300;  // stands for infinity where values are subtracted

void add_once(std::vector<std::string>& names, std::set<std::string>& known, const std::string& name) {
    if (known.insert(name).second) names.push_back(name);
}

}  // namespace

std::vector<double> ResultCell::costs() const {
    std::vector<double> values;
    for (const RunRow* run : runs) {
        if (run->cost) values.push_back(*run->cost);
    }
    return values;
}

std::vector<double> ResultCell::seconds() const {
    std::vector<double> values;
    for (const RunRow* run : runs) {
        if (run->seconds) values.push_back(*run->seconds);
    }
    return values;
}

std::vector<double> ResultCell::seconds_of_hits() const {
    std::vector<double> values;
    for (const RunRow* run : runs) {
        if (run->hit && run->seconds) values.push_back(*run->seconds);
    }
    return values;
}

std::vector<statistics::TimedRun> ResultCell::timed() const {
    std::vector<statistics::TimedRun> values;
    for (const RunRow* run : runs) {
        if (run->seconds) values.push_back({*run->seconds, run->hit});
    }
    return values;
}

std::size_t ResultCell::hits() const {
    return static_cast<std::size_t>(
        std::count_if(runs.begin(), runs.end(), [](const RunRow* run) { return run->hit; }));
}

bool ResultCell::was_cut(const RunRow& run) const {
    return run.stop_reason == "time_limit" && budget > 0;
}

std::size_t ResultCell::cuts() const {
    return static_cast<std::size_t>(
        std::count_if(runs.begin(), runs.end(), [&](const RunRow* run) { return was_cut(*run); }));
}

Results::Results(const Plan& plan, const std::vector<RunRow>& rows) : plan_(plan) {
    std::set<std::string> known_instances, known_variants;
    for (const Cell& cell : plan.cells) {
        add_once(instances_, known_instances, cell.instance);
        add_once(variants_, known_variants, cell.variant());
        groups_[cell.instance] = cell.group;
        ResultCell& planned = cells_[{cell.instance, cell.variant()}];
        planned.budget = cell.iterations;
        for (const Factor& factor : cell.factors) planned.factors[factor.key] = factor.value;
    }
    for (const RunRow& row : rows) {
        add_once(instances_, known_instances, row.instance);
        add_once(variants_, known_variants, row.variant);
        ResultCell& cell = cells_[{row.instance, row.variant}];
        if (cell.runs.empty() && !(row.plain_instance.empty() && row.plain_variant.empty())) take_over(row, cell);
        cell.runs.push_back(&row);
    }
    for (auto& [key, cell] : cells_) {
        cell.instance = key.first;
        cell.variant = key.second;
        std::stable_sort(cell.runs.begin(), cell.runs.end(),
                         [](const RunRow* a, const RunRow* b) { return a->seed < b->seed; });
    }
}

/// Copies the group, budget and factors that the plan has under the old name to a cell with a new name. The new name
/// comes from tell_data_apart or tell_builds_apart.
void Results::take_over(const RunRow& row, ResultCell& cell) {
    const auto& instance = row.plain_instance.empty() ? row.instance : row.plain_instance;
    const auto& variant = row.plain_variant.empty() ? row.variant : row.plain_variant;
    groups_[row.instance] = groups_[instance];
    const auto planned = cells_.find({instance, variant});
    if (planned == cells_.end()) return;
    cell.budget = planned->second.budget;
    cell.factors = planned->second.factors;
}

std::vector<std::string> Results::variants_with_runs(bool some) const {
    std::vector<std::string> names;
    std::copy_if(variants_.begin(), variants_.end(), std::back_inserter(names), [&](const std::string& variant) {
        return some == std::any_of(instances_.begin(), instances_.end(),
                                   [&](const std::string& instance) { return find(instance, variant) != nullptr; });
    });
    return names;
}

const ResultCell* Results::find(const std::string& instance, const std::string& variant) const {
    const auto found = cells_.find({instance, variant});
    return found == cells_.end() || found->second.runs.empty() ? nullptr : &found->second;
}

std::vector<const ResultCell*> Results::of_instance(const std::string& instance) const {
    std::vector<const ResultCell*> cells;
    for (const std::string& variant : variants_) {
        if (const ResultCell* cell = find(instance, variant)) cells.push_back(cell);
    }
    return cells;
}

std::vector<const ResultCell*> Results::named(const std::string& instance, const std::string& algorithm) const {
    if (const ResultCell* cell = find(instance, algorithm)) return {cell};
    std::vector<const ResultCell*> cells;
    for (const ResultCell* cell : of_instance(instance)) {
        if (cell->runs.front()->algorithm == algorithm) cells.push_back(cell);
    }
    return cells;
}

std::string Results::group_of(const std::string& instance) const {
    const auto found = groups_.find(instance);
    return found == groups_.end() ? std::string() : found->second;
}

std::vector<double> Results::measured(const ResultCell& cell) const {
    std::vector<double> values;
    for (const RunRow* run : cell.runs) {
        switch (plan_.study.measure) {
            case StudyMeasure::kCost:
                values.push_back(run->cost ? run->sense * *run->cost : kInfinite);
                break;
            case StudyMeasure::kSeconds:
                values.push_back(run->hit && run->seconds ? *run->seconds : kInfinite);
                break;
            case StudyMeasure::kIterations:
                values.push_back(iterations_to_hit(*run));
                break;
            case StudyMeasure::kBudget: {
                const double scale = !cell.was_cut(*run)   ? 1
                                     : run->iterations > 0 ? static_cast<double>(cell.budget) / run->iterations
                                                           : kInfinite;
                values.push_back(run->seconds ? *run->seconds * scale : kInfinite);
                break;
            }
        }
    }
    return values;
}

double iterations_to_hit(const RunRow& run) {
    return run.hit ? run.iterations_to_best : kInfinite;
}

double median_with_misses(statistics::Sample values) {
    if (values.empty()) return kInfinite;
    const std::vector<double> ascending = statistics::sorted(values);
    const std::size_t half = ascending.size() / 2;
    return ascending.size() % 2 == 1 ? ascending[half] : ascending[half - 1] / 2 + ascending[half] / 2;
}

double deviation_with_misses(statistics::Sample values) {
    const double middle = median_with_misses(values);
    if (!std::isfinite(middle)) return kInfinite;
    std::vector<double> deviations;
    for (const double value : values) deviations.push_back(std::abs(value - middle));
    return median_with_misses(deviations);
}

double summary_of(StudyMeasure measure, statistics::Sample values) {
    if (values.empty()) return kInfinite;
    if (measure == StudyMeasure::kIterations) return median_with_misses(values);
    double sum = 0;
    for (const double value : values) sum += value;
    return sum / static_cast<double>(values.size());
}

double Results::summary(const ResultCell& cell) const {
    if (plan_.study.measure == StudyMeasure::kSeconds) return statistics::expected_running_time(cell.timed());
    return summary_of(plan_.study.measure, measured(cell));
}

std::string Results::summary_name() const {
    static constexpr const char* kNames[]{"mean cost", "expected time to target [s]", "median iterations",
                                          "mean time for the whole budget [s]"};
    return kNames[static_cast<std::size_t>(plan_.study.measure)];
}

std::pair<std::vector<double>, std::vector<double>> Results::paired(const ResultCell& a, const ResultCell& b) const {
    std::map<std::uint64_t, double> first;
    const std::vector<double> of_a = measured(a), of_b = measured(b);
    for (std::size_t k = 0; k < of_a.size(); ++k) first[a.runs[k]->seed] = std::min(of_a[k], kVeryLarge);
    std::pair<std::vector<double>, std::vector<double>> pairs;
    for (std::size_t k = 0; k < of_b.size(); ++k) {
        const auto found = first.find(b.runs[k]->seed);
        if (found == first.end()) continue;
        pairs.first.push_back(found->second);
        pairs.second.push_back(std::min(of_b[k], kVeryLarge));
    }
    return pairs;
}

bool Results::has_best_known(const std::string& instance) const {
    for (const ResultCell* cell : of_instance(instance)) {
        for (const RunRow* run : cell->runs) {
            if (run->best_known) return true;
        }
    }
    return false;
}

double Results::reference_cost(const std::string& instance) const {
    double best = kInfinite;
    int sense = 1;
    for (const ResultCell* cell : of_instance(instance)) {
        for (const RunRow* run : cell->runs) {
            if (run->best_known) return *run->best_known;
            sense = run->sense;
            if (run->cost) best = std::min(best, sense * *run->cost);
        }
    }
    return std::isfinite(best) ? sense * best : 0;
}

}  // namespace qapfw::framework::laboratory
