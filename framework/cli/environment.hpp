// SPDX-License-Identifier: Apache-2.0
// Folders of plugins and data, by the command line, the environment and the configuration together.
#pragma once

#include <filesystem>
#include <vector>

#include "framework/cli/commands.hpp"
#include "framework/plugin/registry.hpp"

namespace qapfw::framework {

/// --data, then QAPFW_DATA (folders separated by ':').
std::vector<std::filesystem::path> data_paths(const CommonOptions& options);

/// --plugin-path, then [plugins].path, then QAPFW_PLUGIN_PATH, the user's and the installed folder.
Registry scan_plugins(const CommonOptions& options, const std::vector<std::filesystem::path>& from_config,
                      bool allow_writable);

/// Folders of plugins that no configuration changes, as absolute paths.
std::vector<std::filesystem::path> searched_plugin_folders(const CommonOptions& options);

/// Logs what was refused: an unexpected line here explains a missing plugin.
void log_refusals(const Registry& registry);

}  // namespace qapfw::framework
