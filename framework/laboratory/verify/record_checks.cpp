// SPDX-License-Identifier: Apache-2.0
#include "framework/laboratory/verify/record_checks.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "framework/answers/evaluated.hpp"
#include "framework/answers/feasibility.hpp"
#include "framework/engine/run_folders.hpp"
#include "framework/laboratory/verify/result_checks.hpp"
#include "framework/record/trace.hpp"
#include "qapfw/error.hpp"

namespace qapfw::framework::laboratory {
namespace {

using Defects = std::vector<std::string>;

/// True if the problem's plugin is the same file as when the record was made.
bool is_same_plugin(const RunFiles& run, const RunTruth& truth) {
    const std::string& hash = truth.config.problem.component->library_hash;
    return std::any_of(run.result.identity.plugins.begin(), run.result.identity.plugins.end(),
                       [&](const PluginIdentity& used) { return used.kind == "problem" && used.hash == hash; });
}

void check_solutions(const RunFiles& run, const RunTruth& truth, Findings& findings) {
    const RunResult& result = run.result;
    const CostSpace& costs = truth.problem.costs();
    if (!result.best) return findings.tell(!result.finished || result.solutions.empty(), "no solution is recorded");
    Defects defects;
    const Evaluated best = evaluate(truth.problem, *result.best);
    if (!best.defect.empty()) defects.push_back("the best: " + best.defect);
    for (std::size_t k = 0; k < result.solutions.size(); ++k) {
        const CostedSolution& solution = result.solutions[k];
        const Evaluated evaluated = evaluate(truth.problem, solution);
        if (!evaluated.defect.empty()) defects.push_back(fmt::format("solution {}: {}", k, evaluated.defect));
        if (k > 0 && costs.less(solution.cost, result.solutions[k - 1].cost)) {
            defects.push_back(fmt::format(
                "solution {} is better than the solution before it; the list must go from the best to the worst", k));
        }
    }
    const bool first = !result.solutions.empty() && result.solutions.front().values == result.best->values;
    if (!first) defects.emplace_back("the best solution is not the first in the list of solutions");
    findings.tell(fmt::format("best solution: recorded cost {}, recomputed {}", costs.shown_text(result.best->cost),
                              best.cost ? costs.shown_text(*best.cost) : "none"),
                  defects);
}

/// The defect of a file that the problem wrote for the best solution; empty: none.
std::string artefact_defect(const RunFiles& run, const RunTruth& truth, const Artefact& artefact, bool same_plugin) {
    const Problem& problem = truth.problem;
    const std::string recorded = read_file(run.folder / artefact.name);
    const bool reads = problem.ref()->table->read_solution != nullptr;
    if (reads && artefact.media_type == "text/plain" && artefact.name.rfind("solution.", 0) == 0) {
        const qapfw_cost cost = problem.evaluate(problem.read_solution(recorded).data());
        if (run.unfinished() || problem.costs().agree(run.result.best->cost, cost)) return {};
        return fmt::format("it has cost {}, but the best solution has {}", problem.costs().shown_text(cost),
                           problem.costs().shown_text(run.result.best->cost));
    }
    if (!same_plugin || run.unfinished() || recorded == artefact.bytes) return {};
    return "it differs from what the problem writes for the best solution";
}

void check_artefacts(const RunFiles& run, const RunTruth& truth, Findings& findings) {
    if (!run.result.best) return;
    const qapfw_encoding& encoding = truth.problem.info().encoding;
    SolutionBuffer buffer(encoding.solution_bytes);
    try {
        store_values(encoding, run.result.best->values, buffer.data());
        if (!solution_defect(encoding, buffer.data()).empty()) return;  // check_solutions reports this defect
    } catch (const Error&) {
        return;
    }
    const bool same_plugin = is_same_plugin(run, truth);
    for (const Artefact& artefact : truth.problem.artefacts(buffer.data())) {
        if (run.unfinished() && !std::filesystem::exists(run.folder / artefact.name)) {
            findings.note(artefact.name + ": the run was killed before this file was written");
            continue;
        }
        if (!same_plugin && !std::filesystem::exists(run.folder / artefact.name)) {
            findings.note(artefact.name +
                          ": the file is missing; another version of the problem's plugin wrote the record");
            continue;
        }
        try {
            const std::string defect = artefact_defect(run, truth, artefact, same_plugin);
            findings.tell(artefact.name, defect.empty() ? Defects{} : Defects{defect});
        } catch (const Error& error) {
            findings.tell(artefact.name, Defects{error.what()});
        }
    }
    if (!same_plugin)
        findings.note("only solutions are compared: another version of the problem's plugin wrote the record");
}

void check_instance(const RunFiles& run, const RunTruth& truth, Findings& findings) {
    const RunResult& result = run.result;
    const qapfw_problem_info& info = truth.problem.info();
    Defects defects;
    if (info.fingerprint != result.identity.fingerprint)
        defects.emplace_back("the instance's data differ from the data of the run");
    if (info.n != result.n) defects.push_back(fmt::format("n: recorded {}, found {}", result.n, info.n));
    if (encoding_pattern(info.encoding) != result.encoding)
        defects.emplace_back("solutions of the record have another form than solutions of the problem");
    const CostSpace& costs = truth.problem.costs();
    const auto same_bound = [&](const std::optional<qapfw_cost>& recorded, bool has, qapfw_cost found) {
        return recorded.has_value() == has && (!has || costs.raw_text(*recorded) == costs.raw_text(found));
    };
    if (is_same_plugin(run, truth)) {  // another version may know a better value
        const bool known = same_bound(result.best_known, info.has_best_known != 0, info.best_known);
        if (!known) defects.emplace_back("the recorded best-known value differs from the problem's");
        const bool bound = same_bound(result.lower_bound, info.has_lower_bound != 0, info.lower_bound);
        if (!bound) defects.emplace_back("the recorded lower bound differs from the problem's");
    }
    if (costs.kind != result.costs.kind || costs.sense != result.costs.sense || costs.divisor != result.costs.divisor) {
        defects.emplace_back("the record counts costs in another way than the problem");
    }
    findings.tell("instance " + result.identity.instance, defects);
}

/// True if the best solution is the one that the problem offers as a start of runs.
bool is_known_start(const Problem& problem, const CostedSolution& best) {
    const auto start = feasible_start(problem);
    return start && solution_values(problem.info().encoding, start->data()) == best.values;
}

/// Compares the trace's first line and last improvement with the result.
void compare_trace(const RunFiles& run, const RunTruth& truth, const TraceCheck& trace, Defects& defects) {
    const RunResult& result = run.result;
    const CostSpace& costs = truth.problem.costs();
    if (trace.head != trace_head(result)) defects.emplace_back("its first line names another run");
    if (run.unfinished() || !result.best) return;
    const bool exact = !result.found.kept && result.error.empty();
    if (!trace.last) {
        const bool is_start = !truth.config.initial.empty() || is_known_start(truth.problem, *result.best);
        if (exact && !is_start) defects.emplace_back("it holds no improvement, but the result has a best solution");
        return;
    }
    const Improvement& last = *trace.last;
    const bool worse = costs.less(result.best->cost, last.cost), better = costs.less(last.cost, result.best->cost);
    if (better || (worse && exact)) {
        defects.push_back(fmt::format("its last cost is {}, but the result's best is {}", costs.shown_text(last.cost),
                                      costs.shown_text(result.best->cost)));
    }
    const BestFound found{last.iteration, last.search, last.evaluations, last.seconds};
    const bool same = found.iteration == result.found.iteration && found.search == result.found.search &&
                      found.evaluations == result.found.evaluations && found.seconds == result.found.seconds;
    if (exact && !same)
        defects.emplace_back("its last line and the result disagree on when the best solution was found");
    const bool beyond = last.iterations > result.counters.iterations ||
                        last.evaluations > result.counters.evaluations || last.seconds > result.seconds;
    if (beyond) defects.emplace_back("its last line has more iterations, evaluations or seconds than the result");
}

void check_trace_file(const RunFiles& run, const RunTruth& truth, const std::string& text, Findings& findings) {
    const TraceCheck trace = check_trace(text, truth.problem.costs());
    Defects defects;
    if (!trace.defect.empty()) {
        defects.push_back(trace.defect);
    } else {
        compare_trace(run, truth, trace, defects);
    }
    const std::string offered = trace.offered > 0 ? fmt::format(", {} within rounds", trace.offered) : std::string();
    findings.tell(fmt::format("trace.jsonl: {} improvements{}", trace.lines, offered), defects);
}

/// Compares a checkpoint with result, trace and configuration.
void compare_checkpoint(const RunFiles& run, const RunTruth& truth, const Checkpoint& checkpoint,
                        const std::string& trace, Defects& defects) {
    const RunResult& result = run.result;
    RunIdentity wanted = result.identity;
    // The run may have moved between CPU and GPUs after the checkpoint was written.
    if (!truth.problem.has_approximate_device()) wanted.backend = checkpoint.identity.backend;
    try {
        check_same_run(checkpoint, wanted, trajectory_of(truth.config, truth.seed));
    } catch (const Error& error) {
        defects.emplace_back(error.what());
    }
    if (checkpoint.seed != truth.seed)
        defects.push_back(fmt::format("it belongs to a run with another seed, {}", checkpoint.seed));
    for (const CostedSolution& solution : checkpoint.solutions) {
        const std::string defect = evaluate(truth.problem, solution).defect;
        if (!defect.empty()) defects.push_back(defect);
    }
    const bool has_lines =
        trace.size() >= checkpoint.trace_bytes &&
        (!checkpoint.trace_hash || hash_of_lines(trace.substr(0, checkpoint.trace_bytes)) == *checkpoint.trace_hash);
    if (!has_lines)
        defects.emplace_back("trace.jsonl has lost or changed lines that it held when the checkpoint was written");
    if (run.unfinished()) return;
    const Counters &then = checkpoint.counters, &end = result.counters;
    if (then.rounds > end.rounds || then.iterations > end.iterations || then.evaluations > end.evaluations) {
        defects.emplace_back("its counters are larger than those of the result");
    }
    if (then.rounds == end.rounds && then.digest != end.digest)
        defects.emplace_back("its digest differs from the result's, though both are of the same round");
    const bool better =
        !checkpoint.solutions.empty() &&
        (!result.best || truth.problem.costs().less(checkpoint.solutions.front().cost, result.best->cost));
    if (better) defects.emplace_back("it holds a better solution than the result");
}

void check_checkpoints(const RunFiles& run, const RunTruth& truth, const std::string& trace, Findings& findings) {
    const Folder folder(run.folder);
    for (const char* name : {"checkpoint.bin", "checkpoint.previous.bin"}) {
        if (!folder.exists(name)) continue;
        Defects defects;
        try {
            compare_checkpoint(run, truth, decode_checkpoint(folder.read(name), name), trace, defects);
        } catch (const Error& error) {
            defects.emplace_back(error.what());
        }
        findings.tell(name, defects);
    }
}

std::string text_or_empty(const std::filesystem::path& file) {
    try {
        return read_file(file);
    } catch (const Error&) {
        return {};  // the caller reports that the file is missing
    }
}

}  // namespace

RunFiles read_run(const std::filesystem::path& folder) {
    RunFiles run;
    run.folder = folder;
    run.json = read_file(folder / "result.json");
    run.result = parse_unchecked_result(run.json, (folder / "result.json").string(),
                                        [&](const std::string& name) { return read_file(folder / name); });
    return run;
}

void check_run(const RunFiles& run, const RunTruth& truth, Findings& findings) {
    check_instance(run, truth, findings);
    findings.tell("result.json", result_defects(run, truth));
    check_solutions(run, truth, findings);
    check_artefacts(run, truth, findings);
    const std::string trace = text_or_empty(run.folder / "trace.jsonl");
    check_trace_file(run, truth, trace, findings);
    check_checkpoints(run, truth, trace, findings);
}

}  // namespace qapfw::framework::laboratory
