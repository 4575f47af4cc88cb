// SPDX-License-Identifier: Apache-2.0
#include "framework/laboratory/study/csv.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <initializer_list>
#include <string_view>
#include <utility>

#include "qapfw/error.hpp"

namespace qapfw::framework::laboratory {
namespace {

bool is_number(std::string_view text) {
    if (text.starts_with('+')) text.remove_prefix(1);
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size();
}

/// True if the text is no number and a spreadsheet would take it for a formula. The last four of `begins` are the
/// full-width characters = + - @.
bool is_formula(std::string_view text) {
    const std::initializer_list<std::string_view> begins{
        "=", "+", "-", "@", "\t", "\r", "\n", "\xef\xbc\x9d", "\xef\xbc\x8b", "\xef\xbc\x8d", "\xef\xbc\xa0"};
    return std::any_of(begins.begin(), begins.end(), [&](std::string_view one) { return text.starts_with(one); }) &&
           !is_number(text);
}

/// True if the text is a formula when all ' at its beginning are ignored. Then csv_field() puts a ' in front.
bool needs_mark(std::string_view text) {
    const std::size_t first = text.find_first_not_of('\'');
    return first != text.npos && is_formula(text.substr(first));
}

/// The text of a field without the ' that csv_field() put in front.
std::string unmarked(std::string field) {
    if (field.starts_with('\'') && needs_mark(field)) field.erase(0, 1);
    return field;
}

/// Reads the row that begins at `at`, and moves `at` behind it.
CsvRow read_row(const std::string& text, std::size_t& at, std::size_t& line, const std::string& name) {
    CsvRow row;
    row.line = line;
    std::string field;
    bool quoted = false;
    for (; at < text.size(); ++at) {
        const char c = text[at];
        if (c == '\n') ++line;
        if (quoted) {
            if (c != '"') field += c;
            if (c == '"' && at + 1 < text.size() && text[at + 1] == '"') {
                field += '"';
                ++at;
            } else if (c == '"') {
                quoted = false;
            }
        } else if (c == '"' && field.empty()) {
            quoted = true;
        } else if (c == ',') {
            row.fields.push_back(unmarked(std::exchange(field, {})));
        } else if (c == '\n') {
            ++at;
            break;
        } else if (c != '\r') {
            field += c;
        }
    }
    if (quoted) throw Error(ErrorKind::kInput, fmt::format("{}:{}: a quote is not closed", name, row.line));
    row.fields.push_back(unmarked(std::move(field)));
    return row;
}

}  // namespace

std::vector<CsvRow> parse_csv(const std::string& text, const std::string& name) {
    std::vector<CsvRow> rows;
    std::size_t at = text.rfind("\xef\xbb\xbf", 0) == 0 ? 3 : 0;
    for (std::size_t line = 1; at < text.size();) {
        const bool comment = text[at] == '#';
        CsvRow row = comment ? CsvRow{} : read_row(text, at, line, name);
        if (comment) {
            const std::size_t end = text.find('\n', at);
            at = end == std::string::npos ? text.size() : end + 1;
            ++line;
            continue;
        }
        if (row.fields.size() > 1 || !row.fields.front().empty()) rows.push_back(std::move(row));
    }
    return rows;
}

std::string csv_field(const std::string& text) {
    const std::string safe = needs_mark(text) ? "'" + text : text;
    if (safe.find_first_of(",;#\"\t\r\n") == std::string::npos) return safe;
    std::string quoted = "\"";
    for (const char c : safe) {
        if (c == '"') quoted += '"';
        quoted += c;
    }
    return quoted + '"';
}

std::string csv_line(const std::vector<std::string>& fields) {
    std::string line;
    for (const std::string& field : fields) line += (&field == &fields.front() ? "" : ",") + csv_field(field);
    return line + "\n";
}

}  // namespace qapfw::framework::laboratory
