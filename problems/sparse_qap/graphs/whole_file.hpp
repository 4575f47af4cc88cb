// SPDX-License-Identifier: Apache-2.0
// Reads the bytes of a file: all of them, or the first ones.
#pragma once

#include <filesystem>
#include <string>

namespace qapfw::sparse {

/// Returns the whole file, unpacked if it was packed with gzip. Throws Error(kIo or kInput).
std::string read_whole_file(const std::filesystem::path& path);
/// Returns the first bytes of a file, which show its format; empty if it cannot be read.
std::string head_of(const std::filesystem::path& path);

}  // namespace qapfw::sparse
