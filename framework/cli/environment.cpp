// SPDX-License-Identifier: Apache-2.0
#include "framework/cli/environment.hpp"

#include "framework/host/log.hpp"
#include "framework/host/named_libraries.hpp"
#include "framework/host/working_folder.hpp"
#include "framework/problem/data_folders.hpp"

namespace qapfw::framework {

std::vector<std::filesystem::path> data_paths(const CommonOptions& options) {
    return data_folders({options.data.begin(), options.data.end()});
}

Registry scan_plugins(const CommonOptions& options, const std::vector<std::filesystem::path>& from_config,
                      bool allow_writable) {
    PluginSearch search;
    search.folders.assign(options.plugin_path.begin(), options.plugin_path.end());
    search.folders.insert(search.folders.end(), from_config.begin(), from_config.end());
    const auto defaults = default_plugin_folders();
    search.folders.insert(search.folders.end(), defaults.begin(), defaults.end());
    search.allow_writable_by_others = options.allow_writable_plugins || allow_writable;
    if (search.allow_writable_by_others) allow_writable_libraries();
    return Registry::scan(search);
}

std::vector<std::filesystem::path> searched_plugin_folders(const CommonOptions& options) {
    std::vector<std::filesystem::path> folders(options.plugin_path.begin(), options.plugin_path.end());
    const auto defaults = default_plugin_folders();
    folders.insert(folders.end(), defaults.begin(), defaults.end());
    for (auto& folder : folders) folder = absolute_path(folder).lexically_normal();
    return folders;
}

void log_refusals(const Registry& registry) {
    for (const Refusal& refusal : registry.refusals()) log_warning("plugin not used: {}", refusal.reason);
}

}  // namespace qapfw::framework
