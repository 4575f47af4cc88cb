// SPDX-License-Identifier: Apache-2.0
#include "framework/cli/study_options.hpp"

namespace qapfw::framework {
namespace {

/// Options that influence the plan.
void add_plan_options(CLI::App& app, StudyOptions& o) {
    app.add_option("study", o.study, "Study file, in TOML: the experiments to run")->required()->type_name("FILE");
    app.add_option("--work", o.work,
                   "Folder of the study (default for NAME.toml: runs/NAME; with --quick: runs/NAME-quick)")
        ->type_name("FOLDER");
    app.add_flag("--quick", o.quick, "Use the study's [quick] settings: short runs, to see that everything works");
    app.add_flag("--paper", o.paper,
                 "For a study that repeats a paper: run exactly the algorithms of the paper's printed table");
    app.add_option("--backend", o.backend,
                   "Where to search if a run's configuration does not say it: cpu, cuda (GPUs), or auto (GPUs if they "
                   "can be used)")
        ->check(CLI::IsMember({"auto", "cpu", "cuda"}));
    app.add_option("--seeds", o.seeds,
                   "Number of runs of each algorithm on each instance; it replaces the study's number")
        ->check(CLI::Range(1, 1000000));
    add_assignments(app, "--set", o.set,
                    "Set a key for all runs, such as run.threads=2; it replaces the study's value");
    add_duration(app, "--time-limit", "run.time_limit", {o.set, o.spelled},
                 "Time limit of each run; it replaces the study's limit");
    app.add_option(
           "--only", o.only,
           "Run only algorithms whose name matches this pattern, such as 'tabu*', or pairs algorithm/instance such as "
           "'tabu*/nug30'; may be repeated. '*' matches all algorithms but those with default = false")
        ->type_name("PATTERN")
        ->allow_extra_args(false);
    app.add_flag("--skip-missing", o.skip_missing, "Skip instances whose files are missing");
    add_common(app, o.common);
}

void add_pool_builds(CLI::App& app, bool& pool) {
    app.add_flag("--pool-builds", pool, "Treat runs of different builds of a plugin as runs of the same algorithm");
}

}  // namespace

void add_study_commands(CLI::App& app, StudyOptions& o, Command& chosen) {
    CLI::App* study = app.add_subcommand("study", "Plan, run and report experiments over many runs");
    study->require_subcommand(1);
    study->set_version_flag("--version", "qapfw " QAPFW_VERSION);

    CLI::App* plan = add_command(*study, "plan", "Check a study and show the runs that it would start", chosen,
                                 [&o] { return command_study_plan(o); });
    add_plan_options(*plan, o);
    plan->add_flag("--commands", o.commands,
                   "Print only a command for each unfinished run, for GNU parallel, make or HTCondor");

    CLI::App* run =
        add_command(*study, "run", "Start or continue a study; several processes may work on it at the same time",
                    chosen, [&o] { return command_study_run(o); });
    add_plan_options(*run, o);
    run->add_option("--jobs", o.jobs,
                    "Number of runs at the same time (if GPUs are used, at most one for each GPU). auto: one for each "
                    "GPU, or for each core if no GPU is used")
        ->type_name("COUNT")
        ->capture_default_str();
    run->add_option("--threads", o.threads,
                    "Threads of a run if its configuration does not say how many (default: the cores divided "
                    "by --jobs)")
        ->type_name("COUNT");
    run->add_option("--part", o.part, "Do only one part of the runs, for job arrays: 3/40 is the third of 40 parts")
        ->type_name("K/N")
        ->capture_default_str();
    run->add_flag("--retry", o.retry, "Repeat runs that failed, cannot be read, or had other data than the plan");
    add_pool_builds(*run, o.pool_builds);
    run->add_flag("--quiet", o.quiet, "Show no progress, only failures");

    CLI::App* status =
        add_command(*study, "status", "Show how many runs of a study are done; works while the study runs", chosen,
                    [&o] { return command_study_status(o); });
    status->add_option("folder", o.study, "The study's folder")->required()->type_name("FOLDER");
    status->add_flag("--json", o.json, "Print JSON");

    CLI::App* archive =
        add_command(*study, "archive", "Pack report, tables and records into one file, to publish with a paper", chosen,
                    [&o] { return command_study_archive(o); });
    archive->add_option("folder", o.study, "The study's folder")->required()->type_name("FOLDER");
    archive->add_option("-o,--out,--output", o.archive, "File to write; - for standard output (default: FOLDER.tar.gz)")
        ->type_name("FILE");
    add_pool_builds(*archive, o.pool_builds);

    CLI::App* report = add_command(*study, "report", "Write report.html and its tables from the finished runs", chosen,
                                   [&o] { return command_study_report(o); });
    report->add_option("folder", o.study, "The study's folder")->required()->type_name("FOLDER");
    report->add_option("-o,--out,--output", o.work, "Folder to write the report to (default: the study's folder)")
        ->type_name("FOLDER");
    add_pool_builds(*report, o.pool_builds);
}

void add_report_command(CLI::App& app, ReportOptions& o, Command& chosen) {
    CLI::App* report =
        add_command(app, "report", "Write a report about run records", chosen, [&o] { return command_report(o); });
    report->add_option("folders", o.folders, "Run records to report on; a record of several seeds gives several runs")
        ->required()
        ->type_name("RUN_DIR");
    report->add_option("-o,--out,--output", o.output, "Folder to write the report to")
        ->type_name("FOLDER")
        ->capture_default_str();
    report->add_option("--title", o.title, "Title of the report")->capture_default_str();
    add_pool_builds(*report, o.pool_builds);
}

}  // namespace qapfw::framework
