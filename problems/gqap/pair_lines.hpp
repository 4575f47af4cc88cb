// SPDX-License-Identifier: Apache-2.0
// Lines "item,location" as spreadsheets write them: cells between commas, semicolons, tabs, bars or "->", with quotes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace qapfw::gqap {

struct PairLine {
    std::string item, location;  ///< without quotes and the blanks around them
    std::uint64_t number = 0;    ///< of the line, from 1
};

/// True if a text is a list of pairs and no list of numbers.
bool holds_pairs(std::string_view text);
/// The lines that are neither empty nor comments, which begin with #. Throws Error(kInput) where one has not two cells.
std::vector<PairLine> pair_lines(std::string_view text, const std::string& source);
[[noreturn]] void fail_in_line(const std::string& source, std::uint64_t line, const std::string& what);
/// A cell as pair_lines and spreadsheets read it back.
std::string csv_cell(const std::string& text);

}  // namespace qapfw::gqap
