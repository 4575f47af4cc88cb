// SPDX-License-Identifier: Apache-2.0
// The qapfw program. Six calls lead from here to a solver's loop: command_run (cli/run_command.cpp); Engine::run;
// SeedRun::run and Leg::run (engine/run/); Solver::run (engine/algorithm.cpp), which calls the plugin through its C
// table; sdk::PopulationSolver::run.
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

#include "framework/cli/program.hpp"
#include "framework/engine/gpu_preparation.hpp"
#include "framework/host/exit_code.hpp"
#include "framework/host/plugin_death.hpp"
#include "framework/host/stack_size.hpp"
#include "framework/plugin/registry.hpp"
#include "framework/plugin/trial_child.hpp"
#include "qapfw/error.hpp"

namespace qapfw::framework {
namespace {

int run_command(int argc, char** argv) {
    try {
        CommandLine line;
        const Command command = line.command(argc, argv);
        const int code = command();
        if (std::fflush(stdout) != 0) throw Error(ErrorKind::kIo, "standard output: cannot write");
        return code;
    } catch (...) {
        return tell_failure();
    }
}

/// Carries out a command that is not for users. Such commands serve the build, the installation, and programs that use
/// the library. Returns the exit code; nothing if there is no such command.
std::optional<int> inner_command(int argc, char** argv) {
    const std::string_view command = argc > 2 ? argv[1] : "";
    if (command == kTrialCommand) {
        const std::vector<std::filesystem::path> libraries(argv + 2, argv + argc);
        run_trial_child(libraries, kTrialPipe);
    }
    if (command != "--plugin-hashes") return std::nullopt;
    std::fputs(plugin_hashes(argv[2]).c_str(), stdout);
    return std::fflush(stdout) == 0 ? 0 : 1;
}

}  // namespace
}  // namespace qapfw::framework

int main(int argc, char** argv) {
    using namespace qapfw::framework;
    if (const std::optional<int> code = inner_command(argc, argv)) return *code;
    // A closed pipe or a limit of file sizes must make a write fail, and must not end the search.
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
    tell_plugin_deaths(kPluginError);
    const int code = with_enough_stack([&] { return run_command(argc, argv); });
    expect_exit();
    leave_process(code);
    return code;
}
