// SPDX-License-Identifier: Apache-2.0
// The checksum that lies beside a file: FILE.sha256 as sha256sum, `shasum` or BSD's `sha256` write it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace qapfw::framework {

/// The 64 hex digits in lower case that FILE.sha256 has for this file; nothing where there is no FILE.sha256. Throws
/// Error(kInput) where it has none for it.
std::optional<std::string> recorded_sha256(const std::filesystem::path& file);

}  // namespace qapfw::framework
