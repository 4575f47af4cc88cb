// SPDX-License-Identifier: Apache-2.0
#include "problems/sparse_qap/graphs/edge_cells.hpp"

#include <charconv>

namespace qapfw::sparse {
namespace {

constexpr std::string_view kSeparators = ",;\t ";

/// Returns the position of the quote that closes the quote at `from`. If no quote closes it, returns the line's length.
std::size_t end_of_quotes(std::string_view line, std::size_t from) {
    std::size_t at = line.find('"', from + 1);
    while (at != line.npos && at + 1 < line.size() && line[at + 1] == '"') at = line.find('"', at + 2);
    return at == line.npos ? line.size() : at;
}

/// Returns the separator of a line; 0: there is none.
char separator_of(std::string_view line) {
    if (line.find('"') == line.npos) {
        for (const char c : kSeparators) {
            if (line.find(c) != line.npos) return c;
        }
        return '\0';
    }
    std::size_t best = kSeparators.size();
    bool begins = true;  // a cell may begin here
    for (std::size_t at = 0; at < line.size(); ++at) {
        if (begins && line[at] == '"') at = end_of_quotes(line, at);
        const std::size_t which = at < line.size() ? kSeparators.find(line[at]) : kSeparators.npos;
        begins = which != kSeparators.npos;
        if (begins && which < best) best = which;
    }
    return best < kSeparators.size() ? kSeparators[best] : '\0';
}

std::string_view without_quotes(std::string_view cell) {
    const auto is_blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
    while (!cell.empty() && is_blank(cell.front())) cell.remove_prefix(1);
    while (!cell.empty() && is_blank(cell.back())) cell.remove_suffix(1);
    if (cell.size() >= 2 && cell.front() == '"' && cell.back() == '"') cell = cell.substr(1, cell.size() - 2);
    return cell;
}

template <class Take>
void take_cells(std::string_view line, Take&& take) {
    const char separator = separator_of(line);
    const bool quotes = line.find('"') != line.npos;
    while (true) {
        std::size_t from = 0;
        if (quotes) {
            const std::size_t first = line.find_first_not_of(" \t");
            if (first != line.npos && line[first] == '"') from = end_of_quotes(line, first);
        }
        const std::size_t end = separator == '\0' ? line.npos : line.find(separator, from);
        const std::string_view cell = without_quotes(line.substr(0, end));
        if (separator != ' ' || !cell.empty()) take(cell);
        if (end == line.npos) return;
        line.remove_prefix(end + 1);
    }
}

}  // namespace

void for_cells(std::string_view line, const std::function<void(std::string_view)>& take) {
    take_cells(line, take);
}

EdgeCells edge_cells_of(std::string_view line) {
    EdgeCells cells;
    take_cells(line, [&](std::string_view cell) {
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

std::string text_of_cell(std::string_view cell) {
    std::string text(cell);
    for (std::size_t at = text.find("\"\""); at != text.npos; at = text.find("\"\"", at + 1)) text.erase(at, 1);
    return text;
}

}  // namespace qapfw::sparse
