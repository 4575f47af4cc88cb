// SPDX-License-Identifier: Apache-2.0
// Reads files as text, for the code that reads instances.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace qapfw::common {

/// Returns the text of a regular file of at most 2 GiB. Unpacks a gzip archive. Converts the text to UTF-8, and
/// replaces each lone CR by LF (CRLF stays). Throws Error(kIo) for a missing file, a directory or a device, and
/// Error(kInput) for a file that is no text.
std::string read_text_file(const std::filesystem::path& path);

/// The text of bytes that were already read and unpacked. A byte order mark of UTF-8 is removed.
std::string text_of_bytes(std::string bytes, const std::filesystem::path& path);

/// The ending of a file's name in small letters: ".dat" of "tai12a.DAT.gz". The ending .gz does not count.
std::string text_extension(const std::filesystem::path& path);
/// The file's name without folder and endings: "tai12a".
std::string text_stem(const std::filesystem::path& path);

/// Number of bytes at the start of a file that are enough to recognise the file's format.
inline constexpr std::size_t kHeadBytes = 4096;
/// Returns only the beginning of the file's text, read from the file's first kHeadBytes bytes.
std::string read_text_head(const std::filesystem::path& path);

}  // namespace qapfw::common
