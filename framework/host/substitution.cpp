// SPDX-License-Identifier: Apache-2.0
#include "framework/host/substitution.hpp"

#include <algorithm>

namespace qapfw::framework {

std::string with_marks_filled(std::string_view form, const Marks& marks) {
    std::string out;
    while (!form.empty()) {
        const auto mark =
            std::find_if(marks.begin(), marks.end(), [&](const auto& one) { return form.starts_with(one.first); });
        if (mark != marks.end() && !mark->first.empty()) {
            out += mark->second;
            form.remove_prefix(mark->first.size());
        } else {
            out += form.front();
            form.remove_prefix(1);
        }
    }
    return out;
}

std::string with_characters_replaced(std::string_view text, const std::map<char, std::string>& by) {
    std::string out;
    out.reserve(text.size());
    for (const char c : text) {
        const auto found = by.find(c);
        if (found == by.end()) {
            out += c;
        } else {
            out += found->second;
        }
    }
    return out;
}

}  // namespace qapfw::framework
