// SPDX-License-Identifier: Apache-2.0
// `qapfw verify`: a record's claims recomputed from its stored solutions alone.
#include <fmt/core.h>

#include <algorithm>
#include <sstream>

#include "framework/cli/commands.hpp"
#include "framework/cli/cross_check.hpp"
#include "framework/cli/environment.hpp"
#include "framework/cli/exit_codes.hpp"
#include "framework/cli/presentation.hpp"
#include "framework/cli/run_setup.hpp"
#include "framework/engine/incumbent.hpp"
#include "framework/engine/run_folders.hpp"
#include "framework/record/atomic_file.hpp"
#include "framework/record/trace.hpp"
#include "qapfw/error.hpp"

namespace qapfw::framework {
namespace {

/// Counts what fails and prints every finding.
class Findings {
  public:
    /// What findings begin with from now on: "seed 42: ".
    void set_subject(const std::string& subject) { subject_ = subject; }
    void tell(bool good, const std::string& text) {
        failed_ = failed_ || !good;
        print((good ? "ok      " : "FAILED  ") + subject_ + text + "\n");
    }
    bool failed() const { return failed_; }

  private:
    std::string subject_;
    bool failed_ = false;
};

void verify_solution(const Problem& problem, const CostedSolution& solution, const std::string& what,
                     Findings& findings) {
    const CostSpace& costs = problem.costs();
    try {
        SolutionBuffer buffer(problem.info().encoding.solution_bytes);
        store_values(problem.info().encoding, solution.values, buffer.data());
        const std::string defect = solution_defect(problem.info().encoding, buffer.data());
        if (!defect.empty()) return findings.tell(false, what + ": " + defect);
        const qapfw_cost cost = problem.evaluate(buffer.data());
        findings.tell(costs.agree(solution.cost, cost),
                      fmt::format("{}: recorded cost {}, recomputed {}", what, costs.shown_text(solution.cost),
                                  costs.shown_text(cost)));
    } catch (const Error& error) {
        findings.tell(false, what + ": " + error.what());
    }
}

/// Whether the problem's plugin is the file that made the record.
bool is_same_plugin(const Component& component, const RunResult& result) {
    return std::any_of(result.identity.plugins.begin(), result.identity.plugins.end(), [&](const PluginIdentity& used) {
        return used.kind == "problem" && used.hash == component.library_hash;
    });
}

/// The problem's files of the best solution: a text form that can be read back has its cost, all others are what the
/// problem writes of it, if it is the same plugin.
void verify_artefacts(const Problem& problem, bool same_plugin, const std::filesystem::path& folder,
                      const CostedSolution& best, Findings& findings) {
    SolutionBuffer buffer(problem.info().encoding.solution_bytes);
    store_values(problem.info().encoding, best.values, buffer.data());
    const bool reads = problem.ref()->table->read_solution != nullptr;
    for (const Artefact& artefact : problem.artefacts(buffer.data(), best.cost)) {
        try {
            const std::string recorded = read_file(folder / artefact.name);
            if (reads && artefact.media_type == "text/plain" && artefact.name.rfind("solution.", 0) == 0) {
                const qapfw_cost cost = problem.evaluate(problem.read_solution(recorded).data());
                findings.tell(problem.costs().agree(best.cost, cost),
                              fmt::format("{}: cost {}", artefact.name, problem.costs().shown_text(cost)));
            } else if (!same_plugin) {
                findings.tell(true, fmt::format("{}: not compared, another version of {} wrote it", artefact.name,
                                                problem.ref()->id));
            } else {
                const bool same = recorded == artefact.bytes;
                findings.tell(same, fmt::format("{}: {} the best solution", artefact.name,
                                                same ? "shows" : "is not what the problem writes of"));
            }
        } catch (const Error& error) {
            findings.tell(false, error.what());
        }
    }
}

void verify_trace(const Problem& problem, const std::filesystem::path& folder, const RunResult& result,
                  Findings& findings) {
    const TraceCheck check = check_trace(read_file(folder / "trace.jsonl"), problem.costs());
    if (!check.defect.empty()) return findings.tell(false, "trace.jsonl: " + check.defect);
    // A run killed between writing a trace line and the result has one line more than its result knows of.
    const bool agrees =
        !check.last || !result.finished || !result.best || !problem.costs().less(*check.last, result.best->cost);
    findings.tell(agrees, fmt::format("trace.jsonl: {} improvements", check.lines));
}

/// One run's record: the solutions of its result, its files and its trace.
void verify_run(const Problem& problem, const Component& component, const std::filesystem::path& folder,
                const RunResult& result, Findings& findings) {
    findings.tell(problem.info().fingerprint == result.identity.fingerprint,
                  fmt::format("instance {}: the data are those of the run", result.identity.instance));
    const std::string defect = quality_defect(read_file(folder / "result.json"));
    if (!defect.empty()) findings.tell(false, "result.json: " + defect);
    if (!result.best) {
        findings.tell(result.stop_reason == "running" || !result.finished, "no solution is recorded");
    } else {
        verify_solution(problem, *result.best, "best solution", findings);
        for (std::size_t k = 1; k < result.solutions.size(); ++k) {
            verify_solution(problem, result.solutions[k], fmt::format("solution {}", k), findings);
        }
    }
    std::error_code ignored;
    if (!std::filesystem::exists(folder / "trace.jsonl", ignored)) return;
    if (result.best) verify_artefacts(problem, is_same_plugin(component, result), folder, *result.best, findings);
    verify_trace(problem, folder, result, findings);
}

/// The runs of a summary, each with its own record, and what the summary says of them.
void verify_runs(const Problem& problem, const Component& component, const std::filesystem::path& folder,
                 const RunResult& best, const std::vector<RunLine>& lines, Findings& findings) {
    for (const RunLine& line : lines) {
        findings.set_subject(fmt::format("seed {}: ", line.seed));
        try {
            const std::filesystem::path place = seed_folder(folder, line.seed);
            const RunResult run = read_record_result(place);
            verify_run(problem, component, place, run, findings);
            const std::string cost = run.best ? run.costs.shown_text(run.best->cost) : "";
            findings.tell(cost == line.best_cost_text,
                          fmt::format("the summary has cost {}",
                                      line.best_cost_text.empty() ? std::string("none") : line.best_cost_text));
            if (run.best && best.best && run.costs.less(run.best->cost, best.best->cost)) {
                findings.tell(false, "is better than the summary's best");
            }
        } catch (const Error& error) {
            findings.tell(false, error.what());
        }
    }
    findings.set_subject("");
}

int verify_record(const VerifyOptions& options) {
    const std::filesystem::path folder = options.folder;
    const RunResult result = read_record_result(folder);
    CommonOptions common = options.common;
    common.data.insert(common.data.end(), result.data_paths.begin(), result.data_paths.end());
    RunSetup setup = load_setup((folder / "config.toml").string(), {}, common);
    Host host(1, data_paths(common));
    const Problem problem(host, setup.config.problem);
    const std::filesystem::path file = folder / "result.json";

    Findings findings;
    const Component& component = *setup.config.problem.component;
    verify_run(problem, component, folder, result, findings);
    verify_runs(problem, component, folder, result, parse_run_lines(read_file(file), file.string()), findings);
    return findings.failed() ? kCheckFailed : kSuccess;
}

}  // namespace

int command_verify(const VerifyOptions& options) {
    if (!options.cross.empty()) return cross_check(options);
    if (options.folder.empty()) throw Error(ErrorKind::kUsage, "verify: wanted a run record or --cross CONFIG");
    return verify_record(options);
}

}  // namespace qapfw::framework
