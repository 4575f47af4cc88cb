// SPDX-License-Identifier: Apache-2.0
// The cells of a line of a list of edges, of points or of a table.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace qapfw::sparse {

/// Calls take(cell) for each cell of a line. Commas, semicolons, tabs or blanks part them, whichever of these the line
/// has that comes first here. Quotes around a cell are left out, and separators within them are letters.
void for_cells(std::string_view line, const std::function<void(std::string_view)>& take);

/// The first three cells of a line, and how many it has.
struct EdgeCells {
    std::array<std::string_view, 3> cell;
    std::size_t count = 0;
};
EdgeCells edge_cells_of(std::string_view line);

/// True if a number was meant: a whole one, a fraction, one that is too large, nan.
bool is_number_like(std::string_view cell);

/// The text of a cell; two quotes in it stand for one.
std::string text_of_cell(std::string_view cell);

}  // namespace qapfw::sparse
