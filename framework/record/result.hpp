// SPDX-License-Identifier: Apache-2.0
// The outcome of a run: the content of result.json.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "framework/problem/assignment.hpp"
#include "framework/problem/cost.hpp"
#include "framework/problem/encoding.hpp"
#include "framework/problem/explanation.hpp"

namespace qapfw::framework {

/// Version of the format of result.json, trace.jsonl and the checkpoint's header.
constexpr int kRecordSchemaVersion = 1;

/// One plugin component of the run.
struct PluginIdentity {
    std::string kind, id, version;
    std::string library;  ///< id and version of the library: "qapfw.tabu 1.0.0"
    std::string hash;     ///< xxh3-128 of the library's file
    std::string path;
};

/// Inputs that must be unchanged when a run is resumed.
struct RunIdentity {
    std::vector<PluginIdentity> plugins;
    std::string instance;
    std::uint64_t fingerprint = 0;  ///< fingerprint of the instance's data
    std::string backend;
    int random_scheme = 0;  ///< version of the function that computes the random numbers
};

/// One line "what: recorded X, found Y" per difference that can change the trajectory.
std::vector<std::string> differences(const RunIdentity& recorded, const RunIdentity& found);

struct CostedSolution {
    qapfw_cost cost{};
    SolutionValues values;
    std::string file = {};  ///< file with the values, in the record's folder; empty: they are in result.json
};

/// Largest number of values of a solution in result.json. Longer solutions go into files of their own.
constexpr std::size_t kMostInlineValues = 10'000;

/// Counts over all sessions of a run, and the digest of the run's rounds.
struct Counters {
    std::uint64_t rounds = 0;       ///< complete rounds
    std::uint64_t iterations = 0;   ///< passes of the solver's main loop
    std::uint64_t evaluations = 0;  ///< candidates whose cost was computed
    std::uint64_t digest = 0;       ///< hash over the complete rounds, in order
};

/// Effort and time at which the best solution was found.
struct BestFound {
    std::uint64_t iteration = 0, search = 0;  ///< numbers of the iteration and the search, reported by the solver
    std::uint64_t evaluations = 0;            ///< number of evaluations when the round of this solution ended
    double seconds = 0;
    /// True if RunBook::keep() kept the solution apart from the incumbent. For example, an earlier session found it
    /// after the checkpoint from which the run was resumed. The trace may lack this solution.
    bool kept = false;
};

/// The move of a run from the CPU to GPUs.
struct Moved {
    std::uint64_t rounds = 0, iterations = 0;  ///< completed before the move, in all sessions
    double seconds = 0;                        ///< seconds of search before the move, in all sessions
};

/// A proven lower bound of the cost, and what proved it: "Gilmore-Lawler bound", "solver exact".
struct ProvenBound {
    qapfw_cost cost{};
    std::string name;
};

struct RunResult {
    std::string stop_reason = "running";
    bool finished = false;  ///< nothing is left to do: a resumed run would end at once
    int signal = 0;
    std::string error;  ///< error of a run that failed

    std::string problem, algorithm, improver;
    std::uint32_t n = 0;
    std::string encoding;
    RunIdentity identity;
    CostSpace costs;
    std::uint64_t seed = 0;
    std::string backend, backend_reason;
    std::vector<std::string> devices;
    std::optional<Moved> moved;  ///< when the last session moved from the CPU to GPUs; empty: it did not
    std::uint32_t threads = 0;
    std::vector<std::string> data_paths;

    std::optional<CostedSolution> best;
    std::vector<AssignedPair> assignment;  ///< pairs of the best solution; may be empty
    /// The demands of the instance that the best solution breaks, in words. An empty text: it breaks no demand.
    /// Without a value: the problem cannot say.
    std::optional<std::string> infeasibility;
    CostParts parts;  ///< named numbers that explain the best solution's cost; may be empty
    BestFound found;
    std::vector<CostedSolution> solutions;  ///< several distinct solutions, the best first
    /// Good solutions that differ from each other, the best first. Empty if the run did not look for them.
    std::vector<CostedSolution> alternatives;
    std::vector<std::vector<AssignedPair>> alternative_assignments;  ///< pairs of each alternative; each may be empty
    std::vector<std::uint32_t>
        differs;  ///< for each alternative: number of positions that differ from the first alternative
    std::optional<qapfw_cost> best_known, lower_bound, target;
    std::string best_known_source;
    /// The best proven lower bound: from the solver, or computed in parallel with the search. If only one solution
    /// exists, the bound is that solution's cost. Empty: none.
    std::optional<ProvenBound> proven;
    bool best_known_is_optimal = false;
    bool target_reached = false;

    Counters counters;
    double seconds = 0;          ///< seconds from the first iteration on, summed over all sessions
    double wall_seconds = 0;     ///< wall time of the process, summed over all sessions
    double startup_seconds = 0;  ///< from the program's start to the first iteration, in the last session
    std::uint32_t resumes = 0;
    std::map<std::string, double> statistics;
    std::string folder;  ///< folder of the record; empty: none
};

/// False if the solver's statistic "reproducible" is 0: the same configuration and seed may then give another result.
bool is_reproducible(const RunResult& result);

/// The better of two bounds: the problem's own, and the bound that the run proved; nothing if there is neither. Only
/// the proven bound has a name.
std::optional<ProvenBound> best_bound(const RunResult& result);

/// True if a bound shows that no solution costs less than the best one, or if the best cost is the known optimum.
bool is_optimal(const RunResult& result);

/// The text of result.json, with a checksum over all of the text before it.
std::string to_json(const RunResult& result);

/// Returns `json` with one more key at its end: a checksum of the text. `json` is an object that ends with "\n}\n".
std::string with_checksum(const std::string& json);

/// Says that the checksum in `json` is missing or does not match the rest of the text. Returns "" if it matches.
std::string checksum_defect(const std::string& json);

/// Reads a file beside result.json by its name.
using ReadBeside = std::function<std::string(const std::string& name)>;
/// Reads a result and checks its checksum. Throws Error(kInput) for a defect; the error's text begins with `where`.
RunResult parse_result(const std::string& json, const std::string& where);
/// Reads a result without checking its checksum; callers use checksum_defect(). `read` reads the files of long
/// solutions; without `read` the values of long solutions are empty. Throws Error(kInput) also if such a file is
/// damaged.
RunResult parse_unchecked_result(const std::string& json, const std::string& where, const ReadBeside& read = {});

/// Returns the best solution and the alternatives, but no solution without values (see parse_unchecked_result). Throws
/// Error(kInput) if no solution has values, or if a solution does not fit the problem.
std::vector<SolutionBuffer> best_solutions(const RunResult& result, const qapfw_encoding& encoding);

/// Recomputes values of a result's text from its other values. Describes the first value that differs: "gap: recorded
/// 0.5, recomputed 0.1". Empty if none differs. parse_result must accept the text.
std::string consistency_defect(const std::string& json);

/// A run's line in a summary.
struct RunLine {
    std::uint64_t seed = 0;
    std::string best_cost_text;  ///< the cost as text; empty: no solution
};
/// The lines about runs in a summary's text; empty if the text is about one run. Throws Error(kInput) for a defect; the
/// error's text begins with `where`.
std::vector<RunLine> parse_run_lines(const std::string& json, const std::string& where);
/// Number of planned runs in a summary's text; 0 if the text has no such number. Throws Error(kInput) for a defect; the
/// error's text begins with `where`.
std::uint64_t parse_wanted_runs(const std::string& json, const std::string& where);

/// Results of one or several runs with consecutive seeds.
struct RunSummary {
    std::vector<RunResult> runs;
    std::size_t wanted = 1;
    bool complete() const { return runs.size() == wanted && runs.back().finished; }
    /// Adds a run. If more than kFewRuns runs are planned, only the best run keeps its solutions, to save memory.
    void add(RunResult run);
    static constexpr std::size_t kFewRuns = 100;
    /// Index in `runs` of the only run that keeps its solutions. Unused (0) if at most kFewRuns runs are planned.
    std::size_t best_added = 0;
};
/// The JSON text of a summary. If a single run is planned: the result of this run. For several runs: the best run's
/// result with "runs" (one line for each run) and "summary" (min, median, mean, std, hits).
std::string to_json(const RunSummary& summary);

/// Describes the first contradiction between a summary's text and the results of its runs. Returns "" if there is none.
std::string summary_defect(const std::string& json, const RunSummary& summary);

struct Statistics {
    std::size_t count = 0, hits = 0;
    double min = 0, max = 0, median = 0, mean = 0, std = 0;  ///< std: sample standard deviation, 0 for one run
};
/// Statistics of the displayed costs of runs with a solution. A hit is a run that reached its target or, if it has no
/// target, the best known value.
Statistics statistics_of(const RunSummary& summary);
/// Statistics of the seconds of the runs with a solution.
Statistics times_of(const RunSummary& summary);
/// The seconds of all runs with a solution, divided by the number of hits. No value if there is no hit.
std::optional<double> seconds_per_hit(const RunSummary& summary);
/// The run with the least cost; of equal runs the first. If no run has a solution: the first run.
const RunResult& best_of(const RunSummary& summary);

}  // namespace qapfw::framework
