// SPDX-License-Identifier: Apache-2.0
// Comma-separated values (RFC 4180): quoted fields, lines that end with LF or CRLF; '#' begins a comment line.
#pragma once

#include <string>
#include <vector>

namespace qapfw::framework::laboratory {

struct CsvRow {
    std::size_t line = 0;  ///< counted from 1
    std::vector<std::string> fields;
};

/// The rows that are neither empty nor comments. Throws Error(kInput) with "name:line: ..." if a quote is not closed.
std::vector<CsvRow> parse_csv(const std::string& text, const std::string& name);

/// The field, quoted if necessary. Spreadsheets take a text that begins with = + - @, a tab or a line end for a
/// formula. So such a text gets a ' in front, unless it is a number. parse_csv() removes this mark.
std::string csv_field(const std::string& text);
std::string csv_line(const std::vector<std::string>& fields);

}  // namespace qapfw::framework::laboratory
