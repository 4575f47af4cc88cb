// SPDX-License-Identifier: Apache-2.0
// Splits a line of a list of edges, a list of points or a table into cells, and reads cells.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "common/text_cursor.hpp"

namespace qapfw::sparse {

/// Returns the character that separates the cells in all lines of a text: the first of ; tab | and comma that occurs
/// outside quotes; if none occurs, a blank. Lines that begin with # or % do not count, nor do tabs at a line's ends.
char separator_in(std::string_view text);

/// Calls take(cell) for each cell of a line. Quotes around a cell are left out. A separator between quotes is part of
/// the text.
void for_cells(std::string_view line, char separator, const std::function<void(std::string_view)>& take);

/// The first three cells of a line, and the number of its cells.
struct EdgeCells {
    std::array<std::string_view, 3> cell;
    std::size_t count = 0;
};
EdgeCells edge_cells_of(std::string_view line, char separator);

/// True if the cell is written as a number, such as 12, -0.5, 1e999 (too large) or nan.
bool is_number_like(std::string_view cell);

/// Returns the whole number that fills a cell of the text. Throws Error(kInput) for any other cell; `what` and `all`
/// are for its message, as in common::whole_number_wanted().
std::int64_t whole_number_in(const common::TextCursor& text, std::string_view cell, std::string_view what,
                             std::string_view all);

/// Returns the text of a cell, with each doubled quote replaced by one quote.
std::string text_of_cell(std::string_view cell);

}  // namespace qapfw::sparse
