// SPDX-License-Identifier: Apache-2.0
// Reads the text of an arm (see arms.hpp). The text consists of words of the form key=value.
#pragma once

#include <cstdint>
#include <string>

#include "plugins/memetic/arms.hpp"

namespace qapfw::memetic {

/// Reads an arm. `place`: origin of the text, for error messages. Throws Error(kUsage) if the text is wrong.
Arm read_arm(const std::string& text, const std::string& place);

/// Returns the number of iterations that "iterations=" gives in an improver's settings. The text after "iterations="
/// may be a number or a formula of the size n, such as n/2. Returns 0 if the text is missing, or is neither of the two.
std::uint64_t iterations_of(const std::string& settings, std::uint32_t n);

/// Throws Error(kUsage) with the message that `key` at `place` must be `wanted`, but that `found` was found.
[[noreturn]] void refuse(const std::string& place, const std::string& key, const std::string& wanted,
                         const std::string& found);

}  // namespace qapfw::memetic
