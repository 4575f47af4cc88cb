// SPDX-License-Identifier: Apache-2.0
#include "problems/sparse_qap/graphs/edge_cells.hpp"

#include <algorithm>
#include <charconv>

namespace qapfw::sparse {
namespace {

constexpr std::string_view kSeparators = ";\t|,";

/// Returns the position of the quote that closes the quote at `from`. If no quote closes it, returns the line's length.
std::size_t end_of_quotes(std::string_view line, std::size_t from) {
    std::size_t at = line.find('"', from + 1);
    while (at != line.npos && at + 1 < line.size() && line[at + 1] == '"') at = line.find('"', at + 2);
    return at == line.npos ? line.size() : at;
}

bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

/// True if the separator occurs in the line outside quotes. A tab at the line's beginning or end does not count.
bool separates(std::string_view line, char separator) {
    while (!line.empty() && is_blank(line.front())) line.remove_prefix(1);
    while (!line.empty() && is_blank(line.back())) line.remove_suffix(1);
    bool begins = true;  // a cell may begin here
    for (std::size_t at = 0; at < line.size(); ++at) {
        if (begins && line[at] == '"') at = end_of_quotes(line, at);
        if (at < line.size() && line[at] == separator) return true;
        begins = at < line.size() && (is_blank(line[at]) || kSeparators.find(line[at]) != kSeparators.npos);
    }
    return false;
}

std::string_view without_quotes(std::string_view cell) {
    while (!cell.empty() && is_blank(cell.front())) cell.remove_prefix(1);
    while (!cell.empty() && is_blank(cell.back())) cell.remove_suffix(1);
    if (cell.size() >= 2 && cell.front() == '"' && cell.back() == '"') cell = cell.substr(1, cell.size() - 2);
    return cell;
}

template <class Take>
void take_cells(std::string_view line, char separator, Take&& take) {
    const bool quotes = line.find('"') != line.npos;
    while (true) {
        std::size_t from = 0;
        if (quotes) {
            const std::size_t first = line.find_first_not_of(" \t");
            if (first != line.npos && line[first] == '"') from = end_of_quotes(line, first);
        }
        const std::size_t end = line.find(separator, from);
        const std::string_view cell = without_quotes(line.substr(0, end));
        if (separator != ' ' || !cell.empty()) take(cell);
        if (end == line.npos) return;
        line.remove_prefix(end + 1);
    }
}

}  // namespace

char separator_in(std::string_view text) {
    for (const char separator : kSeparators) {
        for (std::size_t at = text.find(separator); at != text.npos; at = text.find(separator, at)) {
            const std::size_t begin = text.rfind('\n', at) + 1;  // 0 in the first line, since npos + 1 is 0
            at = std::min(text.find('\n', at), text.size());
            const std::string_view line = text.substr(begin, at - begin);
            if (!line.starts_with('#') && !line.starts_with('%') && separates(line, separator)) return separator;
        }
    }
    return ' ';
}

void for_cells(std::string_view line, char separator, const std::function<void(std::string_view)>& take) {
    take_cells(line, separator, take);
}

EdgeCells edge_cells_of(std::string_view line, char separator) {
    EdgeCells cells;
    take_cells(line, separator, [&](std::string_view cell) {
        if (cells.count < cells.cell.size()) cells.cell[cells.count] = cell;
        ++cells.count;
    });
    return cells;
}

bool is_number_like(std::string_view cell) {
    if (cell.starts_with('+')) cell.remove_prefix(1);
    double value = 0;
    const auto read = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    return !cell.empty() && read.ptr == cell.data() + cell.size();
}

std::int64_t whole_number_in(const common::TextCursor& text, std::string_view cell, std::string_view what,
                             std::string_view all) {
    if (const auto value = common::whole_number_of(cell)) return *value;
    text.fail_at(cell, common::whole_number_wanted(what, cell, all));
}

std::string text_of_cell(std::string_view cell) {
    std::string text(cell);
    for (std::size_t at = text.find("\"\""); at != text.npos; at = text.find("\"\"", at + 1)) text.erase(at, 1);
    return text;
}

}  // namespace qapfw::sparse
