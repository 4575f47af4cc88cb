// SPDX-License-Identifier: Apache-2.0
// SipHash-2-4 with 128 bits (Aumasson and Bernstein 2012): a checksum that can be made only with the key.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace qapfw::framework {

using ChecksumKey = std::array<std::uint8_t, 16>;

/// The checksum of the bytes, as 16 bytes.
std::string keyed_checksum(const ChecksumKey& key, std::string_view bytes);

}  // namespace qapfw::framework
