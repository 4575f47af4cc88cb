// SPDX-License-Identifier: Apache-2.0
#include "framework/laboratory/study/run_row.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "framework/laboratory/study/identity.hpp"
#include "framework/record/json_parts.hpp"

namespace qapfw::framework::laboratory {

namespace {

/// A member of a trace's line; 0 if it is missing, nothing if it is no number or the line is no object.
std::optional<double> number_in(const ParsedJson& line, const char* key) {
    if (!line.is_object()) return std::nullopt;
    const auto found = line.find(key);
    if (found == line.end()) return 0.0;
    return found->is_number() ? std::optional(found->get<double>()) : std::nullopt;
}

}  // namespace

RunRow row_of(const RunResult& result, const std::string& version) {
    RunRow row;
    row.algorithm = result.improver.empty() ? result.algorithm : result.algorithm + " with " + result.improver;
    row.variant = row.algorithm;
    row.instance = result.identity.instance;
    row.seed = result.seed;
    row.fingerprint = result.identity.fingerprint;
    row.build = build_of(result.identity);
    row.sense = result.costs.sense;
    if (result.best_known) row.best_known = result.costs.shown(*result.best_known);
    if (result.target) row.target = result.costs.shown(*result.target);
    if (result.best) {
        row.cost = result.costs.shown(result.best->cost);
        if (result.best_known) row.gap = result.costs.gap(result.best->cost, *result.best_known);
        const auto& wanted = result.target ? result.target : result.best_known;
        row.hit = result.target_reached || (wanted && result.costs.at_most(result.best->cost, *wanted));
    }
    row.seconds = result.seconds;
    row.wall_seconds = result.wall_seconds;
    row.seconds_to_best = result.found.seconds;
    row.iterations = static_cast<double>(result.counters.iterations);
    row.iterations_to_best = static_cast<double>(result.found.iteration);
    row.evaluations = static_cast<double>(result.counters.evaluations);
    row.stop_reason = result.stop_reason;
    row.backend = result.backend;
    row.devices = fmt::format("{}", fmt::join(result.devices, "; "));
    row.version = version;
    row.folder = result.folder;
    row.threads = result.threads;
    row.n = result.n;
    row.resumes = result.resumes;
    row.statistics = result.statistics;
    return row;
}

std::string version_in(const std::string& result_json) {
    const ParsedJson json = ParsedJson::parse(result_json, nullptr, false);
    const auto found = json.is_object() ? json.find("qapfw_version") : json.end();
    return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::vector<TracePoint> parse_trace(const std::string& text) {
    std::vector<TracePoint> points;
    bool head = true;
    for (std::size_t begin = 0, end = 0; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1) {
        if (std::exchange(head, false)) continue;
        const ParsedJson line = ParsedJson::parse(text.begin() + static_cast<std::ptrdiff_t>(begin),
                                                  text.begin() + static_cast<std::ptrdiff_t>(end), nullptr, false);
        if (!line.is_object() || !line.contains("cost")) break;
        // "offered" marks a solution that was reported before its round ended. Such a solution is not part of the
        // trajectory, so studies leave it out.
        if (line.contains("offered")) continue;
        const auto cost = number_in(line, "cost"), seconds = number_in(line, "seconds"),
                   evaluations = number_in(line, "evaluations");
        if (!cost || !seconds || !evaluations) break;
        points.push_back({*seconds, *evaluations, *cost});
    }
    return points;
}

}  // namespace qapfw::framework::laboratory
