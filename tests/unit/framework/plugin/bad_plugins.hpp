// SPDX-License-Identifier: Apache-2.0
// The folder of the built libraries of tests/bad_plugins, and functions that copy and scan them.
#pragma once

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "framework/plugin/registry.hpp"
#include "tests/support/temporary_folder.hpp"

namespace qapfw::framework::testing {

/// The folder in the environment variable QAPFW_BAD_PLUGINS. If the variable is not set: tests/bad_plugins of the build
/// tree.
inline std::filesystem::path bad_plugin_folder() {
    const char* folder = std::getenv("QAPFW_BAD_PLUGINS");
    return folder != nullptr ? std::filesystem::path(folder)
                             : std::filesystem::path(QAPFW_BUILD_DIR) / "tests/bad_plugins";
}

inline std::filesystem::path bad_plugin(const std::string& name) {
    return bad_plugin_folder() / (name + ".qapfw.so");
}

/// Returns true, and prints a message, if the libraries were not built. The test must then return.
inline bool bad_plugins_missing() {
    if (std::filesystem::exists(bad_plugin("fine"))) return false;
    MESSAGE("SKIPPED: " << bad_plugin_folder() << " holds no plugins");
    return true;
}

using test::TemporaryFolder;

inline std::filesystem::path copy_plugin(const std::string& name, const std::filesystem::path& folder,
                                         const std::string& new_name) {
    const auto copy = folder / (new_name + ".qapfw.so");
    std::filesystem::copy_file(bad_plugin(name), copy);
    std::filesystem::permissions(copy, std::filesystem::perms(0755));
    return copy;
}

inline Registry scan(std::vector<std::filesystem::path> folders, int trial_limit_ms = 20000) {
    PluginSearch search;
    search.folders = std::move(folders);
    search.trial_limit = std::chrono::milliseconds(trial_limit_ms);
    return Registry::scan(search);
}

}  // namespace qapfw::framework::testing
