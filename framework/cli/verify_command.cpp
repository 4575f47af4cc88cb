// SPDX-License-Identifier: Apache-2.0
// `qapfw verify`: a record's claims recomputed from its stored solutions alone.
#include <fmt/core.h>

#include <sstream>

#include "framework/cli/commands.hpp"
#include "framework/cli/cross_check.hpp"
#include "framework/cli/environment.hpp"
#include "framework/cli/exit_codes.hpp"
#include "framework/cli/presentation.hpp"
#include "framework/cli/run_setup.hpp"
#include "framework/engine/incumbent.hpp"
#include "framework/record/atomic_file.hpp"
#include "framework/record/trace.hpp"
#include "qapfw/error.hpp"

namespace qapfw::framework {
namespace {

/// Counts what fails and prints every finding.
class Findings {
  public:
    void tell(bool good, const std::string& text) {
        failed_ = failed_ || !good;
        print((good ? "ok      " : "FAILED  ") + text + "\n");
    }
    bool failed() const { return failed_; }

  private:
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

/// The problem's own text form in the record, where it can be read back.
void verify_artefacts(const Problem& problem, const std::filesystem::path& folder, const CostedSolution& best,
                      Findings& findings) {
    if (problem.ref()->table->read_solution == nullptr) return;
    SolutionBuffer buffer(problem.info().encoding.solution_bytes);
    store_values(problem.info().encoding, best.values, buffer.data());
    for (const Artefact& artefact : problem.artefacts(buffer.data(), best.cost)) {
        const bool is_text = artefact.media_type == "text/plain" && artefact.name.rfind("solution.", 0) == 0;
        if (!is_text) continue;
        const std::filesystem::path file = folder / artefact.name;
        try {
            const SolutionBuffer read = problem.read_solution(read_file(file));
            const qapfw_cost cost = problem.evaluate(read.data());
            findings.tell(problem.costs().agree(best.cost, cost),
                          fmt::format("{}: cost {}", file.filename().string(), problem.costs().shown_text(cost)));
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

int verify_record(const VerifyOptions& options) {
    const std::filesystem::path folder = options.folder;
    const RunResult result = read_record_result(folder);
    CommonOptions common = options.common;
    common.data.insert(common.data.end(), result.data_paths.begin(), result.data_paths.end());
    RunSetup setup = load_setup((folder / "config.toml").string(), {}, common);
    Host host(1, data_paths(common));
    const Problem problem(host, setup.config.problem);

    Findings findings;
    findings.tell(problem.info().fingerprint == result.identity.fingerprint,
                  fmt::format("instance {}: the data are those of the run", result.identity.instance));
    if (!result.best) {
        findings.tell(result.stop_reason == "running" || !result.finished, "no solution is recorded");
    } else {
        verify_solution(problem, *result.best, "best solution", findings);
        for (std::size_t k = 1; k < result.solutions.size(); ++k) {
            verify_solution(problem, result.solutions[k], fmt::format("solution {}", k), findings);
        }
    }
    std::error_code ignored;
    if (std::filesystem::exists(folder / "trace.jsonl", ignored)) {
        if (result.best) verify_artefacts(problem, folder, *result.best, findings);
        verify_trace(problem, folder, result, findings);
    }
    return findings.failed() ? kCheckFailed : kSuccess;
}

}  // namespace

int command_verify(const VerifyOptions& options) {
    if (!options.cross.empty()) return cross_check(options);
    if (options.folder.empty()) throw Error(ErrorKind::kUsage, "verify: wanted a run record or --cross CONFIG");
    return verify_record(options);
}

}  // namespace qapfw::framework
