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

/// The configuration that `name` means: a file of that path, otherwise a configuration that comes with the program,
/// with or without `.toml` (`quickstart`, `qap/tsp`). If there is none: `name` itself.
std::filesystem::path find_configuration(const std::string& name);

}  // namespace qapfw::framework
