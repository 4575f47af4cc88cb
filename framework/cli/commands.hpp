// SPDX-License-Identifier: Apache-2.0
// The commands of the program, each with the options it takes. They return an exit code and throw Error for what keeps
// them from doing their work.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace qapfw::framework {

/// Options that every command takes.
struct CommonOptions {
    std::vector<std::string> plugin_path;  ///< folders or libraries
    std::vector<std::string> data;         ///< folders with instances
    bool allow_writable_plugins = false;
    bool allow_plugins_from_config = false;  ///< use the folders that a configuration or a record names
    std::chrono::steady_clock::time_point program_start = std::chrono::steady_clock::now();
};

/// Output of a command that runs something.
struct OutputOptions {
    bool json = false;     ///< result.json and nothing else
    bool quiet = false;    ///< cost and assignment alone
    bool verbose = false;  ///< digest, rates and the solver's words too
};

struct RunOptions {
    CommonOptions common;
    std::string config;  ///< file; empty: everything comes from --set
    std::vector<std::pair<std::string, std::string>> set;
    std::vector<std::string> unset;              ///< keys of the file
    std::map<std::string, std::string> spelled;  ///< keys that were set by an option of their own: by which
    std::string processes = "auto";              ///< see ProcessGroup
    OutputOptions output;
    std::string rank_file;      ///< file for the ranks of the answer: see rank_file.hpp; empty: none
    bool only_answers = false;  ///< the terminal sees warnings and the answer, unless a log level is asked for
};
int command_run(const RunOptions& options);
int command_validate(const RunOptions& options);

struct SolveOptions {
    RunOptions run;                      ///< options of the run; `solve` has no configuration file
    std::vector<std::string> instances;  ///< a file or a name, of whichever problem knows it; or two files
};
int command_solve(const SolveOptions& options);

struct ResumeOptions {
    CommonOptions common;
    std::string folder;
    std::vector<std::pair<std::string, std::string>> set;  ///< limits, threads, output: nothing that changes the course
    std::map<std::string, std::string> spelled;
    std::string processes = "auto";
    OutputOptions output;
};
int command_resume(const ResumeOptions& options);

struct VerifyOptions {
    CommonOptions common;
    std::string folder;        ///< a run record, or
    std::string cross;         ///< a configuration to run on both backends
    bool replay = false;       ///< run the record's runs again
    double replay_limit = 60;  ///< seconds of search that a run may have taken for it
    std::vector<std::pair<std::string, std::string>> set;
    std::vector<std::string> unset;
};
int command_verify(const VerifyOptions& options);

int command_plugin_list(const CommonOptions& options, bool json);

struct DescribeOptions {
    CommonOptions common;
    std::string id;
    std::string kind;  ///< problem, solver, improver; empty: all of this id
    bool json = false;
};
int command_plugin_describe(const DescribeOptions& options);

struct CheckOptions {
    CommonOptions common;
    std::string library;
    std::vector<std::pair<std::string, std::string>> parameters;  ///< of the components under test
    std::string problem;                                          ///< for solvers and improvers; empty: the suite's own
    std::string instance;                                         ///< of that problem, or of the problem under test
    std::uint64_t iterations = 0;  ///< of a solver's long run; 0: as many as half a second allows
    std::string only;              ///< part of a case's name
    std::uint32_t seconds = 60;    ///< for each case
    bool sanitize = false;         ///< the library was compiled with sanitizers
    bool json = false;
};
int command_plugin_check(const CheckOptions& options);

struct NewPluginOptions {
    CommonOptions common;
    std::string kind, name, folder;  ///< folder: where to put it; empty: ./<name>
    bool device = false;             ///< with device code
};
int command_plugin_new(const NewPluginOptions& options);

struct InstallOptions {
    CommonOptions common;
    std::string file;  ///< the library for `install`, the plugin's name for `remove`
};
int command_plugin_install(const InstallOptions& options);
int command_plugin_remove(const InstallOptions& options);

struct InstanceOptions {
    CommonOptions common;
    std::string problem;  ///< empty: the one that knows the instance
    std::string instance;
    std::string output;  ///< file or folder of an export; empty: standard output
    std::vector<std::pair<std::string, std::string>> parameters;
    bool json = false;
};
int command_instance_list(const InstanceOptions& options);
int command_instance_show(const InstanceOptions& options);
int command_instance_export(const InstanceOptions& options);
/// `options.output` names the file; its ending says which format.
int command_instance_convert(const InstanceOptions& options);

struct StudyOptions {
    CommonOptions common;
    std::string study;  ///< study file, or for status and report the study's folder
    std::string work;   ///< the study's folder; empty: runs/<name of the file>
    std::string backend;
    std::uint32_t seeds = 0;  ///< 0: as the study says
    std::string jobs = "1";   ///< a number or auto
    std::uint32_t threads = 0;
    std::string archive;       ///< file to write it into; empty: named after the study's folder
    std::string part = "1/1";  ///< part K of N parts of the runs, as "K/N"
    std::vector<std::pair<std::string, std::string>> set;
    std::map<std::string, std::string> spelled;  ///< see RunOptions
    std::vector<std::string> only;
    bool quick = false, retry = false, skip_missing = false, json = false, quiet = false;
    bool pool_builds = false, commands = false, paper = false;
};
int command_study_plan(const StudyOptions& options);
int command_study_run(const StudyOptions& options);
int command_study_archive(const StudyOptions& options);  ///< `study` is a folder
int command_study_status(const StudyOptions& options);
/// Writes the report of the study's folder, without a word; returns where.
std::filesystem::path write_study_report(const StudyOptions& options);
int command_study_report(const StudyOptions& options);  ///< `study` and `work` are folders

struct ReportOptions {
    std::vector<std::string> folders;  ///< run records
    std::string output = "report";     ///< folder
    std::string title = "Runs";
    bool pool_builds = false;
};
int command_report(const ReportOptions& options);

struct RunsOptions {
    std::string folder = "runs";
    double older = 0;  ///< clean: seconds since a record was last written
    bool finished = false, yes = false, json = false;
};
int command_runs_list(const RunsOptions& options);
int command_runs_clean(const RunsOptions& options);

/// Lists for shell completion, one word a line: instances, keys, algorithms, plugins. Throws Error(kUsage).
int command_offers(const CommonOptions& common, const std::string& kind);

/// `qapfw` alone: how to begin.
int command_welcome();
int command_schema(const CommonOptions& options);
int command_doctor(const CommonOptions& options, bool json);

}  // namespace qapfw::framework
