// SPDX-License-Identifier: Apache-2.0
// Splits a line of a list of edges, a list of points or a table into cells, and reads cells.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace qapfw::sparse {

/// Calls take(cell) for each cell of a line. The separator is a comma if the line has one, otherwise a semicolon, then
/// a tab, then a blank. Quotes around a cell are left out. A separator between quotes is part of the text.
void for_cells(std::string_view line, const std::function<void(std::string_view)>& take);

/// The first three cells of a line, and the number of its cells.
struct EdgeCells {
    std::array<std::string_view, 3> cell;
    std::size_t count = 0;
};
EdgeCells edge_cells_of(std::string_view line);

/// True if the cell is written as a number, such as 12, -0.5, 1e999 (too large) or nan.
bool is_number_like(std::string_view cell);

/// Returns the text of a cell, with each doubled quote replaced by one quote.
std::string text_of_cell(std::string_view cell);

}  // namespace qapfw::sparse
