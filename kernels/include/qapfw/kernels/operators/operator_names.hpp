// SPDX-License-Identifier: Apache-2.0
// Joins names of operators into one text, the choices of a plugin's parameter. A header of operators has an enumeration
// and a table of names in the same order, so a choice's index is the enumerator. Tables and joined names are only for
// the host. Otherwise they would be part of every compiled kernel that includes such a header.
#pragma once

#include "qapfw/kernels/platform.hpp"

namespace qapfw::kernels {

/// Returns the lowest operator number in a set, in which bit k stands for operator k. The set must not be empty.
constexpr uint32_t lowest_bit(uint32_t set) {
    uint32_t bit = 0;
    while ((set >> bit & 1u) == 0) ++bit;
    return bit;
}

/// A text of known length, such as "pmx|ox".
template <uint32_t kBytes>
struct JoinedText {
    char text[kBytes];  ///< ends with a zero byte
};

/// Returns the number of bytes of all names. Each name has one more byte, for a separator or the text's end.
template <const auto& kNames>
constexpr uint32_t joined_bytes() {
    uint32_t bytes = 0;
    for (const char* name : kNames) {
        while (*name++ != '\0') ++bytes;
        ++bytes;
    }
    return bytes;
}

/// The names joined by '|', the form of a parameter's choices.
template <const auto& kNames>
constexpr auto joined_names() {
    JoinedText<joined_bytes<kNames>()> joined{};
    uint32_t at = 0;
    for (const char* name : kNames) {
        while (*name != '\0') joined.text[at++] = *name++;
        joined.text[at++] = '|';
    }
    joined.text[at - 1] = '\0';
    return joined;
}

}  // namespace qapfw::kernels
