// SPDX-License-Identifier: Apache-2.0
// Texts in which marks or characters are replaced. Each function goes over its text once: what was put in is never
// searched again, so a word from a user's file cannot be taken for a mark.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace qapfw::framework {

/// A mark of a template, such as "@TITLE@", and the text that takes its place everywhere.
using Marks = std::vector<std::pair<std::string, std::string>>;

/// The template with its marks replaced. Where several marks begin at one position, the first in the list counts.
std::string with_marks_filled(std::string_view form, const Marks& marks);

/// The text with each character that the map names replaced.
std::string with_characters_replaced(std::string_view text, const std::map<char, std::string>& by);

}  // namespace qapfw::framework
