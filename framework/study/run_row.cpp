// SPDX-License-Identifier: Apache-2.0
#include "framework/study/run_row.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "framework/record/json_parts.hpp"
#include "framework/study/identity.hpp"

namespace qapfw::framework {

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

std::vector<TracePoint> parse_trace(const std::string& text) {
    std::vector<TracePoint> points;
    bool head = true;
    for (std::size_t begin = 0, end = 0; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1) {
        if (std::exchange(head, false)) continue;
        const ParsedJson line = ParsedJson::parse(text.begin() + static_cast<std::ptrdiff_t>(begin),
                                                  text.begin() + static_cast<std::ptrdiff_t>(end), nullptr, false);
        if (!line.is_object() || !line.contains("cost") || !line["cost"].is_number()) break;
        points.push_back({line.value("seconds", 0.0), line.value("evaluations", 0.0), line["cost"].get<double>()});
    }
    return points;
}

}  // namespace qapfw::framework
