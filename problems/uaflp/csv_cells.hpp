// SPDX-License-Identifier: Apache-2.0
// A table as spreadsheets save it, in cells that know their position in the file.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "problems/uaflp/document.hpp"

namespace qapfw::uaflp {

struct CsvCell {
    std::string text;  ///< without surrounding blanks and quotes
    Position position;
};

/// The rows with at least one nonempty cell; empty cells at a row's end are dropped.
struct CsvTable {
    std::vector<std::vector<CsvCell>> rows;
    bool decimal_comma = false;  ///< the separator is not a comma, so numbers may have a decimal comma

    std::optional<double> number(const CsvCell& cell) const;
};

/// Reads a table. The separator is a semicolon, a tab or a comma: the one that occurs most in the first row that has
/// any of them. Lines that begin with # are comments. Throws qapfw::Error (kInput) with `file`:line:column for a quote
/// that does not end, and for a zero byte.
CsvTable read_csv(std::string_view text, const std::string& file);

}  // namespace qapfw::uaflp
