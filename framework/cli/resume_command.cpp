// SPDX-License-Identifier: Apache-2.0
// `qapfw resume`: continues with the record's configuration, plugins and data folders. Only limits, threads, backend
// and output may be changed.
#include <memory>
#include <utility>

#include "framework/cli/commands.hpp"
#include "framework/cli/exit_codes.hpp"
#include "framework/cli/in_processes.hpp"
#include "framework/cli/run_setup.hpp"
#include "framework/host/log.hpp"

namespace qapfw::framework {

namespace {

/// The data folders of the options and of the record. The leading process lists them and shares the list with the other
/// processes.
std::vector<std::filesystem::path> shared_data_paths(const ResumeOptions& options, Processes& processes) {
    std::vector<std::string> names;
    if (processes.leads()) {
        for (const auto& path : recorded_data_paths(options.folder, options.common)) names.push_back(path.string());
    }
    names = processes.share(names);
    return {names.begin(), names.end()};
}

}  // namespace

int command_resume(const ResumeOptions& options) {
    ProcessGroup processes(options.processes);
    int code = kSuccess;
    try {
        processes.begin();
        if (processes.leads() && options.output.quiet) set_console_level(LogLevel::kError);
        const std::filesystem::path folder = options.folder;
        std::shared_ptr<RecordFolder> record;
        if (processes.leads()) {
            require_record(folder);
            record = RecordFolder::open(folder);  // locks the record: no other process changes it from here on
        }
        RunSetup setup = load_setup((folder / "config.toml").string(), {options.set, {}, options.spelled},
                                    options.common, *processes.get());
        if (processes.leads() && !options.output.quiet)
            set_console_level(parse_log_level(setup.config.output.log_level));
        UserSide user(processes.get(), options.output);
        EngineOptions engine_options = user.engine_options();
        engine_options.resume = std::move(record);
        engine_options.limits_changed = !options.set.empty();
        engine_options.data_paths = shared_data_paths(options, *processes.get());
        engine_options.program_start = options.common.program_start;
        Engine engine(std::move(setup.config), std::move(engine_options));
        code = user.show(engine.run());
    } catch (...) {
        code = processes.tell_failure();
    }
    return processes.leave(code);
}

}  // namespace qapfw::framework
