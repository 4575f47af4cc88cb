// SPDX-License-Identifier: Apache-2.0
#include "framework/record/result.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace qapfw::framework {
namespace {

bool is_hit(const RunResult& run) {
    if (run.target) return run.target_reached;
    return run.best && run.best_known && run.costs.at_most(run.best->cost, *run.best_known);
}

const PluginIdentity* find_kind(const RunIdentity& identity, const std::string& kind) {
    for (const PluginIdentity& plugin : identity.plugins) {
        if (plugin.kind == kind) return &plugin;
    }
    return nullptr;
}

std::string describe(const PluginIdentity* plugin) {
    if (plugin == nullptr) return "none";
    return fmt::format("{} {} ({}, {})", plugin->id, plugin->version, plugin->library, plugin->hash);
}

/// Empties fields that the run's line in a summary does not show, to save memory.
void drop_solutions(RunResult& run) {
    if (run.best) run.best->values = {};
    run.solutions = {};
    run.assignment = {};
    run.statistics.clear();
    run.identity.plugins = {};
    run.data_paths = {};
    run.devices = {};
}

}  // namespace

std::optional<ProvenBound> best_bound(const RunResult& result) {
    if (!result.lower_bound) return result.proven;
    if (result.proven && result.costs.less(*result.lower_bound, result.proven->cost)) return result.proven;
    return ProvenBound{*result.lower_bound, {}};
}

bool is_optimal(const RunResult& result) {
    if (!result.best) return false;
    const std::optional<ProvenBound> bound = best_bound(result);
    if (bound && result.costs.at_most(result.best->cost, bound->cost)) return true;
    return result.best_known_is_optimal && result.best_known &&
           result.costs.is_optimum(result.best->cost, *result.best_known);
}

bool is_reproducible(const RunResult& result) {
    const auto said = result.statistics.find("reproducible");
    return said == result.statistics.end() || said->second != 0;
}

std::vector<std::string> differences(const RunIdentity& recorded, const RunIdentity& found) {
    std::vector<std::string> lines;
    const auto compare = [&lines](const std::string& what, const std::string& before, const std::string& now) {
        if (before != now) lines.push_back(fmt::format("{}: recorded {}, found {}", what, before, now));
    };
    for (const char* kind : {"problem", "solver", "improver"}) {
        compare(kind, describe(find_kind(recorded, kind)), describe(find_kind(found, kind)));
    }
    compare("instance", recorded.instance, found.instance);
    compare("instance data", fmt::format("{:016x}", recorded.fingerprint), fmt::format("{:016x}", found.fingerprint));
    compare("backend", recorded.backend, found.backend);
    compare("random scheme", std::to_string(recorded.random_scheme), std::to_string(found.random_scheme));
    return lines;
}

namespace {

Statistics statistics_of_values(std::vector<double> values, std::size_t hits) {
    Statistics statistics;
    statistics.hits = hits;
    statistics.count = values.size();
    if (values.empty()) return statistics;
    std::sort(values.begin(), values.end());
    const std::size_t half = values.size() / 2;
    statistics.min = values.front();
    statistics.max = values.back();
    statistics.median = values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
    // The mean is computed from the differences to the least value. So the mean of equal values is exactly their value,
    // and their deviation is 0.
    double above = 0;
    for (const double value : values) above += value - statistics.min;
    statistics.mean = statistics.min + above / static_cast<double>(values.size());
    double squares = 0;
    for (const double value : values) squares += (value - statistics.mean) * (value - statistics.mean);
    if (values.size() > 1) statistics.std = std::sqrt(squares / static_cast<double>(values.size() - 1));
    return statistics;
}

/// Statistics of `value` over the runs with a solution.
template <class Value>
Statistics statistics_by(const RunSummary& summary, const Value& value) {
    std::vector<double> values;
    std::size_t hits = 0;
    for (const RunResult& run : summary.runs) {
        if (!run.best) continue;
        values.push_back(value(run));
        if (is_hit(run)) ++hits;
    }
    return statistics_of_values(std::move(values), hits);
}

}  // namespace

Statistics statistics_of(const RunSummary& summary) {
    return statistics_by(summary, [](const RunResult& run) { return run.costs.shown(run.best->cost); });
}

Statistics times_of(const RunSummary& summary) {
    return statistics_by(summary, [](const RunResult& run) { return run.seconds; });
}

std::optional<double> seconds_per_hit(const RunSummary& summary) {
    const Statistics times = times_of(summary);
    if (times.hits == 0) return std::nullopt;
    return times.mean * static_cast<double>(times.count) / static_cast<double>(times.hits);
}

const RunResult& best_of(const RunSummary& summary) {
    const RunResult* best = &summary.runs.front();
    for (const RunResult& run : summary.runs) {
        if (!run.best) continue;
        if (!best->best || run.costs.less(run.best->cost, best->best->cost)) best = &run;
    }
    return *best;
}

void RunSummary::add(RunResult run) {
    runs.push_back(std::move(run));
    if (wanted <= kFewRuns || runs.size() == 1) return;
    const RunResult &before = runs[best_added], &now = runs.back();
    const bool better = now.best && (!before.best || now.costs.less(now.best->cost, before.best->cost));
    drop_solutions(better ? runs[best_added] : runs.back());
    if (better) best_added = runs.size() - 1;
}

}  // namespace qapfw::framework
