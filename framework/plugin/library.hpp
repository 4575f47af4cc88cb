// SPDX-License-Identifier: Apache-2.0
// Loads one plugin library with Boost.DLL. The library is never unloaded. Unloading works only with some compiler flags
// of the plugin, and the program crashes if an object outlives the code of its library.
#pragma once

#include <filesystem>
#include <string>

#include "qapfw/abi/plugin.h"

namespace qapfw::framework {

/// Loads the library at the canonical absolute path, with all symbols resolved, and never unloads it. Throws
/// Error(kPlugin), whose message is the end of a sentence ("it ..."). Finds the descriptor but does not check it.
const qapfw_plugin& load_library(const std::filesystem::path& canonical);

/// xxh3-128 of the file's bytes as 32 hexadecimal digits. Throws Error(kIo).
std::string hash_file(const std::filesystem::path& path);

}  // namespace qapfw::framework
