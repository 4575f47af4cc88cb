// SPDX-License-Identifier: Apache-2.0
// `qapfw resume`: the record's own configuration, plugins and data folders, and at most new limits.
#include <memory>
#include <utility>

#include "framework/cli/commands.hpp"
#include "framework/cli/run_setup.hpp"
#include "framework/host/log.hpp"

namespace qapfw::framework {

int command_resume(const ResumeOptions& options) {
    if (options.quiet) set_console_level(LogLevel::kError);
    const std::filesystem::path folder = options.folder;
    require_record(folder);
    std::shared_ptr<RecordFolder> record = RecordFolder::open(folder);  // nobody else changes it from here on
    RunSetup setup = load_setup((folder / "config.toml").string(), {options.set, {}, options.spelled}, options.common);
    if (!options.quiet) set_console_level(parse_log_level(setup.config.output.log_level));
    EngineOptions engine_options;
    engine_options.resume = std::move(record);
    engine_options.limits_changed = !options.set.empty();
    engine_options.data_paths = recorded_data_paths(folder, options.common);
    engine_options.program_start = options.common.program_start;
    return run_engine(std::move(setup.config), std::move(engine_options), options.json, options.quiet);
}

}  // namespace qapfw::framework
