// SPDX-License-Identifier: Apache-2.0
// The message that a plugin leaves before it returns a failing status. Each thread has a message of its own, as the
// plugin interface demands.
#pragma once

#include <string>
#include <string_view>

namespace qapfw::framework {

void set_last_error(std::string_view text);
/// Returns this thread's message and forgets it.
std::string take_last_error();

}  // namespace qapfw::framework
