// SPDX-License-Identifier: Apache-2.0
// Square tables of whole numbers, as in spreadsheets and QAPLIB. Entries that are 0 take no memory.
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
        std::int64_t value;   ///< the entry, which is not 0
    };
    std::uint32_t n = 0;
    std::vector<std::string> names;  ///< names above the columns or before the rows; empty: there are none
    std::vector<Entry> entries;
};

/// Reads a table with or without names. A first line that holds only the number n is skipped. `what` is the name of an
/// entry in messages, such as "distance". Throws Error(kInput), also if there are more than `most` rows.
NumberTable read_number_table(common::TextCursor& cursor, const std::string& what, std::uint32_t most);

/// True if the first line of a text is the start of a table: four cells or more, or a single number.
bool looks_like_table(std::string_view head);

}  // namespace qapfw::sparse
