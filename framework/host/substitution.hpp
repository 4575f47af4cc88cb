// SPDX-License-Identifier: Apache-2.0
// Replaces marks or characters in texts. Each function goes over its text once. Inserted text is never searched again,
// so a word from a user's file cannot be taken for a mark.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace qapfw::framework {

/// Marks of a template, such as "@TITLE@", and their replacements.
using Marks = std::vector<std::pair<std::string, std::string>>;

/// The template with its marks replaced. If several marks begin at one position, the first in the list is used.
std::string with_marks_filled(std::string_view form, const Marks& marks);

/// Returns the text after replacing each character that is a key of `by` with that key's value.
std::string with_characters_replaced(std::string_view text, const std::map<char, std::string>& by);

}  // namespace qapfw::framework
