// SPDX-License-Identifier: Apache-2.0
// Single files by their paths; folder.hpp has the same for a folder that is held open. Every failure is an Error(kIo)
// that names the file and the system's reason.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace qapfw::framework {

enum class Durability {
    kProcess,  ///< survives the process: no fsync
    kPower,    ///< survives a power failure: fsync of file and folder
};

/// Replaces the file by one with these bytes: it is there completely or not at all.
void write_atomically(const std::filesystem::path& path, std::string_view bytes, Durability durability);

/// The whole regular file.
std::string read_file(const std::filesystem::path& path);

}  // namespace qapfw::framework
