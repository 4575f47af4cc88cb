// SPDX-License-Identifier: Apache-2.0
// The checksum in FILE.sha256 beside FILE, in the form of sha256sum, `shasum` or BSD's `sha256`.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace qapfw::framework {

/// The recorded checksum of `file`: 64 hex digits in lower case. Nothing if FILE.sha256 does not exist. A single
/// checksum in FILE.sha256 counts whatever name stands beside it. Throws Error(kInput) if there are several and none
/// for `file`, or no checksum at all.
std::optional<std::string> recorded_sha256(const std::filesystem::path& file);

}  // namespace qapfw::framework
