// SPDX-License-Identifier: Apache-2.0
// Files that come with the program. They are found from the binary, so an installation can be moved; the build tree has
// the same shape.
#pragma once

#include <filesystem>
#include <string>

#include "framework/plugin/registry.hpp"  // for installation_prefix

namespace qapfw::framework {

/// Folder of the guides; empty if they were not installed.
std::filesystem::path documents_folder();

/// The configuration that `name` means: a file of that path, else one that comes with the program, with or without its
/// `.toml` (`quickstart`, `qap/tsp`). `name` itself if there is none.
std::filesystem::path find_configuration(const std::string& name);

}  // namespace qapfw::framework
