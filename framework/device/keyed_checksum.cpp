// SPDX-License-Identifier: Apache-2.0
#include "framework/device/keyed_checksum.hpp"

#include <bit>
#include <cstddef>

namespace qapfw::framework {
namespace {

std::uint64_t word(const std::uint8_t* bytes, std::size_t count) {
    std::uint64_t value = 0;
    for (std::size_t k = 0; k < count; ++k) value |= std::uint64_t{bytes[k]} << (8 * k);
    return value;
}

struct State {
    std::uint64_t a, b, c, d;

    void mix(int rounds) {
        for (int k = 0; k < rounds; ++k) {
            a += b;
            b = std::rotl(b, 13) ^ a;
            a = std::rotl(a, 32);
            c += d;
            d = std::rotl(d, 16) ^ c;
            a += d;
            d = std::rotl(d, 21) ^ a;
            c += b;
            b = std::rotl(b, 17) ^ c;
            c = std::rotl(c, 32);
        }
    }
    void take(std::uint64_t message) {
        d ^= message;
        mix(2);
        a ^= message;
    }
    std::uint64_t result() const { return a ^ b ^ c ^ d; }
};

void append(std::string& to, std::uint64_t value) {
    for (int k = 0; k < 8; ++k) to.push_back(static_cast<char>(value >> (8 * k)));
}

}  // namespace

std::string keyed_checksum(const ChecksumKey& key, std::string_view bytes) {
    const std::uint64_t first = word(key.data(), 8), second = word(key.data() + 8, 8);
    State state{first ^ 0x736f6d6570736575u, second ^ 0x646f72616e646f6du ^ 0xee, first ^ 0x6c7967656e657261u,
                second ^ 0x7465646279746573u};
    const auto* at = reinterpret_cast<const std::uint8_t*>(bytes.data());
    std::size_t left = bytes.size();
    for (; left >= 8; left -= 8, at += 8) state.take(word(at, 8));
    state.take(word(at, left) | std::uint64_t{bytes.size()} << 56u);
    std::string checksum;
    state.c ^= 0xee;
    state.mix(4);
    append(checksum, state.result());
    state.b ^= 0xdd;
    state.mix(4);
    append(checksum, state.result());
    return checksum;
}

}  // namespace qapfw::framework
