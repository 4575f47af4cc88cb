// SPDX-License-Identifier: Apache-2.0
// `qapfw resume`: the record's own configuration, plugins and data folders, and at most new limits.
#include <fmt/core.h>

#include <algorithm>

#include "framework/cli/commands.hpp"
#include "framework/cli/environment.hpp"
#include "framework/cli/run_setup.hpp"
#include "framework/host/log.hpp"
#include "framework/record/atomic_file.hpp"
#include "qapfw/error.hpp"

namespace qapfw::framework {
namespace {

/// Where the recorded run had found its data, after what the options say now. A run that was killed at its very start
/// has no result yet.
std::vector<std::filesystem::path> recorded_data_paths(const std::filesystem::path& folder,
                                                       const CommonOptions& common) {
    std::vector<std::filesystem::path> paths = data_paths(common);
    std::error_code ignored;
    if (!std::filesystem::exists(folder / "result.json", ignored)) return paths;
    for (const std::string& path : read_record_result(folder).data_paths) {
        if (std::find(paths.begin(), paths.end(), path) == paths.end()) paths.emplace_back(path);
    }
    return paths;
}

}  // namespace

int command_resume(const ResumeOptions& options) {
    if (options.quiet) set_console_level(LogLevel::kError);
    const std::filesystem::path folder = options.folder;
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(folder / "config.toml", ignored)) {
        throw Error(ErrorKind::kUsage, fmt::format("{}: not a run record: it holds no config.toml", folder.string()));
    }
    RunSetup setup = load_setup((folder / "config.toml").string(), {options.set, {}}, options.common);
    if (!options.quiet) set_console_level(parse_log_level(setup.config.output.log_level));
    EngineOptions engine_options;
    engine_options.resume = folder;
    engine_options.limits_changed = !options.set.empty();
    engine_options.data_paths = recorded_data_paths(folder, options.common);
    engine_options.program_start = options.common.program_start;
    return run_engine(std::move(setup.config), std::move(engine_options), options.json, options.quiet);
}

}  // namespace qapfw::framework
