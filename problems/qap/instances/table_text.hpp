// SPDX-License-Identifier: Apache-2.0
// Text as spreadsheets write it: rows of cells. Finds out which character separates cells and whether decimals have a
// comma. Messages name cells as spreadsheets do ("C3").
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "problems/qap/instances/csv_reader.hpp"
#include "problems/qap/instances/text_scanner.hpp"

namespace qapfw::qap {

/// A cell without its quotes and the surrounding blanks. Its text is valid while the table and the source text live.
struct Cell {
    std::string_view text;
    TextPosition at;
    uint32_t column = 0;  ///< counted from 0
    bool quoted = false;
};

class TableText {
  public:
    /// The text and its name must outlive the table. Throws if the text has no row.
    explicit TableText(const NamedText& named);
    explicit TableText(NamedText&&) = delete;

    const std::string& source() const { return *source_; }
    char separator() const { return separator_; }  ///< ' ' stands for a run of blanks
    std::size_t row_count() const { return rows_.size(); }
    /// True if an empty line, or a row of empty cells, comes before the row.
    bool after_gap(std::size_t row) const { return rows_[row].after_gap; }
    /// The cells of a row; the list is valid until the next call. O(length of the row).
    const std::vector<Cell>& cells(std::size_t row) const;
    /// Position behind the last cell of a row.
    TextPosition end_of(std::size_t row) const { return rows_[row].end; }

    [[noreturn]] void fail(TextPosition at, const std::string& what) const { fail_at(*source_, at, what); }
    /// Name of a cell as spreadsheets show it: "cell C3".
    static std::string name_of(const Cell& cell);
    /// Throws an error that says why the cell is no number.
    [[noreturn]] void fail_no_number(const Cell& cell) const;

    /// The cell's number, written with a decimal point; "0" for "-". The text lies in `storage` if the cell has a
    /// decimal comma.
    std::string_view number_text(const Cell& cell, std::string& storage) const;
    /// True if the cell holds a number, or "-" for 0.
    bool is_number(const Cell& cell) const;
    /// Checks the decimal marks of rows first_row to last_row - 1. Throws if points and commas are mixed, or if it is
    /// unclear whether commas separate thousands or decimals.
    void check_marks(std::size_t first_row, std::size_t last_row) const;

  private:
    struct Row {
        std::string_view text;
        TextPosition at, end;
        bool after_gap = false;
    };
    void find_rows(std::string_view text);
    void find_separator();
    void drop_empty_rows();
    void drop_empty_columns();
    std::string_view unescaped(std::string_view content) const;
    bool takes_commas(const Cell& cell) const { return separator_ != ',' || cell.quoted; }

    const std::string* source_;
    std::vector<Row> rows_;
    char separator_ = ' ';
    std::size_t dropped_ = 0;  // number of empty cells that cells() leaves out at the end of each row
    mutable std::vector<Cell> cells_;
    mutable std::unordered_map<const char*, std::string> unescaped_;  // key: where the content begins in the text
};

/// Returns a number such as "1,000,000", "1.000.000", "1'000" or "1 000,5" without thousands separators and with a
/// decimal point; empty if the text is no such number.
std::string without_thousands(std::string_view text);

/// Says why a text is no number, as the end of a sentence: "has a decimal comma, ..."; empty if unknown.
std::string why_no_number(std::string_view text);

/// True if the first line that is neither empty nor a comment belongs to a table. Such a line has a separator other
/// than a blank. It has none of the characters {}=[]:<>, which occur in JSON, in TOML and in a list "NAME : value".
bool is_table_text(std::string_view text);

/// True if a text looks like a number, perhaps a wrong one: it is "-", or it has digits and otherwise only signs,
/// decimal and thousands marks, blanks, % and e.
bool looks_numeric(std::string_view text);

}  // namespace qapfw::qap
