// SPDX-License-Identifier: Apache-2.0
// The checksum in FILE.sha256 beside FILE, in the form of sha256sum, `shasum` or BSD's `sha256`.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace qapfw::framework {

/// The recorded checksum of `file`: 64 hex digits in lower case. Nothing if FILE.sha256 does not exist. If FILE.sha256
/// holds only one checksum, this one is returned, even if it is beside the name of another file. Throws Error(kInput)
/// if FILE.sha256 holds no checksum, or several checksums but none beside the name of `file`.
std::optional<std::string> recorded_sha256(const std::filesystem::path& file);

}  // namespace qapfw::framework
