// SPDX-License-Identifier: Apache-2.0
#include "framework/cli/run_setup.hpp"

#include <fmt/core.h>

#include "framework/cli/environment.hpp"
#include "framework/cli/presentation.hpp"
#include "framework/host/console.hpp"
#include "framework/host/log.hpp"
#include "framework/record/atomic_file.hpp"
#include "qapfw/error.hpp"

namespace qapfw::framework {
namespace {

ProgressStyle progress_style(bool quiet) {
    if (quiet) return ProgressStyle::kNone;
    return stderr_is_terminal() ? ProgressStyle::kLive : ProgressStyle::kPlain;
}

}  // namespace

RunSetup load_setup(const std::string& file, const Overrides& overrides, const CommonOptions& common) {
    const ConfigDocument document = ConfigDocument::parse_file(file, overrides);
    Registry registry = scan_plugins(common, document.plugin_path(), document.allow_writable_plugins());
    log_refusals(registry);
    RunSetup setup;
    setup.registry = std::move(registry);
    setup.config = document.check(setup.registry);
    // The record must find the plugins again without the options.
    Config& config = setup.config;
    config.allow_writable_plugins = config.allow_writable_plugins || common.allow_writable_plugins;
    std::vector<std::filesystem::path> path;
    for (const std::string& folder : common.plugin_path) path.push_back(std::filesystem::absolute(folder));
    config.plugin_path.insert(config.plugin_path.begin(), path.begin(), path.end());
    return setup;
}

int run_engine(Config config, EngineOptions options, bool json, bool quiet) {
    SignalWatch signals;
    options.signals = &signals;
    options.progress = progress_style(quiet);
    options.on_abandon = [json, quiet](const RunSummary& summary) {
        EngineOutcome outcome;
        outcome.summary = summary;
        present(outcome, json, quiet, 0);
    };
    Engine engine(std::move(config), std::move(options));
    const EngineOutcome outcome = engine.run();
    close_log_file();
    if (outcome.finished_before > 0 && outcome.finished_before == outcome.summary.runs.size()) {
        console_line("qapfw: the run has finished already; there is nothing to resume");
    }
    return present(outcome, json, quiet, signals.received());
}

RunResult read_record_result(const std::filesystem::path& folder) {
    const std::filesystem::path file = folder / "result.json";
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(file, ignored)) {
        throw Error(ErrorKind::kUsage, fmt::format("{}: not a run record: it holds no result.json", folder.string()));
    }
    return parse_result(read_file(file), file.string());
}

}  // namespace qapfw::framework
