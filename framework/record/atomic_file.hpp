// SPDX-License-Identifier: Apache-2.0
// Writes and reads single files by their paths; folder.hpp does the same in an open folder. Every failure is an
// Error(kIo) with the file's name and the system's reason.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace qapfw::framework {

enum class Durability {
    kProcess,  ///< survives the end of the process: no fsync
    kPower,    ///< survives a power failure: fsync of file and folder
};

/// Replaces the file. Afterwards the file has all of these bytes. If this fails, the file stays as it was.
void write_atomically(const std::filesystem::path& path, std::string_view bytes, Durability durability);

/// Reads a whole file, which must be a regular file.
std::string read_file(const std::filesystem::path& path);

}  // namespace qapfw::framework
