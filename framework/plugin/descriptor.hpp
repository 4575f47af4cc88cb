// SPDX-License-Identifier: Apache-2.0
// Checks a plugin library's descriptor. Only check_capabilities calls a function of the plugin.
#pragma once

#include <string>

#include "qapfw/abi/plugin.h"

namespace qapfw::framework {

/// The descriptor's defect, as the end of a sentence ("it must be built for ..."); empty: none. Does not check
/// capabilities. The function follows the descriptor's pointers, so run it first in a process that may crash.
std::string check_plugin(const qapfw_plugin& plugin);

/// The defect of one component; empty: none. Does not check the component's capabilities.
std::string check_component(const qapfw_component& component);

/// The defect of a component's parameter table; empty: none.
std::string check_parameters(const qapfw_component& component);

/// The defect of a component's capability tables; empty: none. Calls the component's get_capability for each capability
/// that this framework knows.
std::string check_capabilities(const qapfw_component& component);

/// True if the text can be an id or a parameter's name: a lower-case letter, then lower-case letters, digits and '_';
/// at most 64 characters.
bool is_snake_case(const char* text);

/// True if the text is UTF-8 of 1 to 4096 bytes without control characters of ASCII.
bool is_plain_text(const char* text);

}  // namespace qapfw::framework
