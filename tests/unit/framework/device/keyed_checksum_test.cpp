// SPDX-License-Identifier: Apache-2.0
#include "framework/device/keyed_checksum.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

namespace qapfw::framework {
namespace {

std::string hex(const std::string& bytes) {
    std::string text;
    for (const char byte : bytes) text += fmt::format("{:02x}", static_cast<unsigned char>(byte));
    return text;
}

TEST_CASE("the keyed checksum is SipHash-2-4 with 128 bits, as its authors publish it") {
    ChecksumKey key{};
    std::string message;
    for (std::uint8_t k = 0; k < 16; ++k) key[k] = k;
    CHECK(hex(keyed_checksum(key, message)) == "a3817f04ba25a8e66df67214c7550293");
    for (char k = 0; k < 15; ++k) message.push_back(k);
    CHECK(hex(keyed_checksum(key, message.substr(0, 1))) == "da87c1d86b99af44347659119b22fc45");
    CHECK(hex(keyed_checksum(key, message.substr(0, 8))) == "3b62a9ba6258f5610f83e264f31497b4");
    CHECK(hex(keyed_checksum(key, message)) == "5493e99933b0a8117e08ec0f97cfc3d9");
}

}  // namespace
}  // namespace qapfw::framework
