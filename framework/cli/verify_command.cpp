// SPDX-License-Identifier: Apache-2.0
// `qapfw verify`: compares everything in a record with the problem and with the rest of the record.
#include <fmt/core.h>

#include <algorithm>
#include <memory>

#include "framework/cli/commands.hpp"
#include "framework/cli/environment.hpp"
#include "framework/cli/exit_codes.hpp"
#include "framework/cli/presentation.hpp"
#include "framework/cli/run_setup.hpp"
#include "framework/engine/run_folders.hpp"
#include "framework/host/log.hpp"
#include "framework/laboratory/verify/cross_check.hpp"
#include "framework/laboratory/verify/record_checks.hpp"
#include "framework/laboratory/verify/replay.hpp"
#include "qapfw/error.hpp"

namespace qapfw::framework {
using namespace laboratory;
namespace {

/// Compares a record with its configuration, its problem and, if wanted, with a replay of the run.
class Verification {
  public:
    explicit Verification(const VerifyOptions& options);
    int run();

  private:
    void verify_one(const std::filesystem::path& folder, std::uint64_t seed);
    void verify_several();
    void verify_summary(const std::string& json);
    bool unfinished(const std::filesystem::path& folder);

    const VerifyOptions& options_;
    const std::filesystem::path folder_;
    const std::vector<std::filesystem::path> data_paths_;
    RunSetup setup_;
    std::unique_ptr<SignalWatch> signals_;  // only with --replay; created before any thread
    Host host_;
    std::unique_ptr<Problem> problem_;
    StopConditions conditions_;
    Findings findings_{[](const std::string& text) { print(text); }};
    RunSummary found_;  // computed from the records of all seeds, to compare with the summary in result.json
    bool some_unfinished_ = false;
};

Verification::Verification(const VerifyOptions& options)
    : options_(options),
      folder_(options.folder),
      data_paths_(recorded_data_paths(folder_, options.common)),
      setup_(load_setup((folder_ / "config.toml").string(), {}, options.common)),
      signals_(options.replay ? std::make_unique<SignalWatch>() : nullptr),
      host_(1, data_paths_) {
    Config& config = setup_.config;
    problem_ = std::make_unique<Problem>(host_, config.problem);
    config.resolve_sizes(problem_->info().n);
    conditions_ = StopConditions::of(config.run, problem_->info());
}

int Verification::run() {
    try {
        check_same_runs(Folder(folder_), setup_.config);
    } catch (const Error& error) {
        findings_.tell(false, error.what());
        return kCheckFailed;
    }
    if (setup_.config.run.runs == 1) {
        verify_one(folder_, setup_.config.run.seed);
    } else {
        verify_several();
    }
    if (signals_ && signals_->received() != 0) return kSignalBase + signals_->received();
    return findings_.failed() ? kCheckFailed : kSuccess;
}

/// If the record has no result yet, reports that and returns true.
bool Verification::unfinished(const std::filesystem::path& folder) {
    const Folder files(folder);
    if (files.exists("result.json")) return false;
    some_unfinished_ = true;
    if (files.exists("checkpoint.bin")) {
        findings_.tell(false, "result.json is missing; `qapfw resume` goes on from the checkpoint");
    } else {
        findings_.note("unfinished: the run was ended before its first result; `qapfw resume` starts it again");
    }
    return true;
}

void Verification::verify_one(const std::filesystem::path& folder, std::uint64_t seed) {
    try {
        if (unfinished(folder)) return;
        const RunFiles run = read_run(folder);
        if (run.unfinished()) {
            some_unfinished_ = true;
            const auto holder = holder_of(Folder(folder));
            findings_.note(
                holder ? fmt::format("unfinished: in use by {}", *holder)
                       : "unfinished: the run was killed, or its record could not be written; `qapfw resume` continues "
                         "the run");
        }
        check_run(run, {setup_.config, *problem_, conditions_, seed}, findings_);
        found_.add(run.result);
        if (!options_.replay) return;
        check_replay(run, setup_.config, {data_paths_, options_.replay_limit, signals_.get()}, findings_);
    } catch (const Error& error) {
        findings_.tell(false, error.what());
    }
}

void Verification::verify_several() {
    const RunSettings& run = setup_.config.run;
    found_.wanted = run.runs;
    for (std::uint32_t k = 0; k < run.runs; ++k) {
        const std::filesystem::path place = seed_folder(folder_, run.seed + k);
        std::error_code ignored;
        if (!std::filesystem::exists(place, ignored)) continue;  // the check of the summary reports the missing record
        findings_.set_subject(fmt::format("seed {}: ", run.seed + k));
        verify_one(place, run.seed + k);
    }
    findings_.set_subject("");
    const Folder files(folder_);
    if (!files.exists("result.json")) {
        return findings_.note("unfinished: there is no summary of the runs yet; `qapfw resume` continues the runs");
    }
    try {
        verify_summary(files.read("result.json"));
    } catch (const Error& error) {
        findings_.tell(false, error.what());
    }
}

void Verification::verify_summary(const std::string& json) {
    const std::string where = (folder_ / "result.json").string();
    std::vector<std::string> defects;
    if (const std::string defect = checksum_defect(json); !defect.empty()) defects.push_back(defect);
    const std::vector<RunLine> lines = parse_run_lines(json, where);
    const bool behind = lines.size() < found_.wanted || some_unfinished_;
    if (behind) {
        findings_.note(fmt::format("unfinished: the summary holds {} of {} runs", lines.size(), found_.wanted));
    } else if (found_.runs.size() == lines.size()) {
        const std::string defect = summary_defect(json, found_);
        if (!defect.empty()) defects.push_back(defect);
    } else {
        for (const RunLine& line : lines) {
            const bool there = std::any_of(found_.runs.begin(), found_.runs.end(),
                                           [&](const RunResult& run) { return run.seed == line.seed; });
            if (!there) defects.push_back(fmt::format("seed {}: its record is missing or cannot be read", line.seed));
        }
    }
    findings_.tell("the summary", defects);
}

/// Runs one configuration on one thread, on several threads and on the GPU, and compares the results.
int verify_places(const VerifyOptions& options) {
    const RunSetup setup = load_setup(options.cross, {options.set, options.unset}, options.common);
    set_console_level(LogLevel::kWarning);
    SignalWatch signals;
    const auto agree = same_everywhere(
        setup.config, {data_paths(options.common), signals, [](const std::string& text) { print(text); }});
    if (!agree) return kSignalBase + signals.received();
    print(*agree ? "the trajectories are the same\n" : "the trajectories DIFFER\n");
    return *agree ? kSuccess : kCheckFailed;
}

}  // namespace

int command_verify(const VerifyOptions& options) {
    if (!options.cross.empty()) return verify_places(options);
    if (options.folder.empty()) throw Error(ErrorKind::kUsage, "verify: wanted a run record or --cross CONFIG");
    require_record(options.folder);
    if (options.replay) set_console_level(LogLevel::kWarning);
    return Verification(options).run();
}

}  // namespace qapfw::framework
