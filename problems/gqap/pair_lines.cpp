// SPDX-License-Identifier: Apache-2.0
#include "problems/gqap/pair_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "qapfw/error.hpp"

namespace qapfw::gqap {
namespace {

constexpr std::string_view kMark = "\xef\xbb\xbf", kBlank = " \t\v\f", kQuotes = "\"";
/// Separators of cells. The separator of a text is the first of this list that occurs outside quotes in the text's
/// first line. Blank lines and lines that begin with # do not count.
constexpr std::string_view kSeparators[] = {"->", ";", "\t", "|", ","};

std::string_view stripped(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(kBlank);
    if (begin == text.npos) return {};
    return text.substr(begin, text.find_last_not_of(kBlank) - begin + 1);
}

/// Returns the index in `line` of the first separator at or after `from` that is not in quotes; npos if there is none.
/// A quote can only begin at the start of a cell.
std::size_t find_outside(std::string_view line, std::string_view separator, std::size_t from = 0) {
    bool quoted = false, begins = true;
    for (std::size_t at = from; at < line.size(); ++at) {
        if (quoted) {
            quoted = line[at] != '"';
            if (!quoted && at + 1 < line.size() && line[at + 1] == '"') quoted = (++at, true);
            continue;
        }
        if (line.substr(at).starts_with(separator)) return at;
        if (line[at] == '"' && begins) quoted = true;
        begins = begins && kBlank.find(line[at]) != kBlank.npos;
    }
    return line.npos;
}

std::string unquoted(std::string_view cell) {
    cell = stripped(cell);
    if (cell.size() < 2 || cell.front() != '"' || cell.back() != '"') return std::string(cell);
    std::string text;
    for (std::size_t k = 1; k + 1 < cell.size(); ++k) {
        text += cell[k];
        if (cell[k] == '"' && cell[k + 1] == '"' && k + 2 < cell.size()) ++k;
    }
    return text;
}

std::vector<std::string> cells_of(std::string_view line, std::string_view separator) {
    std::vector<std::string> cells;
    for (std::size_t begin = 0;;) {
        const std::size_t at = find_outside(line, separator, begin);
        cells.push_back(unquoted(line.substr(begin, at - begin)));
        if (at == line.npos) return cells;
        begin = at + separator.size();
    }
}

/// Removes the next line from a text and returns it; lines end with LF, CR or both.
std::string_view take_line(std::string_view& text) {
    const std::size_t end = std::min(text.find_first_of("\r\n"), text.size());
    const std::string_view line = text.substr(0, end);
    const bool both = text.substr(end).starts_with("\r\n");
    text.remove_prefix(std::min(end + (both ? 2 : 1), text.size()));
    return line;
}

bool is_passed_over(std::string_view line) {
    return stripped(line).empty() || stripped(line).front() == '#';
}

std::optional<std::string_view> separator_of(std::string_view line) {
    for (const std::string_view separator : kSeparators) {
        if (find_outside(line, separator) != line.npos) return separator;
    }
    return std::nullopt;
}

}  // namespace

bool holds_pairs(std::string_view text) {
    if (text.starts_with(kMark)) text.remove_prefix(kMark.size());
    while (!text.empty()) {
        const std::string_view line = take_line(text);
        if (is_passed_over(line)) continue;
        const auto separator = separator_of(line);
        // In a line of numbers, a tab is a blank, not a separator of cells.
        const bool number = line.find_first_not_of("0123456789 \t") == line.npos;
        return separator.has_value() && !(number && *separator == "\t");
    }
    return false;
}

std::vector<PairLine> pair_lines(std::string_view text, const std::string& source) {
    if (text.starts_with(kMark)) text.remove_prefix(kMark.size());
    std::vector<PairLine> lines;
    std::optional<std::string_view> separator;
    for (std::uint64_t number = 1; !text.empty(); ++number) {
        const std::string_view line = take_line(text);
        if (is_passed_over(line)) continue;
        if (!separator) separator = separator_of(line).value_or(",");
        std::vector<std::string> cells = cells_of(line, *separator);
        if (cells.size() != 2)
            fail_in_line(source, number,
                         "wanted an item and a location, separated by -> or ; or , or | or a tab, the same in all "
                         "lines");
        lines.push_back({std::move(cells[0]), std::move(cells[1]), number});
    }
    return lines;
}

void fail_in_line(const std::string& source, std::uint64_t line, const std::string& what) {
    throw Error(ErrorKind::kInput, fmt::format("{}:{}: {}", source, line, what));
}

std::string csv_cell(const std::string& text) {
    const bool plain = text.find_first_of(",;|\t\"\r\n#") == text.npos && text.find("->") == text.npos &&
                       !text.empty() && text.front() != ' ' && text.back() != ' ';
    if (plain) return text;
    std::string quoted(kQuotes);
    for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + '"';
}

}  // namespace qapfw::gqap
