// SPDX-License-Identifier: Apache-2.0
// The findings of a run: the content of result.json.
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

/// Version of the layout of result.json, trace.jsonl and the checkpoint's header.
constexpr int kRecordSchemaVersion = 1;

/// One plugin component that took part.
struct PluginIdentity {
    std::string kind, id, version;
    std::string library;  ///< id and version of the library: "qapfw.tabu 1.0.0"
    std::string hash;     ///< xxh3-128 of the file
    std::string path;
};

/// Inputs that a resumed run must find unchanged.
struct RunIdentity {
    std::vector<PluginIdentity> plugins;
    std::string instance;
    std::uint64_t fingerprint = 0;  ///< of the instance's data
    std::string backend;
    int random_scheme = 0;  ///< version of the map from coordinates to random numbers
};

/// One line "what: recorded X, found Y" per difference that changes the trajectory.
std::vector<std::string> differences(const RunIdentity& recorded, const RunIdentity& found);

struct CostedSolution {
    qapfw_cost cost{};
    SolutionValues values;
    std::string file = {};  ///< file with the values, in the record's folder; empty: they stand in result.json
};

/// More values than these stand in a file of their own, so that result.json stays small.
constexpr std::size_t kMostInlineValues = 10'000;

/// Sums over all sessions of a run.
struct Counters {
    std::uint64_t rounds = 0;       ///< complete ones
    std::uint64_t iterations = 0;   ///< outer iterations per search or population
    std::uint64_t evaluations = 0;  ///< candidates whose cost became known
    std::uint64_t digest = 0;       ///< chained over the complete rounds
};

/// Position in the run at which the best solution was found.
struct BestFound {
    std::uint64_t iteration = 0, search = 0;  ///< as the solver reported them
    std::uint64_t evaluations = 0;            ///< at the end of that round
    double seconds = 0;
    bool kept = false;  ///< found by an earlier session after the checkpoint that was resumed; so not in the trace
};

/// The move of a run from the CPU to GPUs.
struct Moved {
    std::uint64_t rounds = 0, iterations = 0;  ///< complete by then, in all sessions
    double seconds = 0;                        ///< of search by then, in all sessions
};

/// A cost below which no solution lies, and who or what says so: "Gilmore-Lawler bound", "solver exact".
struct ProvenBound {
    qapfw_cost cost{};
    std::string name;
};

struct RunResult {
    std::string stop_reason = "running";
    bool finished = false;  ///< nothing is left to do: a resume would end at once
    int signal = 0;
    std::string error;  ///< of a run that failed

    std::string problem, algorithm, improver;
    std::uint32_t n = 0;
    std::string encoding;
    RunIdentity identity;
    CostSpace costs;
    std::uint64_t seed = 0;
    std::string backend, backend_reason;
    std::vector<std::string> devices;
    std::optional<Moved> moved;  ///< in the last session
    std::uint32_t threads = 0;
    std::vector<std::string> data_paths;

    std::optional<CostedSolution> best;
    std::vector<AssignedPair> assignment;  ///< what the best solution means; may be empty
    /// Words for what the best solution breaks; empty: it is feasible. Nothing where the problem does not tell.
    std::optional<std::string> infeasibility;
    CostParts parts;  ///< named numbers of the best solution; empty: the problem tells none
    BestFound found;
    std::vector<CostedSolution> solutions;     ///< several distinct ones, best first
    std::vector<CostedSolution> alternatives;  ///< good ones that differ, best first; empty: none were looked for
    std::vector<std::vector<AssignedPair>> alternative_assignments;  ///< what each of them means; each may be empty
    std::vector<std::uint32_t> differs;  ///< of each alternative: positions that differ from the first one
    std::optional<qapfw_cost> best_known, lower_bound, target;
    std::string best_known_source;
    /// The best bound that the run knows, where it is better than the problem's own or comes from a search.
    std::optional<ProvenBound> proven;
    bool best_known_is_optimal = false;
    bool target_reached = false;

    Counters counters;
    double seconds = 0;          ///< from the first iteration, all sessions
    double wall_seconds = 0;     ///< of the process, all sessions
    double startup_seconds = 0;  ///< from the program's start to the first iteration, last session
    std::uint32_t resumes = 0;
    std::map<std::string, double> statistics;
    std::string folder;  ///< of the record; empty: none
};

/// True if the same configuration and seed give it again; a run that cannot says so in its statistics.
bool is_reproducible(const RunResult& result);

/// True if it is proven that no solution costs less than the best one: by a bound, or by the list of known optima.
bool is_optimal(const RunResult& result);

/// With a checksum over all of the text before it.
std::string to_json(const RunResult& result);

/// The text of a JSON object (it ends with "\n}\n") with its checksum as the last key.
std::string with_checksum(const std::string& json);

/// Defect of the text's checksum, or empty: the text is as it was written. A text without one is damaged.
std::string checksum_defect(const std::string& json);

/// Reads a file beside result.json by its name.
using ReadBeside = std::function<std::string(const std::string& name)>;
/// A result that may be believed. Throws Error(kInput) that begins with `where`, also where the checksum does not fit.
RunResult parse_result(const std::string& json, const std::string& where);
/// The same whatever its checksum says, for those who ask for checksum_defect() themselves. Values that stand in files
/// of their own are read by `read`; without it they stay empty. Throws Error(kInput) also where such a file is damaged.
RunResult parse_unchecked_result(const std::string& json, const std::string& where, const ReadBeside& read = {});

/// The best and the alternatives of a result, those whose values stand in result.json. Throws Error(kInput) where there
/// are none, or they do not fit.
std::vector<SolutionBuffer> best_solutions(const RunResult& result, const qapfw_encoding& encoding);

/// First contradiction in a text that parse_result took, between a figure and the rest of the text: "gap: recorded 0.5,
/// recomputed 0.1"; empty: there is none.
std::string consistency_defect(const std::string& json);

/// A line of several runs' summary.
struct RunLine {
    std::uint64_t seed = 0;
    std::string best_cost_text;  ///< empty: no solution
};
/// The lines of a summary's text; none where it is of one run. Throws Error(kInput) that begins with `where`.
std::vector<RunLine> parse_run_lines(const std::string& json, const std::string& where);
/// Number of runs that a summary's text was to be of; 0 where it does not say. Throws the same.
std::uint64_t parse_wanted_runs(const std::string& json, const std::string& where);

/// Over several runs with consecutive seeds, costs as people see them.
struct RunSummary {
    std::vector<RunResult> runs;
    std::size_t wanted = 1;
    bool complete() const { return runs.size() == wanted && runs.back().finished; }
    /// Adds a run. Of more than kFewRuns solutions are kept of the best one alone, so that many take little memory.
    void add(RunResult run);
    static constexpr std::size_t kFewRuns = 100;
    std::size_t best_added = 0;  ///< number of the best run among those that add() added
};
/// The result of a single run; for several the best run's result with "runs" (one line each) and "summary" (min,
/// median, mean, std, hits).
std::string to_json(const RunSummary& summary);

/// First contradiction between a summary's text and the results of its runs; empty: there is none.
std::string summary_defect(const std::string& json, const RunSummary& summary);

struct Statistics {
    std::size_t count = 0, hits = 0;
    double min = 0, max = 0, median = 0, mean = 0, std = 0;  ///< std: of the sample, 0 for one run
};
/// Statistics of the costs of runs with a solution. A hit reached the target, or the best-known value where there is no
/// target.
Statistics statistics_of(const RunSummary& summary);
/// Statistics of the seconds of the same runs.
Statistics times_of(const RunSummary& summary);
/// All seconds of these runs divided by their hits; none without a hit.
std::optional<double> seconds_per_hit(const RunSummary& summary);
const RunResult& best_of(const RunSummary& summary);

}  // namespace qapfw::framework
