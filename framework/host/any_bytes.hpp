// SPDX-License-Identifier: Apache-2.0
// Names of files are any bytes; TOML and JSON are UTF-8. Between them a byte that is not part of UTF-8 is written as
// one character of Unicode's private planes (U+10F780 for 0x80 to U+10F7FF for 0xFF) and read back as the byte. Every
// other text stays as it is, so the way there and back gives the same bytes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace qapfw::framework {

/// Any bytes as UTF-8.
std::string bytes_to_utf8(std::string_view bytes);
/// The bytes again.
std::string utf8_to_bytes(std::string_view text);

std::vector<std::string> bytes_to_utf8(const std::vector<std::string>& list);
std::vector<std::string> utf8_to_bytes(const std::vector<std::string>& list);

}  // namespace qapfw::framework
