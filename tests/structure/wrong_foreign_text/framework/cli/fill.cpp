// SPDX-License-Identifier: Apache-2.0
// Wrong on purpose: check_foreign_text.sh must notice it.
#include <string>

std::string filled(std::string text) {
    for (std::size_t at = 0; (at = text.find("@NAME@", at)) != std::string::npos;) text.replace(at, 6, "n");
    return text;
}
