// SPDX-License-Identifier: Apache-2.0
// One run, as tables and statistics need it. It comes from a record, through the index, or from published results.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "framework/record/result.hpp"

namespace qapfw::framework::laboratory {

/// One improvement of a run's best cost: the seconds and evaluations until then, and the new best cost.
struct TracePoint {
    double seconds = 0, evaluations = 0, cost = 0;
};

struct RunRow {
    std::string run;      ///< "<cell>.s<seed>"; of a published run: "<source>.<instance>.<run>"
    std::string variant;  ///< algorithm and factors: the name in tables
    std::string algorithm, instance, group;
    /// Names before tell_data_apart() and tell_builds_apart() changed them; empty: unchanged.
    std::string plain_instance, plain_variant;
    std::uint64_t seed = 0;
    std::uint64_t fingerprint = 0;  ///< fingerprint of the instance's data
    std::string build;              ///< plugins with versions and hashes, see build_of()
    std::optional<double> cost;     ///< cost in the displayed form
    std::optional<double> gap, best_known, target;
    int sense = 1;     ///< -1: larger costs are better
    bool hit = false;  ///< reached the target or, without one, the best known value
    std::optional<double> seconds;
    double wall_seconds = 0, seconds_to_best = 0;
    double iterations = 0, iterations_to_best = 0, evaluations = 0;
    std::string stop_reason, backend, devices, version, folder;
    std::uint32_t threads = 0, n = 0, resumes = 0;
    std::map<std::string, double> statistics;
    std::vector<TracePoint> trace;
    std::string source;  ///< source of published results; empty: a run of this program
};

/// Makes the row of a run from the run's result. Leaves `trace` of the row empty.
RunRow row_of(const RunResult& result, const std::string& version);

/// The version of the program that wrote a result.json; empty if the text has none.
std::string version_in(const std::string& result_json);

/// Returns a run's improvements at the ends of rounds, from the text of its trace.jsonl. Stops at the first broken
/// line.
std::vector<TracePoint> parse_trace(const std::string& text);

}  // namespace qapfw::framework::laboratory
