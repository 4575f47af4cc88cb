// SPDX-License-Identifier: Apache-2.0
#include "framework/study/csv.hpp"

#include <fmt/core.h>

#include <utility>

#include "qapfw/error.hpp"

namespace qapfw::framework {
namespace {

/// Reads one row that begins at `at` and moves it behind the row's end.
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
            row.fields.push_back(std::exchange(field, {}));
        } else if (c == '\n') {
            ++at;
            break;
        } else if (c != '\r') {
            field += c;
        }
    }
    if (quoted) throw Error(ErrorKind::kInput, fmt::format("{}:{}: a quote is not closed", name, row.line));
    row.fields.push_back(std::move(field));
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
    if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char c : text) {
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

}  // namespace qapfw::framework
