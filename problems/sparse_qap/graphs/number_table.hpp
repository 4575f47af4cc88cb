// SPDX-License-Identifier: Apache-2.0
// Square tables of whole numbers as spreadsheets and QAPLIB have them. What is 0 takes no memory.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "common/text_cursor.hpp"

namespace qapfw::sparse {

struct NumberTable {
    struct Entry {
        std::uint64_t index;  ///< row x n + column
        std::int64_t value;   ///< not 0
    };
    std::uint32_t n = 0;
    std::vector<std::string> names;  ///< above the columns or before the rows; empty: the table has none
    std::vector<Entry> entries;
};

/// Reads a table with names or without; a first line with n alone is left out. `what` is an entry in messages, such as
/// "distance". Throws Error(kInput), also beyond `most` rows.
NumberTable read_number_table(common::TextCursor& cursor, const std::string& what, std::uint32_t most);

/// True if the first lines of a text are those of a table: a line of four cells or more, or a number alone.
bool looks_like_table(std::string_view head);

}  // namespace qapfw::sparse
