// SPDX-License-Identifier: Apache-2.0
// Files that come with the program. The program finds them relative to its binary, so an installation can be moved. The
// build tree has the same shape.
#pragma once

#include <filesystem>
#include <string>

#include "framework/plugin/registry.hpp"  // for installation_prefix

namespace qapfw::framework {

/// Folder of the documents, with the guides in `guides` below it; empty if the guides were not installed.
std::filesystem::path documents_folder();

/// Returns the path of a configuration: `name` itself if a file has this path. Otherwise `name` may be a configuration
/// that comes with the program, with or without `.toml`: `quickstart`, `qap/tsp`. Returns `name` too if there is no
/// such configuration.
std::filesystem::path find_configuration(const std::string& name);

}  // namespace qapfw::framework
