// SPDX-License-Identifier: Apache-2.0
// Reads a large file of numbers at once.
#pragma once

#include <filesystem>
#include <string>

namespace qapfw::sparse {

/// The whole file, unpacked where gzip packed it. Throws Error(kIo or kInput).
std::string read_whole_file(const std::filesystem::path& path);
/// The first bytes of a file, which tell its format; empty where it cannot be read.
std::string head_of(const std::filesystem::path& path);

}  // namespace qapfw::sparse
