// SPDX-License-Identifier: Apache-2.0
#include "problems/sparse_qap/graphs/number_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "problems/sparse_qap/graphs/edge_cells.hpp"
#include "qapfw/error.hpp"

namespace qapfw::sparse {
namespace {

using common::TextCursor;

class TableReader {
  public:
    TableReader(TextCursor& cursor, const std::string& what, std::uint32_t most)
        : cursor_(cursor), what_(what), most_(most) {}
    NumberTable read() {
        const char separator = separator_in(cursor_.text());
        std::vector<std::string_view> cells;
        for (bool first = true; cursor_.next_line('#', false); first = false) {
            cells.clear();
            for_cells(cursor_.rest_of_line(), separator, [&](std::string_view cell) { cells.push_back(cell); });
            if (cells.size() > 1 && cells.back().empty()) cells.pop_back();  // the line ends with a separator
            take_line(cells, first);
        }
        return finish();
    }

  private:
    void take_line(const std::vector<std::string_view>& cells, bool first) {
        const bool one = cells.size() == 1;
        if (first && !std::all_of(cells.begin() + (one ? 0 : 1), cells.end(), is_number_like)) {
            for (const std::string_view cell : cells) columns_.push_back(text_of_cell(cell));
            return;
        }
        std::size_t from = 0;
        if (!one && !is_number_like(cells[0])) {
            rows_.push_back(text_of_cell(cells[0]));
            from = 1;
        }
        for (std::size_t k = from; k < cells.size(); ++k) {
            const std::int64_t value = whole_number_in(cursor_, cells[k], "a " + what_, "all " + what_ + "s");
            if (count_ == 0) first_ = value;
            if (value != 0) table_.entries.push_back({count_, value});
            ++count_;
        }
        if (count_ > std::uint64_t{most_} * most_ + 1) cursor_.fail(fmt::format("a table has at most {} rows", most_));
    }

    NumberTable finish() {
        const auto root = [&] {
            return static_cast<std::uint64_t>(std::llround(std::sqrt(static_cast<double>(count_))));
        };
        if (count_ > 1 && root() * root() + 1 == count_ && first_ == static_cast<std::int64_t>(root())) {
            table_.entries.erase(table_.entries.begin());  // the first number is the number of rows
            for (NumberTable::Entry& entry : table_.entries) --entry.index;
            --count_;
        }
        const std::uint64_t n = root();
        if (n == 0 || n * n != count_)
            cursor_.fail(fmt::format("a square table of {}s was wanted, found {} numbers", what_, count_));
        table_.n = static_cast<std::uint32_t>(n);
        check_names();
        table_.names = std::move(columns_.empty() ? rows_ : columns_);
        return std::move(table_);
    }

    void check_names() {
        const std::size_t n = table_.n;
        if (columns_.size() == n + 1) columns_.erase(columns_.begin());  // the first name is the corner of the table
        if ((!columns_.empty() && columns_.size() != n) || (!rows_.empty() && rows_.size() != n))
            cursor_.fail(fmt::format("{} rows were found, but {} names above the columns and {} before the rows", n,
                                     columns_.size(), rows_.size()));
        for (std::size_t k = 0; !columns_.empty() && k < rows_.size(); ++k) {
            if (columns_[k] != rows_[k])
                cursor_.fail(fmt::format("row {} is {}, but column {} is {}; the same order was wanted", k + 1,
                                         common::shown_word(rows_[k]), k + 1, common::shown_word(columns_[k])));
        }
    }

    TextCursor& cursor_;
    const std::string& what_;
    std::uint32_t most_;
    std::uint64_t count_ = 0;
    std::int64_t first_ = 0;
    std::vector<std::string> columns_, rows_;
    NumberTable table_;
};

}  // namespace

NumberTable read_number_table(TextCursor& cursor, const std::string& what, std::uint32_t most) {
    return TableReader(cursor, what, most).read();
}

bool looks_like_table(std::string_view head) {
    TextCursor lines(head, "");
    if (!lines.next_line('#', false)) return false;
    const EdgeCells cells = edge_cells_of(lines.rest_of_line(), separator_in(head));
    return cells.count > 3 || (cells.count == 1 && is_number_like(cells.cell[0]));
}

}  // namespace qapfw::sparse
