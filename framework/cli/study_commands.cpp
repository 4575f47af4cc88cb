// SPDX-License-Identifier: Apache-2.0
// `qapfw study plan`, `run`, `archive` and `status`.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "framework/cli/commands.hpp"
#include "framework/cli/environment.hpp"
#include "framework/cli/exit_codes.hpp"
#include "framework/cli/output_file.hpp"
#include "framework/cli/presentation.hpp"
#include "framework/device/device_report.hpp"
#include "framework/engine/progress.hpp"
#include "framework/host/console.hpp"
#include "framework/host/cpu_limits.hpp"
#include "framework/host/log.hpp"
#include "framework/host/quantities.hpp"
#include "framework/host/working_folder.hpp"
#include "framework/laboratory/report/archive.hpp"
#include "framework/laboratory/statistics/rank_tests.hpp"
#include "framework/laboratory/study/identity.hpp"
#include "framework/laboratory/study/scheduler.hpp"
#include "framework/record/atomic_file.hpp"
#include "qapfw/error.hpp"

namespace qapfw::framework {
using namespace laboratory;
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

/// A plan, the registry that it was checked against, and the study's folder.
struct Planned {
    Registry registry;
    Plan plan;
    StudyFolder folder;
};

std::vector<fs::path> plugin_paths(const StudyFile& study) {
    std::vector<fs::path> paths;
    for (const StudySetting& setting : study.base) {
        if (setting.key != "plugins.path") continue;
        const fs::path beside = absolute_path(study.path).parent_path();
        if (setting.value.type == Node::Type::kText) paths.push_back(beside / setting.value.text);
        for (const Node& item : setting.value.items) paths.push_back(beside / item.text);
    }
    return paths;
}

Planned plan_study(const StudyOptions& options) {
    set_console_level(LogLevel::kWarning);  // the solvers' own messages are not about the study
    StudyFile study = read_study(options.study);
    PlanOptions plan_options{options.quick, options.paper, options.backend,      {},
                             options.set,   options.only,  options.skip_missing, options.pool_builds};
    if (options.seeds != 0) plan_options.seeds = options.seeds;
    Registry registry = scan_plugins(options.common, plugin_paths(study), false);
    log_refusals(registry);
    fs::path work = options.work;
    if (work.empty())
        work = fs::path("runs") / (fs::path(options.study).stem().string() + (options.quick ? "-quick" : ""));
    Plan plan = make_plan(std::move(study), plan_options, registry, data_paths(options.common));
    return {std::move(registry), std::move(plan), StudyFolder(work)};
}

std::string estimate_text(const Plan& plan, std::uint32_t jobs) {
    const PlanEstimate sum = estimate(plan);
    std::string text;
    if (sum.seconds > 0)
        text = fmt::format("at most {} (runs at a time: {})", format_duration(sum.seconds / jobs), jobs);
    if (sum.early > 0) text += fmt::format("; {} runs can end before their limit", sum.early);
    if (sum.unlimited > 0) text += fmt::format("{}{} runs have no time limit", text.empty() ? "" : "; ", sum.unlimited);
    return text;
}

/// The number of finished runs, and an estimate of how long the unfinished runs will take. An unfinished run is assumed
/// to take the mean time of its cell's finished runs. A cell is one algorithm with its settings on one instance. Cells
/// without finished runs are left out of the estimate.
std::string done_text(const Plan& plan, const StudyFolder& folder, std::uint32_t jobs) {
    if (!has_plan(folder.path())) return {};
    struct Seen {
        std::size_t done = 0, open = 0;
        double seconds = 0;
    };
    std::map<const Cell*, Seen> cells;
    std::size_t done = 0;
    for (const RunKey& run : runs_of(plan)) {
        const RunStatus status = status_of(folder, run);
        Seen& seen = cells[run.cell];
        if (status.state != StudyState::kDone) {
            ++seen.open;
            continue;
        }
        ++done;
        ++seen.done;
        seen.seconds += status.result->wall_seconds;
    }
    double left = 0;
    std::size_t open = 0;
    for (const auto& [cell, seen] : cells) {
        if (seen.done == 0) continue;
        left += seen.seconds / static_cast<double>(seen.done) * static_cast<double>(seen.open);
        open += seen.open;
    }
    std::string text = fmt::format("{} runs have finished already", done);
    if (open > 0)
        text += fmt::format(
            "; judging by the finished runs, {} of the other runs take about {} together (runs at a "
            "time: {})",
            open, format_duration(left / jobs), jobs);
    return text + "\n";
}

/// A warning if there are too few seeds for any verdict between algorithms.
std::string verdicts_text(const Plan& plan) {
    std::set<std::string> variants;
    for (const Cell& cell : plan.cells) variants.insert(cell.variant());
    const std::size_t fewest =
        plan.study.own_seeds ? statistics::fewest_values(plan.study.alpha) : statistics::fewest_pairs(plan.study.alpha);
    if (variants.size() < 2 || plan.study.seeds >= fewest) return {};
    return fmt::format("too few runs to tell algorithms apart: the study has {} seeds, but alpha = {} needs {}\n",
                       plan.study.seeds, plan.study.alpha, fewest);
}

/// Warns if the folder holds another plan: the study's file or the options have changed.
void tell_difference(const StudyFolder& folder, const Plan& plan) {
    if (!has_plan(folder.path())) return;
    Plan before;
    try {
        before = read_plan(folder.path());
    } catch (const Error& error) {
        console_line(fmt::format("{}; the plan is written again now", error.what()));
        return;
    }
    const bool without_data =
        std::any_of(before.cells.begin(), before.cells.end(), [](const Cell& cell) { return !cell.fingerprint; });
    if (without_data) {
        console_line(
            fmt::format("{}: an earlier version of qapfw made this folder, without fingerprints of the instances' "
                        "data, so all runs are made again. The old runs stay in {}; qapfw report shows them",
                        folder.path().string(), (folder.path() / "runs").string()));
    }
    std::string text = plan_difference(before.cells, plan.cells);
    if (before.study.seeds != plan.study.seeds || before.study.first_seed != plan.study.first_seed)
        text += fmt::format("\n  seeds: now {} seeds, the first is {}; before, {} seeds, the first was {}",
                            plan.study.seeds, plan.study.first_seed, before.study.seeds, before.study.first_seed);
    if (before.study.own_seeds != plan.study.own_seeds)
        text += before.study.own_seeds ? "\n  seeds: all algorithms now share the same seeds; before, each had its own"
                                       : "\n  seeds: each algorithm now has its own seeds; before, all shared the same";
    if (text.empty()) return;
    console_line(
        fmt::format("{}: the study has changed since it was last run (finished runs are kept if they did "
                    "not change):{}",
                    plan.study.path.string(), text));
}

/// Warns of finished runs that other builds of the plugins made. Throws Error(kUsage) if a cell has such runs and also
/// unfinished runs, unless --pool-builds is given.
void check_builds(const StudyFolder& folder, const Plan& plan) {
    std::map<const Cell*, std::size_t> others, open;
    std::string example;
    std::size_t count = 0;
    for (const RunKey& run : runs_of(plan)) {
        const RunStatus status = status_of(folder, run);
        if (status.state != StudyState::kDone) {
            ++open[run.cell];
            continue;
        }
        const std::string build = build_of(status.result->identity);
        if (build == run.cell->build) continue;
        ++others[run.cell];
        ++count;
        if (example.empty())
            example = fmt::format("{}: {}", run.cell->place(), build_difference(build, run.cell->build));
    }
    if (count == 0) return;
    const std::string text =
        fmt::format("{}: {} of the {} runs were made with other builds of the plugins than the installed ones ({})",
                    folder.path().string(), count, plan.run_count(), example);
    const bool mixed =
        std::any_of(others.begin(), others.end(), [&](const auto& cell) { return open.count(cell.first) > 0; });
    if (mixed && !plan.pool_builds) {
        throw Error(ErrorKind::kUsage, text +
                                           "; continue with --pool-builds, which counts the runs of all builds "
                                           "together, or start a new folder with --work FOLDER");
    }
    console_line(text);
}

std::uint32_t jobs_of(const StudyOptions& options, const std::vector<int>& gpus, const Plan& plan) {
    if (plan.study.exclusive) return 1;
    const auto cores = std::max(1U, default_thread_count());
    if (options.jobs == "auto") return gpus.empty() ? cores : static_cast<std::uint32_t>(gpus.size());
    std::uint32_t jobs = 0;
    const char* end = options.jobs.data() + options.jobs.size();
    const auto result = std::from_chars(options.jobs.data(), end, jobs);
    if (result.ec != std::errc() || result.ptr != end || jobs < 1 || jobs > 4096)
        throw Error(ErrorKind::kUsage,
                    fmt::format("--jobs must be a number from 1 to 4096 or auto, found \"{}\"", options.jobs));
    return gpus.empty() ? jobs : std::min(jobs, static_cast<std::uint32_t>(gpus.size()));
}

/// The GPUs on which runs are started, one run per GPU; none if everything runs on the CPU or no GPU can be used.
std::vector<int> gpus_for(const Plan& plan) {
    const bool wanted =
        std::any_of(plan.cells.begin(), plan.cells.end(), [](const Cell& cell) { return cell.backend != "cpu"; });
    std::vector<int> gpus;
    if (!wanted) return gpus;
    for (const GpuReport& gpu : report_devices().gpus) {
        if (gpu.usable) gpus.push_back(gpu.ordinal);
    }
    return gpus;
}

std::vector<std::string> options_passed_on(const CommonOptions& common) {
    std::vector<std::string> words;
    for (const std::string& path : common.plugin_path)
        words.insert(words.end(), {"--plugin-path", absolute_path(path).string()});
    for (const std::string& path : common.data) words.insert(words.end(), {"--data", absolute_path(path).string()});
    if (common.allow_writable_plugins) words.emplace_back("--allow-writable-plugins");
    return words;
}

/// Parses the "K/N" of --part. Throws Error(kUsage).
RunPart part_of(const std::string& text) {
    RunPart part;
    const char* const end = text.data() + text.size();
    const auto number = std::from_chars(text.data(), end, part.number);
    const bool slash = number.ec == std::errc() && number.ptr != end && *number.ptr == '/';
    const auto count = std::from_chars(slash ? number.ptr + 1 : end, end, part.count);
    if (!slash || count.ec != std::errc() || count.ptr != end || part.number < 1 || part.number > part.count)
        throw Error(ErrorKind::kUsage,
                    fmt::format("--part must be K/N, such as 3/40 (the third of 40 parts), found \"{}\"", text));
    return part;
}

/// Shell commands, one for each run that is not done. Each command has a --part that selects its run from the plan.
std::string commands_text(const StudyOptions& options, const Plan& plan, const StudyFolder& folder) {
    std::vector<std::string> words = {this_program().string(),
                                      "study",
                                      "run",
                                      absolute_path(options.study).string(),
                                      "--work",
                                      absolute_path(folder.path()).string(),
                                      "--quiet"};
    const auto add = [&](const char* option, const std::string& value) { words.insert(words.end(), {option, value}); };
    if (options.quick) words.emplace_back("--quick");
    if (options.paper) words.emplace_back("--paper");
    if (options.skip_missing) words.emplace_back("--skip-missing");
    if (!options.backend.empty()) add("--backend", options.backend);
    if (options.seeds != 0) add("--seeds", std::to_string(options.seeds));
    for (const auto& [key, value] : options.set) add("--set", key + "=" + value);
    for (const std::string& pattern : options.only) add("--only", pattern);
    const std::vector<std::string> common = options_passed_on(options.common);
    words.insert(words.end(), common.begin(), common.end());
    std::string command;
    for (const std::string& word : words) command += shell_word(word) + " ";
    std::string text;
    const std::vector<RunKey> runs = runs_of(plan);
    for (std::size_t k = 0; k < runs.size(); ++k) {
        if (status_of(folder, runs[k]).state != StudyState::kDone)
            text += fmt::format("{}--part {}/{}\n", command, k + 1, runs.size());
    }
    return text;
}

std::string counts_text(const ScheduleCounts& counts) {
    std::string text = fmt::format("{} of {} done, {} running", counts.done, counts.total, counts.running);
    if (counts.failed > 0) text += fmt::format(", {} failed", counts.failed);
    if (counts.eta >= 0 && counts.done + counts.failed < counts.total)
        text += fmt::format(", about {} left", format_duration(counts.eta));
    return text;
}

/// Shows progress: a live line on a terminal, otherwise a line every ten seconds.
class Progressing {
  public:
    explicit Progressing(bool quiet) : quiet_(quiet) {}
    void show(const ScheduleCounts& counts) {
        const auto wait = stderr_draws() ? std::chrono::milliseconds(200) : std::chrono::milliseconds(10000);
        if (quiet_ || Clock::now() - last_ < wait) return;
        last_ = Clock::now();
        if (stderr_draws()) {
            console_live(counts_text(counts));
        } else {
            console_line(counts_text(counts));
        }
    }

  private:
    bool quiet_;
    Clock::time_point last_ = Clock::now();
};

}  // namespace

int command_study_plan(const StudyOptions& options) {
    const Planned planned = plan_study(options);
    const Plan& plan = planned.plan;
    if (options.commands) return print(commands_text(options, plan, planned.folder)) ? kSuccess : kOutputError;
    std::string text = fmt::format("{}\n{} cells x {} seeds = {} runs", plan.study.title, plan.cells.size(),
                                   plan.study.seeds, plan.run_count());
    const std::string estimated = estimate_text(plan, jobs_of(options, {}, plan));
    text += fmt::format("{}\nfolder {}\n", estimated.empty() ? "" : ", " + estimated, planned.folder.path().string());
    text += verdicts_text(plan);
    text += done_text(plan, planned.folder, jobs_of(options, {}, plan));
    for (const Cell& cell : plan.cells) text += fmt::format("  {}\n", cell.place());
    return print(text) ? kSuccess : kOutputError;
}

int command_study_run(const StudyOptions& options) {
    // Every run uses one process. If a launcher such as mpirun starts several processes, each takes runs of its own.
    setenv("QAPFW_PROCESSES", "none", 1);
    const RunPart part = part_of(options.part);
    const Planned planned = plan_study(options);
    const std::vector<int> gpus = gpus_for(planned.plan);
    ScheduleOptions schedule;
    schedule.jobs = jobs_of(options, gpus, planned.plan);
    schedule.part = part;
    schedule.devices = gpus;
    schedule.threads = options.threads != 0 ? options.threads : std::max(1U, default_thread_count() / schedule.jobs);
    schedule.retry = options.retry;
    schedule.common = options_passed_on(options.common);
    tell_difference(planned.folder, planned.plan);
    check_builds(planned.folder, planned.plan);
    planned.folder.write(planned.plan, read_file(options.study));
    Progressing progress(options.quiet);
    if (!options.quiet) {
        console_line(fmt::format("{}: {} runs in {}", planned.plan.study.title, planned.plan.run_count(),
                                 planned.folder.path().string()));
    }
    Scheduler scheduler(
        planned.plan, planned.folder, schedule, [](const std::string& text) { console_line(text); },
        [&](const ScheduleCounts& counts) { progress.show(counts); });
    const ScheduleOutcome outcome = scheduler.run();
    console_end_live();
    if (!outcome.io_error.empty()) {
        console_line(
            fmt::format("qapfw: {}; finished runs are kept; run the same command again to continue", outcome.io_error));
        return kOutputError;
    }
    ScheduleCounts counts = outcome.counts;
    counts.running = 0;
    if (outcome.signal != 0) {
        console_line(fmt::format("stopped: {} of {} runs are done; run the same command again to continue", counts.done,
                                 counts.total));
        return kSignalBase + outcome.signal;
    }
    if (!options.quiet)
        console_line(fmt::format("{} of {} runs done; for a report: qapfw study report {}", counts.done, counts.total,
                                 planned.folder.path().string()));
    return counts.failed > 0 ? kRunsFailed : kSuccess;
}

int command_study_archive(const StudyOptions& options) {
    const Plan plan = read_plan(options.study);
    const StudyFolder folder(options.study);
    write_study_report(options);
    std::size_t done = 0;
    for (const RunKey& run : runs_of(plan)) done += status_of(folder, run).state == StudyState::kDone ? 1U : 0U;
    if (done < plan.run_count())
        console_line(fmt::format("{}: {} of {} runs are done; the archive has no final results of the others",
                                 options.study, done, plan.run_count()));
    write_archive_notes(folder, plan, done);
    const std::string name = absolute_path(folder.path()).lexically_normal().filename().string();
    const std::string file = options.archive.empty() ? name + ".tar.gz" : options.archive;
    const std::string bytes = archive_of(folder);
    write_output(file, bytes);
    if (file != "-")
        console_line(fmt::format("{}: {} runs, {:.1f} MB", file, done, static_cast<double>(bytes.size()) / 1e6));
    return kSuccess;
}

int command_study_status(const StudyOptions& options) {
    const Plan plan = read_plan(options.study);
    const StudyFolder folder(options.study);
    const std::vector<std::string> running = Claims(folder.claims()).all_held();
    std::map<std::string, std::size_t> count;
    std::map<const Cell*, std::set<std::string>> builds;
    std::string failures;
    for (const RunKey& run : runs_of(plan)) {
        const RunStatus status = status_of(folder, run);
        const bool at_work =
            status.state != StudyState::kDone && std::find(running.begin(), running.end(), run.name()) != running.end();
        ++count[at_work ? "running" : name_of(status.state)];
        if (status.state == StudyState::kDone) builds[run.cell].insert(build_of(status.result->identity));
        if (!at_work && is_trouble(status.state))
            failures +=
                fmt::format("{} seed {}: {}: {}\n", run.cell->place(), run.seed, name_of(status.state), status.reason);
    }
    const auto mixed =
        std::count_if(builds.begin(), builds.end(), [](const auto& cell) { return cell.second.size() > 1; });
    if (options.json) {
        const nlohmann::json json = {{"runs", plan.run_count()},          {"done", count["done"]},
                                     {"running", count["running"]},       {"failed", count["failed"]},
                                     {"started", count["started"]},       {"missing", count["missing"]},
                                     {"unreadable", count["unreadable"]}, {"other_data", count["of other data"]},
                                     {"cells_of_several_builds", mixed}};
        return print(json.dump(1) + "\n") ? kSuccess : kOutputError;
    }
    std::string text = fmt::format("{}: {} of {} runs done, {} running", plan.study.title, count["done"],
                                   plan.run_count(), count["running"]);
    for (const char* state : {"started", "failed", "unreadable", "of other data"}) {
        if (count[state] > 0) text += fmt::format(", {} {}", count[state], state);
    }
    if (mixed > 0) failures += fmt::format("cells with runs of several builds of the plugins: {}\n", mixed);
    return print(text + "\n" + failures) ? kSuccess : kOutputError;
}

}  // namespace qapfw::framework
