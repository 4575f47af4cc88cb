// SPDX-License-Identifier: Apache-2.0
// Tools of the fuzz targets. An Error is allowed. Any other exception and any violated condition is a finding.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "qapfw/error.hpp"

namespace qapfw::fuzz {

/// Unless `holds` is true, ends the process with a signal that libFuzzer reports.
inline void require(bool holds) {
    if (!holds) std::abort();
}

/// Runs the action. If it throws an Error, the message must begin with `source`, the name of the input.
inline void accept_errors(std::string_view source, const std::function<void()>& action) {
    try {
        action();
    } catch (const Error& error) {
        require(std::string_view(error.what()).substr(0, source.size()) == source);
    }
}

/// A factor of costs (scale) and a text, from a fuzzer's bytes. The low half of the first byte is a scale from 1 to 15,
/// or 0 for none. The text is the rest.
struct ScaledText {
    ScaledText(const uint8_t* data, size_t size) {
        if (size == 0) return;
        if (data[0] % 16 != 0) scale = data[0] % 16;
        text.assign(reinterpret_cast<const char*>(data) + 1, size - 1);
    }

    std::optional<int64_t> scale;
    std::string text;
};

}  // namespace qapfw::fuzz
