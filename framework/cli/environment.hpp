// SPDX-License-Identifier: Apache-2.0
// Folders of plugins and data, from the command line, the environment and the configuration.
#pragma once

#include <filesystem>
#include <vector>

#include "framework/cli/commands.hpp"
#include "framework/plugin/registry.hpp"

namespace qapfw::framework {

/// The data folders: those of --data, then those of QAPFW_DATA (separated by ':').
std::vector<std::filesystem::path> data_paths(const CommonOptions& options);

/// Searches for plugins in this order: --plugin-path, [plugins].path, QAPFW_PLUGIN_PATH, the user's folder, the
/// installed folder.
Registry scan_plugins(const CommonOptions& options, const std::vector<std::filesystem::path>& from_config,
                      bool allow_writable);

/// Plugin folders that do not depend on a configuration, as absolute paths.
std::vector<std::filesystem::path> searched_plugin_folders(const CommonOptions& options);

/// Logs each refused library with the reason, which may explain a missing plugin.
void log_refusals(const Registry& registry);

}  // namespace qapfw::framework
