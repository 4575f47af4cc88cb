// SPDX-License-Identifier: Apache-2.0
// `qapfw run` and `qapfw validate`.
#include <fmt/core.h>

#include <optional>

#include "framework/cli/commands.hpp"
#include "framework/cli/environment.hpp"
#include "framework/cli/exit_codes.hpp"
#include "framework/cli/in_processes.hpp"
#include "framework/cli/output_file.hpp"
#include "framework/cli/presentation.hpp"
#include "framework/cli/rank_file.hpp"
#include "framework/cli/run_setup.hpp"
#include "framework/host/console.hpp"
#include "framework/host/log.hpp"
#include "framework/problem/instance_hint.hpp"

namespace qapfw::framework {
namespace {

/// The backend for which `qapfw validate` checks that solver, problem and improver fit together. For "auto", this is
/// the CPU if the solver can run there, because the command does not look for a GPU.
std::string plausible_backend(const Config& config) {
    if (config.device.backend != "auto") return config.device.backend;
    return (config.algorithm.component->descriptor->backends & QAPFW_BACKEND_CPU) != 0 ? "cpu" : "cuda";
}

/// Level of the log on the terminal. If only an answer is wanted, the terminal shows only warnings, unless --verbose or
/// another log level is given. The log file does not depend on --verbose.
LogLevel console_level(const RunOptions& options, const Config& config) {
    const LogLevel level = parse_log_level(config.output.log_level);
    const bool asked = options.output.verbose || !options.only_answers || level != LogLevel::kInfo;
    return asked ? level : LogLevel::kWarning;
}

}  // namespace

int command_run(const RunOptions& options) {
    ProcessGroup processes(options.processes);
    int code = kSuccess;
    try {
        processes.begin();
        if (processes.leads() && options.output.quiet) set_console_level(LogLevel::kError);
        RunSetup setup =
            load_setup(options.config, {options.set, options.unset, options.spelled}, options.common, *processes.get());
        if (processes.leads() && !options.output.quiet) set_console_level(console_level(options, setup.config));
        const WantedInstance wanted = WantedInstance::of(setup.config);
        UserSide user(processes.get(), options.output);
        EngineOptions engine_options = user.engine_options();
        engine_options.data_paths = data_paths(options.common);
        engine_options.program_start = options.common.program_start;
        try {
            Engine engine(std::move(setup.config), std::move(engine_options));
            const EngineOutcome outcome = engine.run();
            code = user.show(outcome);
            if (!options.rank_file.empty() && processes.leads() && !outcome.summary.runs.empty())
                write_output(options.rank_file, rank_file_text(best_of(outcome.summary).assignment, options.rank_file));
        } catch (const EndedTogether&) {
            throw;
        } catch (const Error& error) {
            rethrow_with_instance_hint(error, wanted, setup.registry, data_paths(options.common));
        }
    } catch (...) {
        code = processes.tell_failure();
    }
    return processes.leave(code);
}

int command_validate(const RunOptions& options) {
    RunSetup setup = load_setup(options.config, {options.set, options.unset, options.spelled}, options.common);
    Config& config = setup.config;
    Host host(1, data_paths(options.common));
    std::optional<Problem> read;
    try {
        read.emplace(host, config.problem);
    } catch (const Error& error) {
        rethrow_with_instance_hint(error, WantedInstance::of(config), setup.registry, data_paths(options.common));
    }
    const Problem& problem = *read;
    config.resolve_sizes(problem.info().n);
    StopConditions::of(config.run, problem.info());
    check_combination(config, problem, plausible_backend(config));
    std::optional<Improver> improver;
    if (config.improver) improver.emplace(host, *config.improver, problem);
    const Solver solver(host, config.algorithm, problem, improver ? &*improver : nullptr, *config.registry);
    if (!options.output.quiet && !print_raw(to_toml(config))) return kOutputError;
    console_line(fmt::format("{}: valid", config.source));
    return kSuccess;
}

}  // namespace qapfw::framework
