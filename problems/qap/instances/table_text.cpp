// SPDX-License-Identifier: Apache-2.0
#include "problems/qap/instances/table_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

namespace qapfw::qap {

namespace {

constexpr std::string_view kSeparators = ";\t|,";

std::string_view trimmed(std::string_view text) {
    const auto blank = [](char c) { return kBlanks.find(c) != std::string_view::npos; };
    while (!text.empty() && blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && blank(text.back())) text.remove_suffix(1);
    return text;
}

bool is_ascii_digit(char c) {
    return c >= '0' && c <= '9';
}

bool is_decimal(std::string_view text) {
    if (!text.empty() && text.front() == '+') text.remove_prefix(1);
    double value = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    // A number outside the range of double also counts as a decimal number. If a matrix has a number that is
    // too large, NumberMatrix::set reports the number with its position.
    return !text.empty() && read.ptr == text.data() + text.size() && read.ec != std::errc::invalid_argument;
}

/// True if `text` is a number with a decimal comma, and has no point, no apostrophe and no other comma.
bool has_decimal_comma(std::string_view text) {
    const std::size_t comma = text.find(',');
    if (comma == std::string_view::npos || text.find_first_of(".,'", comma + 1) != std::string_view::npos) return false;
    if (text.substr(0, comma).find('.') != std::string_view::npos) return false;
    std::string pointed(text);
    pointed[comma] = '.';
    return is_decimal(pointed);
}

/// True if the mark, a comma or a point, may also separate thousands: "1,000".
bool is_ambiguous(std::string_view text, char mark) {
    if (!text.empty() && (text.front() == '-' || text.front() == '+')) text.remove_prefix(1);
    const std::size_t at = text.find(mark);
    return at >= 1 && at <= 3 && text.front() != '0' && text.size() == at + 4 &&
           std::all_of(text.begin() + static_cast<std::ptrdiff_t>(at) + 1, text.end(), is_ascii_digit);
}

/// True for a whole number from 1 to 999, with or without a sign.
bool is_below_thousand(std::string_view text) {
    if (!text.empty() && (text.front() == '-' || text.front() == '+')) text.remove_prefix(1);
    return !text.empty() && text.size() <= 3 && text.front() != '0' && std::ranges::all_of(text, is_ascii_digit);
}

/// Tells whether points in a table may separate thousands, as in German: 1.234. Take every cell in turn.
class PointMarks {
  public:
    void take(const Cell& cell) {
        if (cell.text.find('.') == std::string_view::npos) {
            small_ = small_ || is_below_thousand(cell.text);
            large_ = large_ || (cell.text.size() > 3 && is_decimal(cell.text));
        } else if (is_decimal(cell.text)) {
            sure_ = sure_ || !is_ambiguous(cell.text, '.');
            if (!first_) first_ = cell;
        }
    }
    /// The first number such as 1.234. Nothing if another number shows that points are decimal marks, or if no number
    /// is below a thousand.
    std::optional<Cell> doubtful() const { return sure_ || large_ || !small_ ? std::nullopt : first_; }

  private:
    bool small_ = false, large_ = false, sure_ = false;
    std::optional<Cell> first_;
};

}  // namespace

std::string without_thousands(std::string_view text) {
    std::string digits;
    std::size_t groups = 0, run = 0;
    char mark = 0;
    bool fraction = false;
    for (std::size_t k = 0; k < text.size(); ++k) {
        const char c = text[k];
        if (is_ascii_digit(c)) {
            digits += c;
            ++run;
        } else if (k == 0 && (c == '-' || c == '+')) {
            if (c == '-') digits += c;
        } else if (c == ',' || c == '.' || c == '\'' || c == ' ' || c == '\xc2' || c == '\xa0') {
            if (c == '\xc2') continue;  // the first byte of a no-break space
            if (fraction || run == 0 || run > 3 || (groups > 0 && run != 3)) return {};
            if (mark == 0) mark = c;
            fraction = c != mark;
            if (fraction) digits += '.';
            groups += fraction ? 0 : 1;
            run = 0;
        } else {
            return {};
        }
    }
    const bool whole = groups > 0 && (fraction ? run > 0 : run == 3);
    const bool sure = groups > 1 || fraction || mark != '.';
    return whole && sure ? digits : std::string{};
}

std::string why_no_number(std::string_view text) {
    if (const std::string digits = without_thousands(text); !digits.empty())
        return "has thousands separators, which could be decimal marks; write " + digits;
    if (has_decimal_comma(text)) {
        std::string pointed(text);
        pointed[text.find(',')] = '.';
        return fmt::format("has a decimal comma; write {}, or separate the cells of a CSV file by ; or tabs", pointed);
    }
    if (text.find('#') != std::string_view::npos)
        return "is no number; comments have lines of their own, beginning with #";
    if (text.find('"') != std::string_view::npos) return "is no number: quotes belong around a whole cell";
    return {};
}

bool looks_numeric(std::string_view text) {
    if (text == "-") return true;
    const bool digits = std::any_of(text.begin(), text.end(), is_ascii_digit);
    return digits && std::all_of(text.begin(), text.end(), [](char c) {
               return is_ascii_digit(c) || std::string_view("+-.,'%eE ").find(c) != std::string_view::npos;
           });
}

bool is_table_text(std::string_view text) {
    text = without_byte_order_mark(text);
    while (!text.empty()) {
        const std::size_t end = std::min(text.find_first_of("\r\n"), text.size());
        const std::string_view line = trimmed(text.substr(0, end));
        if (!line.empty() && !line.starts_with('#') && !line.starts_with("//")) {
            if (line.find_first_of("{}=[]:<>") != std::string_view::npos) return false;
            return line.find_first_of(kSeparators) != std::string_view::npos;
        }
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return false;
}

TableText::TableText(const NamedText& named) : source_(&named.source) {
    find_rows(without_byte_order_mark(named.text));
    if (rows_.empty()) fail({}, "a matrix was wanted, but the text is empty");
    find_separator();
    drop_empty_rows();
    if (rows_.empty()) fail({}, "a matrix was wanted, but all cells are empty");
    drop_empty_columns();
}

/// Finds the rows of the table; skips blank lines and comments. A row has several lines if a quoted cell contains line
/// ends.
void TableText::find_rows(std::string_view text) {
    uint32_t line = 1;
    bool gap = false;
    while (!text.empty()) {
        std::size_t end = 0;
        bool quoted = false;
        uint32_t lines = 0;
        for (; end < text.size(); ++end) {
            const char c = text[end];
            const bool opens = c == '"' && !quoted &&
                               (end == 0 || kSeparators.find(text[end - 1]) != std::string_view::npos ||
                                kBlanks.find(text[end - 1]) != std::string_view::npos);
            if (opens) {
                quoted = true;
            } else if (c == '"') {
                quoted = false;
            } else if (!quoted && (c == '\n' || c == '\r')) {
                break;
            } else if (c == '\n') {
                ++lines;
            }
        }
        const std::string_view content = trimmed(text.substr(0, end));
        const bool comment = content.starts_with('#') || content.starts_with("//");
        if (content.empty()) gap = true;
        if (!content.empty() && !comment) {
            // Tabs at both ends of the row are kept, since such a tab may separate an empty cell.
            const std::size_t first = text.find_first_not_of(' ');
            const auto column = static_cast<uint32_t>(first) + 1;
            std::string_view row = text.substr(first, end - first);
            while (!row.empty() && (row.back() == '\r' || row.back() == ' ')) row.remove_suffix(1);
            rows_.push_back({row, {line, column}, {line, column + static_cast<uint32_t>(row.size())}, gap});
            gap = false;
        }
        line += 1 + lines;
        const bool both = text.substr(end).starts_with("\r\n");
        text.remove_prefix(std::min(end + (both ? 2 : 1), text.size()));
    }
}

void TableText::find_separator() {
    for (const char candidate : kSeparators) {
        for (const Row& row : rows_) {
            bool quoted = false;
            for (const char c : row.text) {
                if (c == '"') quoted = !quoted;
                if (c != candidate || quoted) continue;
                separator_ = candidate;
                return;
            }
        }
    }
}

/// The content of a quoted cell, with "" replaced by ". The text lives as long as the table.
std::string_view TableText::unescaped(std::string_view content) const {
    std::string& plain = unescaped_[content.data()];
    if (plain.empty()) {
        for (std::size_t k = 0; k < content.size(); ++k) {
            plain += content[k];
            if (content[k] == '"') ++k;
        }
    }
    return plain;
}

const std::vector<Cell>& TableText::cells(std::size_t index) const {
    const Row& row = rows_[index];
    cells_.clear();
    const auto blank = [](char c) { return kBlanks.find(c) != std::string_view::npos; };
    const std::string_view text = row.text;
    std::size_t begin = 0;
    while (separator_ == ' ' && begin < text.size() && blank(text[begin])) ++begin;
    for (bool more = true; more;) {
        const auto is_end = [&](char c) { return separator_ == ' ' ? blank(c) : c == separator_; };
        while (begin < text.size() && blank(text[begin]) && !is_end(text[begin])) ++begin;
        Cell cell;
        cell.column = static_cast<uint32_t>(cells_.size());
        cell.at = {row.at.line, row.at.column + static_cast<uint32_t>(begin)};
        std::size_t end = begin;
        if (begin < text.size() && text[begin] == '"') {
            cell.quoted = true;
            bool closed = false, escapes = false;
            for (end = begin + 1; end < text.size() && !closed; ++end) {
                if (text[end] != '"') continue;
                closed = end + 1 == text.size() || text[end + 1] != '"';
                if (!closed) {
                    escapes = true;
                    ++end;
                }
            }
            if (!closed) fail(cell.at, fmt::format("{}: the quote is not closed", name_of(cell)));
            const std::string_view content = text.substr(begin + 1, end - begin - 2);
            cell.text = trimmed(escapes ? unescaped(content) : content);
            while (end < text.size() && blank(text[end]) && !is_end(text[end])) ++end;
            if (end < text.size() && !is_end(text[end]))
                fail(cell.at, fmt::format("{}: a separator was wanted after the closing quote", name_of(cell)));
        } else {
            while (end < text.size() && !is_end(text[end])) ++end;
            cell.text = trimmed(text.substr(begin, end - begin));
        }
        cells_.push_back(cell);
        more = end < text.size();
        begin = end + 1;
        if (separator_ == ' ') {
            while (begin < text.size() && blank(text[begin])) ++begin;
            more = more && begin < text.size();
        }
    }
    for (std::size_t k = 0; k < dropped_ && cells_.size() > 1 && cells_.back().text.empty(); ++k) cells_.pop_back();
    return cells_;
}

/// Removes rows such as ",,,", which spreadsheets write below a table or between two tables.
void TableText::drop_empty_rows() {
    std::vector<Row> kept;
    bool gap = false;
    for (std::size_t k = 0; k < rows_.size(); ++k) {
        const auto& row = cells(k);
        const bool empty = std::all_of(row.begin(), row.end(), [](const Cell& cell) { return cell.text.empty(); });
        if (!empty) {
            kept.push_back(rows_[k]);
            kept.back().after_gap = kept.back().after_gap || gap;
        }
        gap = empty;
    }
    rows_ = std::move(kept);
}

/// Removes columns at the end that are empty in every row. If the first row is a header, its cells are ignored.
void TableText::drop_empty_columns() {
    if (separator_ == ' ') return;
    const auto trailing = [this](std::size_t row) {
        const auto& list = cells(row);
        std::size_t count = 0;
        while (count < list.size() && list[list.size() - 1 - count].text.empty()) ++count;
        return count;
    };
    const auto& first = cells(0);
    const bool header = std::any_of(first.begin(), first.end(),
                                    [](const Cell& cell) { return !cell.text.empty() && !looks_numeric(cell.text); });
    std::size_t least = header && rows_.size() > 1 ? trailing(1) : trailing(0);
    for (std::size_t k = 1; k < rows_.size() && least > 0; ++k) least = std::min(least, trailing(k));
    dropped_ = least;
}

std::string TableText::name_of(const Cell& cell) {
    std::string letters;
    for (uint32_t k = cell.column + 1; k > 0; k = (k - 1) / 26)
        letters.insert(letters.begin(), static_cast<char>('A' + (k - 1) % 26));
    return fmt::format("cell {}{}", letters, cell.at.line);
}

void TableText::fail_no_number(const Cell& cell) const {
    const std::string where = fmt::format("{}: ", name_of(cell));
    const std::string quoted = quote_token(cell.text);
    if (cell.text.empty()) fail(cell.at, where + "the cell is empty; write 0 if there is nothing");
    if (const std::string why = why_no_number(cell.text); !why.empty()) fail(cell.at, where + quoted + " " + why);
    if (separator_ == ',' && cell.text.find(' ') != std::string_view::npos && looks_numeric(cell.text)) {
        fail(cell.at,
             where + quoted +
                 " is no number: if commas are decimal marks here, separate cells by ; or tabs, or write decimal "
                 "points");
    }
    fail(cell.at, where + fmt::format("a number was wanted, found {}; names belong in the first row or the first "
                                      "column",
                                      quoted));
}

bool TableText::is_number(const Cell& cell) const {
    if (cell.text == "-" || is_decimal(cell.text)) return true;
    return takes_commas(cell) && has_decimal_comma(cell.text);
}

std::string_view TableText::number_text(const Cell& cell, std::string& storage) const {
    if (cell.text == "-") return "0";
    if (!takes_commas(cell) || !has_decimal_comma(cell.text)) return cell.text;
    storage = cell.text;
    storage[storage.find(',')] = '.';
    return storage;
}

void TableText::check_marks(std::size_t first_row, std::size_t last_row) const {
    // The first cell with a decimal point, the first with a decimal comma, the first whose comma may mark thousands.
    std::string point, comma, doubtful;
    TextPosition comma_at, doubtful_at;
    bool sure = false;
    PointMarks points;
    for (std::size_t k = first_row; k < last_row; ++k) {
        for (const Cell& cell : cells(k)) {
            if (separator_ == ';') points.take(cell);
            if (takes_commas(cell) && has_decimal_comma(cell.text)) {
                if (comma.empty()) {
                    comma = fmt::format("{}, {}", name_of(cell), quote_token(cell.text));
                    comma_at = cell.at;
                }
                if (!is_ambiguous(cell.text, ',')) sure = true;
                if (is_ambiguous(cell.text, ',') && doubtful.empty()) {
                    doubtful = std::string(cell.text);
                    doubtful_at = cell.at;
                }
            } else if (point.empty() && cell.text.find('.') != std::string_view::npos && is_decimal(cell.text)) {
                point = fmt::format("{}, {}", name_of(cell), quote_token(cell.text));
            }
        }
    }
    if (!comma.empty() && !point.empty()) {
        fail(comma_at,
             fmt::format("decimal commas ({}) and decimal points ({}) are mixed; write one of them throughout", comma,
                         point));
    }
    if (const std::optional<Cell> cell = points.doubtful()) {
        std::string plain(cell->text);
        plain.erase(plain.find('.'), 1);
        fail(cell->at, fmt::format("{}, {}: the point may separate thousands or decimals; write {}, or {}0",
                                   name_of(*cell), quote_token(cell->text), plain, cell->text));
    }
    if (!doubtful.empty() && !sure) {
        std::string plain = doubtful;
        plain.erase(plain.find(','), 1);
        fail(doubtful_at, fmt::format("{}: the comma may separate thousands or decimals; write {}, or replace the "
                                      "comma after {} by a point",
                                      comma, plain, doubtful.substr(0, doubtful.find(','))));
    }
}

}  // namespace qapfw::qap
