// SPDX-License-Identifier: Apache-2.0
// Lines "item,location" as spreadsheets write them: cells, perhaps quoted, separated by commas, semicolons, tabs, bars
// or "->".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace qapfw::gqap {

struct PairLine {
    std::string item, location;  ///< without quotes and surrounding blanks
    std::uint64_t number = 0;    ///< number of the line, from 1
};

/// True if the first line of a text, apart from empty lines and comments, has a separator. A tab between numbers does
/// not count as a separator.
bool holds_pairs(std::string_view text);
/// The lines, without empty ones and comments (#). Throws Error(kInput) for a line that does not have two cells.
std::vector<PairLine> pair_lines(std::string_view text, const std::string& source);
[[noreturn]] void fail_in_line(const std::string& source, std::uint64_t line, const std::string& what);
/// The text as a cell, quoted if necessary, so that pair_lines and spreadsheets read it unchanged.
std::string csv_cell(const std::string& text);

}  // namespace qapfw::gqap
