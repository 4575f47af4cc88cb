// SPDX-License-Identifier: Apache-2.0
// The commands of the program, each with its options. A command returns an exit code and throws Error if it cannot do
// its work.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace qapfw::framework {

/// Options that most commands take.
struct CommonOptions {
    std::vector<std::string> plugin_path;  ///< folders or libraries
    std::vector<std::string> data;         ///< folders with instances
    bool allow_writable_plugins = false;
    bool allow_plugins_from_config = false;  ///< use plugin folders that a configuration or record names
    std::chrono::steady_clock::time_point program_start = std::chrono::steady_clock::now();
};

/// Options for the output of the commands run, validate, solve and resume.
struct OutputOptions {
    bool json = false;     ///< prints only result.json
    bool quiet = false;    ///< prints only the cost and the assignment
    bool verbose = false;  ///< also shows digest, rates and the solver's messages
};

struct RunOptions {
    CommonOptions common;
    std::string config;  ///< configuration file; empty: everything comes from --set
    std::vector<std::pair<std::string, std::string>> set;
    std::vector<std::string> unset;              ///< keys of the configuration file that are left out
    std::map<std::string, std::string> spelled;  ///< by key: the option or argument that set the key, if not --set
    std::string processes = "auto";              ///< how to find other processes, see ProcessGroup
    OutputOptions output;
    std::string rank_file;      ///< path of the rank file to write, see rank_file.hpp; empty: none
    bool only_answers = false;  ///< true: the terminal shows only warnings, unless --verbose or a log level is given
};
int command_run(const RunOptions& options);
int command_validate(const RunOptions& options);

struct SolveOptions {
    RunOptions run;                      ///< options of the run; `solve` has no configuration file
    std::vector<std::string> instances;  ///< one instance (a file or a name), or two files: flows, distances
};
int command_solve(const SolveOptions& options);

struct ResumeOptions {
    CommonOptions common;
    std::string folder;
    /// Keys and values that replace those of the run: limits, threads, backend, output. None changes the trajectory.
    std::vector<std::pair<std::string, std::string>> set;
    std::map<std::string, std::string> spelled;
    std::string processes = "auto";
    OutputOptions output;
};
int command_resume(const ResumeOptions& options);

struct VerifyOptions {
    CommonOptions common;
    std::string folder;   ///< run record to verify; empty: see `cross`
    std::string cross;    ///< configuration to run on several numbers of threads and on the GPU; empty: see `folder`
    bool replay = false;  ///< repeat the record's runs and compare
    double replay_limit = 60;  ///< seconds; runs that searched longer are not repeated
    std::vector<std::pair<std::string, std::string>> set;
    std::vector<std::string> unset;
};
int command_verify(const VerifyOptions& options);

int command_plugin_list(const CommonOptions& options, bool json);

struct DescribeOptions {
    CommonOptions common;
    std::string id;
    std::string kind;  ///< problem, solver or improver; empty: all components with this id
    bool json = false;
};
int command_plugin_describe(const DescribeOptions& options);

struct CheckOptions {
    CommonOptions common;
    std::string library;
    std::vector<std::pair<std::string, std::string>> parameters;  ///< parameters of the components under test
    std::string problem;           ///< problem for solvers and improvers; empty: the suite's own
    std::string instance;          ///< instance of `problem`, or of the problem under test
    std::uint64_t iterations = 0;  ///< iteration limit of the case solve-long; 0: 100,000 iterations or a few seconds
    std::string only;              ///< run only the cases whose name contains this text; empty: all cases
    std::uint32_t seconds = 60;    ///< time limit of each case
    bool sanitize = false;         ///< the library was compiled with sanitizers
    bool json = false;
};
int command_plugin_check(const CheckOptions& options);

struct NewPluginOptions {
    CommonOptions common;
    std::string kind, name, folder;  ///< kind: problem, solver or improver; folder: path to create; empty: ./<name>
    bool device = false;             ///< the new plugin gets device code too
};
int command_plugin_new(const NewPluginOptions& options);

struct InstallOptions {
    CommonOptions common;
    std::string file;  ///< `install`: the library; `remove`: the plugin's name
};
int command_plugin_install(const InstallOptions& options);
int command_plugin_remove(const InstallOptions& options);

struct InstanceOptions {
    CommonOptions common;
    std::string problem;  ///< empty: the problem that recognises the instance; for `list`: "qap"
    std::string instance;
    std::string output;  ///< file or folder of an export; empty: standard output
    std::vector<std::pair<std::string, std::string>> parameters;
    bool json = false;
};
int command_instance_list(const InstanceOptions& options);
int command_instance_show(const InstanceOptions& options);
int command_instance_export(const InstanceOptions& options);
/// Converts the instance to the file `options.output`. The ending of the file's name decides the format.
int command_instance_convert(const InstanceOptions& options);

struct StudyOptions {
    CommonOptions common;
    std::string study;  ///< study file; for the commands status, archive and report: the study's folder
    /// The study's folder. Empty: for the study file NAME.toml, runs/NAME, or runs/NAME-quick if `quick` is true. For
    /// the command report: the report's folder; if `work` is empty, the study's folder.
    std::string work;
    std::string backend;
    std::uint32_t seeds = 0;  ///< number of seeds; 0: as in the study file
    /// Number of runs at the same time, or "auto": one for each GPU; without GPUs, one for each core.
    std::string jobs = "1";
    std::uint32_t threads = 0;  ///< number of threads of each run; 0: the cores divided by the jobs
    std::string archive;        ///< archive to write; empty: named after the study's folder
    std::string part = "1/1";   ///< part K of N parts of the runs, as "K/N"
    std::vector<std::pair<std::string, std::string>> set;
    std::map<std::string, std::string> spelled;  ///< options that set keys, see RunOptions::spelled
    std::vector<std::string> only;
    bool quick = false, retry = false, skip_missing = false, json = false, quiet = false;
    bool pool_builds = false, commands = false, paper = false;
};
int command_study_plan(const StudyOptions& options);
int command_study_run(const StudyOptions& options);
int command_study_archive(const StudyOptions& options);  ///< `options.study` must be the study's folder
int command_study_status(const StudyOptions& options);
/// Writes the report of the study in folder `study` and returns the report's folder: `work`, or `study` if `work` is
/// empty. Prints nothing but warnings.
std::filesystem::path write_study_report(const StudyOptions& options);
int command_study_report(const StudyOptions& options);  ///< calls write_study_report; prints the path of report.html

struct ReportOptions {
    std::vector<std::string> folders;  ///< run records; a record has one run or several (one for each seed)
    std::string output = "report";     ///< folder of the report
    std::string title = "Runs";
    bool pool_builds = false;
};
int command_report(const ReportOptions& options);

struct RunsOptions {
    std::string folder = "runs";
    double older = 0;  ///< clean: deletes only records that were last written at least this many seconds ago
    bool finished = false, yes = false, json = false;
};
int command_runs_list(const RunsOptions& options);
int command_runs_clean(const RunsOptions& options);

/// Prints words for shell completion, one word on each line. `kind`: instances, keys, algorithms or plugins. Throws
/// Error(kUsage) for any other kind.
int command_offers(const CommonOptions& common, const std::string& kind);

/// `qapfw` alone: shows how to begin.
int command_welcome();
int command_schema(const CommonOptions& options);
int command_doctor(const CommonOptions& options, bool json);

}  // namespace qapfw::framework
