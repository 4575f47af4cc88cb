// SPDX-License-Identifier: Apache-2.0
#include "framework/cli/run_setup.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "framework/cli/environment.hpp"
#include "framework/cli/exit_codes.hpp"
#include "framework/cli/installation.hpp"
#include "framework/cli/presentation.hpp"
#include "framework/host/console.hpp"
#include "framework/host/log.hpp"
#include "framework/host/working_folder.hpp"
#include "framework/problem/problem_recognition.hpp"
#include "qapfw/error.hpp"

namespace qapfw::framework {
namespace {

ProgressStyle progress_style(bool quiet) {
    if (quiet) return ProgressStyle::kNone;
    return stderr_draws() ? ProgressStyle::kLive : ProgressStyle::kPlain;
}

/// Checks the file's settings before any plugin is loaded. If they are wrong, plugins are loaded only to improve the
/// message.
void check_before_plugins(const ConfigDocument& document, const CommonOptions& common) {
    try {
        document.check_settings();
    } catch (const Error&) {
        document.check(scan_plugins(common, {}, false));
        throw;
    }
}

/// The plugin folders in [plugins] path. None if the configuration file names them and the user did not allow this. The
/// file may be somebody else's, and a plugin runs with all rights of the user.
std::vector<std::filesystem::path> trusted_plugin_path(const ConfigDocument& document, const std::string& file,
                                                       const CommonOptions& common) {
    std::vector<std::filesystem::path> path = document.plugin_path();
    if (common.allow_plugins_from_config || !document.plugin_path_is_of_file()) return path;
    const auto searched = searched_plugin_folders(common);
    std::erase_if(path, [&](const std::filesystem::path& folder) {
        return std::find(searched.begin(), searched.end(), folder) != searched.end();
    });
    if (!path.empty()) {
        log_warning("{}: it names the plugin folder {}, which is used only with --allow-plugins-from-config", file,
                    path.front().string());
    }
    return {};
}

/// If [problem] names an instance but no plugin, chooses the plugin that recognises the instance.
void find_problem(ConfigDocument& document, const Registry& registry, const CommonOptions& common) {
    const std::optional<std::string> instance = document.instance_without_plugin();
    if (!instance) return;
    const RecognisedInstance found =
        recognise_instance(*instance, registry, data_paths(common), document.problem_keys());
    document.complete_problem(found.problem, found.parameters, *instance);
    for (const auto& [key, value] : found.parameters) {
        log_info("{}: {}, read with problem.{} = \"{}\" unless this key is set", *instance, found.what, key, value);
    }
}

ConfigText read_configuration(const std::string& file, Processes& processes) {
    ConfigText own;
    if (processes.leads()) own = ConfigText::of_file(find_configuration(file));
    const auto shared = processes.share(std::vector<std::string>{own.text, own.name, own.folder.string()});
    return {shared.at(0), shared.at(1), shared.at(2)};
}

}  // namespace

RunSetup load_setup(const std::string& file, const Overrides& overrides, const CommonOptions& common,
                    Processes& processes) {
    ConfigDocument document = ConfigDocument::parse(read_configuration(file, processes), overrides);
    check_before_plugins(document, common);
    Registry registry =
        scan_plugins(common, trusted_plugin_path(document, file, common), document.allow_writable_plugins());
    log_refusals(registry);
    find_problem(document, registry, common);
    RunSetup setup;
    setup.registry = std::move(registry);
    setup.config = document.check(setup.registry);
    // The configuration stores the options for plugins. So commands that read the run's record later find the run's
    // plugins without these options.
    Config& config = setup.config;
    config.allow_writable_plugins = config.allow_writable_plugins || common.allow_writable_plugins;
    std::vector<std::filesystem::path> path;
    for (const std::string& folder : common.plugin_path) path.push_back(absolute_path(folder));
    config.plugin_path.insert(config.plugin_path.begin(), path.begin(), path.end());
    return setup;
}

RunSetup load_setup(const std::string& file, const Overrides& overrides, const CommonOptions& common) {
    Processes alone;
    return load_setup(file, overrides, common, alone);
}

UserSide::UserSide(std::shared_ptr<Processes> processes, const OutputOptions& output)
    : processes_(std::move(processes)), output_(output) {
    processes_->watch().set_signal_source([this] { return signals_.received(); });
    if (!leads()) signals_.set_abandon([](int) { return true; });  // only the leading process reports signals
}

UserSide::~UserSide() {
    processes_->watch().set_signal_source({});
}

EngineOptions UserSide::engine_options() {
    EngineOptions options;
    options.signals = &signals_;
    options.processes = processes_;
    options.progress = leads() ? progress_style(output_.quiet) : ProgressStyle::kNone;
    options.verbose = output_.verbose;
    options.on_abandon = [this](const RunSummary& summary) {
        EngineOutcome outcome;
        outcome.summary = summary;
        present(outcome, output_, 0);
    };
    return options;
}

/// The signal that any of the processes got, or 0.
int UserSide::signal() const {
    const int shared = processes_->watch().stop_signal();
    return shared != 0 ? shared : signals_.received();
}

int UserSide::show(const EngineOutcome& outcome) const {
    close_log_file();
    if (!leads()) {
        if (outcome.failure) return exit_code_of(outcome.failure);
        return signal() != 0 ? kSignalBase + signal() : kSuccess;
    }
    if (outcome.finished_before > 0 && outcome.finished_before == outcome.summary.runs.size()) {
        console_line("qapfw: the run has finished already; there is nothing to resume");
    }
    return present(outcome, output_, signal());
}

std::vector<std::filesystem::path> recorded_data_paths(const std::filesystem::path& folder,
                                                       const CommonOptions& common) {
    std::vector<std::filesystem::path> paths = data_paths(common);
    for (const std::string& path : recorded_data_paths(folder)) {
        if (std::find(paths.begin(), paths.end(), path) == paths.end()) paths.emplace_back(path);
    }
    return paths;
}

}  // namespace qapfw::framework
