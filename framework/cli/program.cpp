// SPDX-License-Identifier: Apache-2.0
// The command line (CLI11). An option that stands for a key becomes that key of the configuration. So it is checked
// like the keys of a configuration file.
#include "framework/cli/program.hpp"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <functional>
#include <map>
#include <memory>

#include "framework/cli/command_description.hpp"
#include "framework/cli/commands.hpp"
#include "framework/cli/exit_codes.hpp"
#include "framework/cli/installation.hpp"
#include "framework/cli/option_groups.hpp"
#include "framework/cli/presentation.hpp"
#include "framework/cli/study_options.hpp"
#include "framework/cli/unexpected_option.hpp"
#include "framework/config/config.hpp"
#include "framework/config/mistakes.hpp"
#include "framework/host/console.hpp"
#include "framework/host/failure.hpp"

namespace qapfw::framework {

/// Everything that options are parsed into.
struct AllOptions {
    SolveOptions solve;
    RunOptions run, validate;
    ResumeOptions resume;
    VerifyOptions verify;
    CommonOptions common;
    DescribeOptions describe;
    CheckOptions check;
    NewPluginOptions new_plugin;
    InstallOptions install;
    InstanceOptions instance;
    StudyOptions study;
    ReportOptions report;
    RunsOptions runs;
    std::string offered;
    std::vector<std::string> help_words;
    std::string description_form;
    bool json = false;
};

namespace {

void add_limits(CLI::App& app, Keys set, const char* time = "--time-limit") {
    add_duration(app, time, "run.time_limit", set, "End a run after this time of search, such as 30s, 5m or 36h");
    add_key(app, "--iterations", "run.iterations", set, "COUNT",
            "End a run after this many iterations (passes of the algorithm's main loop)");
    add_key(app, "--evaluations", "run.evaluations", set, "COUNT",
            "End a run after it has computed the cost of this many solutions");
    add_key(app, "--target", "run.target", set, "COST",
            "End a run when it reaches this cost: a number, best-known or best-known+0.5%");
    add_key(app, "--stagnation", "run.stagnation", set, "LENGTH",
            "End a run if it finds nothing better for a time such as 60s, or for a number of iterations such as 1000, "
            "or 100n (100 times the instance's n)");
    add_key(app, "--threads", "run.threads", set, "COUNT",
            "Number of threads (default: auto, as many as the process may use)");
}

void add_output(CLI::App& app, OutputOptions& output) {
    app.add_flag("--json", output.json, "Print only result.json on standard output");
    app.add_flag("--quiet", output.quiet, "Print only cost, assignment and errors; no progress and no log");
    app.add_flag("--verbose", output.verbose,
                 "Print also the effort, the digest (a checksum of the search) and the solver's own figures");
}

/// Adds the options that change a run's settings. `time`: the names of the time limit's option, separated by commas.
void add_settings(CLI::App& app, RunOptions& options, const char* time) {
    add_assignments(app, "--set", options.set, "Set a key of the configuration, such as algorithm.tenure=8");
    const Keys keys{options.set, options.spelled};
    add_key(app, "--seed", "run.seed", keys, "SEED",
            "Seed of all random draws; with the same seed and settings the same search is made again");
    add_key(app, "--runs", "run.runs", keys, "COUNT", "Number of runs; their seeds are consecutive numbers");
    add_key(app, "--alternatives", "run.alternatives", keys, "COUNT",
            "Number of different good solutions to look for, the best one included");
    add_limits(app, keys, time);
    add_key(app, "--algorithm", "algorithm.plugin", keys, "ALGORITHM",
            "The algorithm, such as memetic or tabu (default: one that suits the problem); `qapfw plugin list` shows "
            "all");
    add_key(app, "--backend", "device.backend", keys, "BACKEND",
            "Where to search: cpu, cuda (GPUs), or auto (GPUs if they can be used)");
    add_key(app, "--out", "output.folder", keys, "FOLDER", "Folder of the run record; must be new or empty");
    add_switch(app, "--no-record", "output.record", "false", keys, "Write no run record");
    add_output(app, options.output);
    add_common(app, options.common);
}

void add_run_options(CLI::App& app, RunOptions& options) {
    app.add_option("config", options.config, "The configuration, a TOML file")->type_name("FILE");
    add_unset(app, options.unset,
              "Ignore this key or table of the configuration file, such as run.target or algorithm.improver");
    add_settings(app, options, "--time-limit");
}

void add_solve_command(CLI::App& app, SolveOptions& options, Command& chosen) {
    CLI::App* solve = add_command(app, "solve", "Solve an instance, given by a file or by its name", chosen,
                                  [&options] { return command_solve(options); });
    solve
        ->add_option("instance", options.instances,
                     "A file (QAPLIB, CSV, TSPLIB, DIMACS, a graph or a layout), two CSV files (flows, then "
                     "distances), \"-\" for standard input, or an instance's name, such as tai60a")
        ->required()
        ->expected(1, CLI::detail::expected_max_vector_size)
        ->type_name("INSTANCE");
    const Keys keys{options.run.set, options.run.spelled};
    add_key(*solve, "--problem", "problem.plugin", keys, "ID",
            "Problem plugin that reads the instance; needed only if several plugins can read it");
    add_target(*solve, "--distance", keys,
               "Locations for the vertices of a sparse graph: grid:64x64, torus:10x10x10, hypercube:10, "
               "tree:4:8:8/1:10:100, points:FILE.csv,l1, dense:FILE, graph:FILE, hwloc:FILE or slurm:FILE. *4 at the "
               "end: each location has room for four vertices");
    add_file(
        *solve, "--linear", "problem.linear", keys,
        "CSV file of what each facility costs at each location: a row for each facility, a column for each location");
    add_file(*solve, "--fixed", "problem.fixed_file", keys,
             "File of facilities that must stay at a location: lines facility,location, by name or counted from 1");
    add_file(*solve, "--forbidden", "problem.forbidden", keys,
             "File of locations that facilities may not take: lines facility,location, or a matrix in which 1 means "
             "forbidden");
    add_files(*solve, "--initial", "problem.initial", keys,
              "File of a solution to start from: a .sln file, a permutation, or lines facility,location. Or the folder "
              "of a run record: the search starts from its best solutions. May be repeated");
    add_key(*solve, "--metric", "problem.metric", keys, "METRIC",
            "How coordinates become distances: euclidean, manhattan, chebyshev or haversine (default: haversine for "
            "columns lat and lon, otherwise euclidean)");
    add_switch(*solve, "--maximize", "problem.maximize", "true", keys,
               "Search for the largest value instead of the least cost");
    solve
        ->add_option("--rankfile", options.run.rank_file,
                     "Write a file that says where each rank runs: a host file for Slurm if the name ends in .hosts, "
                     "otherwise a rank file for Open MPI")
        ->type_name("FILE");
    add_settings(*solve, options.run, "--time,--time-limit");
}

void add_run_commands(CLI::App& app, AllOptions& o, Command& chosen) {
    add_solve_command(app, o.solve, chosen);
    CLI::App* run =
        add_command(app, "run", "Run what a configuration file describes", chosen, [&o] { return command_run(o.run); });
    add_run_options(*run, o.run);
    add_processes(*run, o.run.processes);

    CLI::App* resume = add_command(app, "resume", "Continue an interrupted run from its record", chosen,
                                   [&o] { return command_resume(o.resume); });
    resume->add_option("folder", o.resume.folder, "The run record")->required()->type_name("RUN_DIR");
    add_limits(*resume, {o.resume.set, o.resume.spelled});
    add_key(*resume, "--backend", "device.backend", {o.resume.set, o.resume.spelled}, "BACKEND",
            "Where to search: cpu, cuda (GPUs), or auto (GPUs if they can be used)");
    add_output(*resume, o.resume.output);
    add_processes(*resume, o.resume.processes);
    add_common(*resume, o.resume.common);

    CLI::App* validate =
        add_command(app, "validate", "Check a configuration, its plugins and its instance without running it", chosen,
                    [&o] { return command_validate(o.validate); });
    add_run_options(*validate, o.validate);

    CLI::App* verify = add_command(
        app, "verify", "Check the files and the costs of a run record, or compare the search on CPU and GPU", chosen,
        [&o] { return command_verify(o.verify); });
    auto* folder = verify->add_option("folder", o.verify.folder, "The run record")->type_name("RUN_DIR");
    verify
        ->add_option("--cross", o.verify.cross,
                     "Run this configuration on one thread, on several threads and on the GPU, and compare the digests "
                     "(checksums of the search)")
        ->type_name("FILE")
        ->excludes(folder);
    verify
        ->add_flag("--replay", o.verify.replay,
                   "Run again what the record holds, and compare the digests (checksums of the search)")
        ->needs(folder);
    verify
        ->add_option_function<std::string>(
            "--replay-limit", [&o](const std::string& text) { o.verify.replay_limit = seconds_of(text); },
            "With --replay: skip runs that searched longer than this (default: 60s)")
        ->type_name("DURATION");
    add_assignments(*verify, "--set", o.verify.set, "With --cross: set a key of the configuration");
    add_unset(*verify, o.verify.unset, "With --cross: leave out a key or table of the configuration");
    add_common(*verify, o.verify.common);
}

void add_check_command(CLI::App& plugin, AllOptions& o, Command& chosen) {
    CLI::App* check =
        add_command(plugin, "check", "Load a plugin library and test whether it keeps the rules of plugins", chosen,
                    [&o] { return command_plugin_check(o.check); });
    check->add_option("library", o.check.library, "The library (.qapfw.so)")->required()->type_name("FILE");
    add_assignments(*check, "--set", o.check.parameters,
                    "A parameter of the components under test, such as searches=8");
    check
        ->add_option("--problem", o.check.problem,
                     "Problem plugin with which to test solvers and improvers (default: a small built-in problem)")
        ->type_name("ID");
    check
        ->add_option("--instance", o.check.instance,
                     "Instance for the tests, read by the problem under test or by the problem that --problem names")
        ->type_name("NAME");
    check
        ->add_option("--iterations", o.check.iterations,
                     "Number of iterations of the long run in the test solve-long (default: 100000, but only as many "
                     "as fit into a few seconds)")
        ->type_name("N")
        ->check(CLI::Range(1.0, 1e18));
    check
        ->add_option("--only", o.check.only,
                     "Run only tests whose full name contains this text; \"solver tabu solve-stops\" is a full name")
        ->type_name("TEXT");
    check->add_option("--seconds", o.check.seconds, "Time limit of each test, in seconds")
        ->capture_default_str()
        ->check(CLI::Range(1, 1000000));
    check->add_flag("--sanitize", o.check.sanitize,
                    "Run the tests with the sanitizers (such as address) with which the plugin library was compiled");
    check->add_flag("--json", o.check.json, "Print JSON");
    add_common(*check, o.check.common);
}

void add_plugin_commands(CLI::App& app, AllOptions& o, Command& chosen) {
    CLI::App* plugin = app.add_subcommand("plugin", "List, describe, check, create, install and remove plugins");
    plugin->require_subcommand(1);
    plugin->set_version_flag("--version", "qapfw " QAPFW_VERSION);
    CLI::App* list =
        add_command(*plugin, "list", "List the plugins that were found, and those that were refused, with the reason",
                    chosen, [&o] { return command_plugin_list(o.common, o.json); });
    list->add_flag("--json", o.json, "Print JSON");
    add_common(*list, o.common);

    CLI::App* describe = add_command(*plugin, "describe", "Show what a plugin does, and its parameters", chosen,
                                     [&o] { return command_plugin_describe(o.describe); });
    describe->add_option("id", o.describe.id, "The id, as in a configuration's plugin = \"...\" (default: list all)")
        ->type_name("ID");
    describe->add_option("--kind", o.describe.kind, "Kind of the plugin; needed only if several plugins have this id")
        ->check(CLI::IsMember({"problem", "solver", "improver"}));
    describe->add_flag("--json", o.describe.json, "Print JSON");
    add_common(*describe, o.describe.common);

    add_check_command(*plugin, o, chosen);

    CLI::App* create = add_command(*plugin, "new", "Write the source of a small plugin that is ready to build", chosen,
                                   [&o] { return command_plugin_new(o.new_plugin); });
    create->add_option("kind", o.new_plugin.kind, "Kind of the new plugin")
        ->required()
        ->check(CLI::IsMember({"problem", "solver", "improver"}));
    create->add_option("name", o.new_plugin.name, "Id of the new plugin, in snake_case")->required();
    create->add_option("--out", o.new_plugin.folder, "Folder to write the plugin to (default: ./<name>)")
        ->type_name("FOLDER");
    create->add_flag("--device", o.new_plugin.device, "Write a problem that has device code too, for GPUs");
    add_common(*create, o.new_plugin.common);

    CLI::App* install =
        add_command(*plugin, "install", "Test a plugin library and copy it into your own folder of plugins", chosen,
                    [&o] { return command_plugin_install(o.install); });
    install
        ->add_option("file", o.install.file,
                     "Plugin library, such as NAME-1.2.3-abi2-linux-x86_64.qapfw.so. If a checksum file lies beside it "
                     "(its name is the library's name with .sha256 appended), the library must match it")
        ->required();
    add_common(*install, o.install.common);
    CLI::App* remove = add_command(*plugin, "remove", "Delete a plugin library from your own folder of plugins", chosen,
                                   [&o] { return command_plugin_remove(o.install); });
    remove->add_option("name", o.install.file, "Name of the plugin library without .qapfw.so, such as srflp")
        ->required();
    add_common(*remove, o.install.common);
}

/// A command about instances.
struct InstanceCommand {
    const char *name, *help;
    bool is_named;  ///< the command is about one instance, given by name or file
    int (*run)(const InstanceOptions&);
};

constexpr InstanceCommand kInstanceCommands[] = {
    {"list", "List the instances that have a name", false, command_instance_list},
    {"show", "Show size, structure, best known cost and lower bound of an instance", true, command_instance_show},
    {"export", "Write an instance in the problem's file format", true, command_instance_export},
    {"convert", "Write a graph in another format", true, command_instance_convert}};

void add_instance_command(CLI::App& parent, const InstanceCommand& command, InstanceOptions& options, Command& chosen) {
    CLI::App* app =
        add_command(parent, command.name, command.help, chosen, [&options, run = command.run] { return run(options); });
    if (command.is_named) {
        app->add_option("instance", options.instance, "The instance: a name or a file")
            ->required()
            ->type_name("INSTANCE");
        add_assignments(*app, "--set", options.parameters,
                        "Parameter of the problem, such as metric=manhattan; may be repeated");
    }
    app->add_option("--problem", options.problem,
                    command.is_named ? "The problem plugin (default: the plugin that can read the instance)"
                                     : "The problem plugin (default: qap)")
        ->type_name("ID");
    add_common(*app, options.common);
}

void add_instance_commands(CLI::App& app, AllOptions& o, Command& chosen) {
    CLI::App* instance = app.add_subcommand("instance", "List, show, export and convert problem instances");
    instance->require_subcommand(1);
    instance->set_version_flag("--version", "qapfw " QAPFW_VERSION);
    for (const InstanceCommand& command : kInstanceCommands)
        add_instance_command(*instance, command, o.instance, chosen);
    for (const char* one : {"show", "export"})
        instance->get_subcommand(one)
            ->add_option_function<std::string>(
                "--distance",
                [&o](const std::string& value) {
                    check_target("--distance", value);
                    o.instance.parameters.emplace_back("distance", value);
                },
                "Locations for the vertices of a sparse graph, such as grid:64x64; `qapfw solve --help` lists all "
                "forms")
            ->type_name("TARGET");
    for (const char* shown : {"list", "show"})
        instance->get_subcommand(shown)->add_flag("--json", o.instance.json, "Print JSON");
    instance->get_subcommand("convert")
        ->add_option("output", o.instance.output,
                     "File to write; its ending chooses the format: .graph (METIS), .grf (Scotch), .mtx (MatrixMarket) "
                     "or .csv (edges)")
        ->required()
        ->type_name("FILE");
    instance->get_subcommand("export")
        ->add_option("-o,--output,--out", o.instance.output, "File or folder to write to (default: standard output)")
        ->type_name("PATH");
}

void add_runs_commands(CLI::App& app, RunsOptions& o, Command& chosen) {
    CLI::App* runs = app.add_subcommand("runs", "List the run records of a folder, and delete some of them");
    runs->require_subcommand(1);
    runs->set_version_flag("--version", "qapfw " QAPFW_VERSION);
    CLI::App* list =
        add_command(*runs, "list", "List run records with size on disk, cost and whether they can be resumed", chosen,
                    [&o] { return command_runs_list(o); });
    list->add_option("folder", o.folder, "Folder that holds run records")->type_name("FOLDER")->capture_default_str();
    list->add_flag("--json", o.json, "Print JSON");
    CLI::App* clean = add_command(*runs, "clean", "Delete run records, except those in use", chosen,
                                  [&o] { return command_runs_clean(o); });
    clean->add_option("folder", o.folder, "Folder that holds run records")->type_name("FOLDER")->capture_default_str();
    clean
        ->add_option_function<std::string>(
            "--older", [&o](const std::string& text) { o.older = seconds_of(text); },
            "Delete only records that were last written longer ago than this, such as 7d")
        ->type_name("DURATION");
    clean->add_flag("--finished", o.finished, "Delete only records of finished runs");
    clean->add_flag("--yes", o.yes, "Delete without asking first");
}

void add_other_commands(CLI::App& app, AllOptions& o, Command& chosen) {
    CLI::App* schema = add_command(app, "schema", "Print a JSON Schema of configuration files, for editors", chosen,
                                   [&o] { return command_schema(o.common); });
    add_common(*schema, o.common);
    CLI::App* doctor =
        add_command(app, "doctor", "Show which hardware and libraries were found on this machine, and what is missing",
                    chosen, [&o] { return command_doctor(o.common, o.json); });
    doctor->add_flag("--json", o.json, "Print JSON");
    add_common(*doctor, o.common);
}

/// Adds `help` to the list of commands. The command does nothing: "help solve" is parsed as "solve --help".
void add_help_command(CLI::App& app, std::vector<std::string>& words, Command& chosen) {
    CLI::App* help = add_command(app, "help", "Show the options of a command", chosen, [] { return kSuccess; });
    help->add_option("command", words, "The command, such as plugin list")->type_name("COMMAND");
}

/// Command that the completions call. Not shown to users.
void add_offers(CLI::App& app, AllOptions& o, Command& chosen) {
    CLI::App* offers = add_command(app, "self-completion", "Print the words with which a shell completes a command",
                                   chosen, [&o] { return command_offers(o.common, o.offered); });
    offers->group("");
    offers->add_option("what", o.offered, "instances, keys, algorithms or plugins")->required();
    add_common(*offers, o.common);
}

/// The command with which the build makes the man page and the completions. --help does not show it.
void add_self_description(CLI::App& app, AllOptions& o, Command& chosen) {
    CLI::App* description = add_command(
        app, "self-description", "Print a man page or shell completions of this program", chosen, [&app, &o] {
            return print(render_description(describe_command_line(app), o.description_form)) ? kSuccess : kOutputError;
        });
    description->group("");
    description->add_option("form", o.description_form, "man, bash, zsh or fish")->required();
}

std::string footer() {
    const auto documents = documents_folder();
    if (documents.empty()) return {};
    return fmt::format("Guides: {}\nExit codes: {}", (documents / "guides").string(),
                       (documents / "exit-codes.md").string());
}

}  // namespace

/// The parser, and the values that it fills in.
struct CommandLine::Parts {
    CLI::App app{"Metaheuristics for permutation problems, from plugins, on CPU and GPU", "qapfw"};
    AllOptions options;
    Command chosen;
};

CommandLine::CommandLine() : parts_(std::make_unique<Parts>()) {
    CLI::App& app = parts_->app;
    app.set_version_flag("--version", "qapfw " QAPFW_VERSION);
    app.require_subcommand(1);
    app.footer(footer());
    AllOptions& options = parts_->options;
    Command& chosen = parts_->chosen;
    add_run_commands(app, options, chosen);
    add_plugin_commands(app, options, chosen);
    add_instance_commands(app, options, chosen);
    add_study_commands(app, options.study, chosen);
    add_report_command(app, options.report, chosen);
    add_runs_commands(app, options.runs, chosen);
    add_other_commands(app, options, chosen);
    add_help_command(app, options.help_words, chosen);
    add_offers(app, options, chosen);
    add_self_description(app, options, chosen);
}

CommandLine::~CommandLine() = default;

Command CommandLine::command(int argc, char** argv) {
    if (argc <= 1) return command_welcome;
    CLI::App& app = parts_->app;
    std::vector<std::string> words(argv + 1, argv + argc);
    if (words.front() == "help") {  // "help solve" is "solve --help"
        words.erase(words.begin());
        if (const std::string unknown = unknown_help_text(app, words); !unknown.empty()) {
            console_line(unknown);
            return [] { return kBadInput; };
        }
        if (words.empty() || words.back() != "--help") words.emplace_back("--help");
    }
    int code = kBadInput;
    try {
        // The parser wants the words in reverse order.
        app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
        return parts_->chosen;
    } catch (const CLI::ExtrasError& error) {
        console_line(unexpected_text(app, error));
    } catch (const CLI::RequiredError& error) {
        const std::string unknown = unknown_command_text(app);
        if (unknown.empty())
            app.exit(error);  // prints the error
        else
            console_line(unknown);
    } catch (const CLI::ParseError& error) {
        code = app.exit(error) == 0 ? kSuccess : kBadInput;  // prints the error, or the help (code 0)
    }
    return [code] { return code; };
}

int tell_failure() {
    const std::exception_ptr failure = std::current_exception();
    try {
        std::rethrow_exception(failure);
    } catch (const Mistakes& several) {
        for (const std::string& sentence : several.sentences()) console_line("qapfw: " + sentence);
    } catch (...) {
        console_line("qapfw: " + failure_of(failure).text);
    }
    return exit_code_of(failure);
}

}  // namespace qapfw::framework
