// SPDX-License-Identifier: Apache-2.0
// Maps file names, which may be any bytes, to UTF-8 for TOML and JSON, and back. A byte that is not part of UTF-8
// becomes one stand-in character of Unicode's private planes (U+10F780 for 0x80 to U+10F7FF for 0xFF). A stand-in
// character that a name already has is replaced byte by byte, so every name comes back exactly. All other characters
// stay.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace qapfw::framework {

/// The bytes as UTF-8, with stand-in characters for bytes that are not UTF-8.
std::string bytes_to_utf8(std::string_view bytes);
/// The inverse of bytes_to_utf8.
std::string utf8_to_bytes(std::string_view text);

std::vector<std::string> bytes_to_utf8(const std::vector<std::string>& list);
std::vector<std::string> utf8_to_bytes(const std::vector<std::string>& list);

}  // namespace qapfw::framework
