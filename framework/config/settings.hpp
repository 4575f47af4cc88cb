// SPDX-License-Identifier: Apache-2.0
// The framework's own keys ([run], [device], [output], [plugins]). Each is declared once: allowed values, purpose, JSON
// Schema, and how it is read and written.
#pragma once

#include <span>
#include <string>

#include "framework/config/config.hpp"
#include "framework/config/node.hpp"

namespace qapfw::framework {

struct Setting {
    const char* table;
    const char* key;
    const char* wanted;                              ///< end of the sentence "run.seed must be ..."
    const char* summary;                             ///< purpose and default, in one or more sentences
    const char* schema;                              ///< JSON Schema of the value
    bool (*read)(const Node& node, Config& config);  ///< returns false if the node is no allowed value
    std::string (*write)(const Config& config);      ///< the value as TOML; empty: leave the key out
};

std::span<const Setting> settings();

/// The names of the tables that hold settings: "run", "device", "output", "plugins".
std::span<const char* const> setting_tables();

/// Reads the folders of [plugins] path into `path`. Returns false if the node is no allowed value. Relative folders
/// start at `folder`, or at the working directory if they come from the command line.
bool read_plugin_path(const Node& node, const std::filesystem::path& folder, std::vector<std::filesystem::path>& path);

}  // namespace qapfw::framework
