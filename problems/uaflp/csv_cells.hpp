// SPDX-License-Identifier: Apache-2.0
// A table as spreadsheets save it, as cells that know their place in the file.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "problems/uaflp/document.hpp"

namespace qapfw::uaflp {

struct CsvCell {
    std::string text;  ///< without the blanks around it and without quotes
    Position position;
};

/// Rows that have a cell with text; empty cells at a row's end are left out.
struct CsvTable {
    std::vector<std::vector<CsvCell>> rows;
    bool decimal_comma = false;  ///< the separator is no comma, so a comma may be in numbers

    std::optional<double> number(const CsvCell& cell) const;
};

/// The separator is the one of ; tab , that the first row with text has most of. Lines that begin with # are comments.
/// Throws qapfw::Error (kInput) with `file`:line:column for a quote that does not end, and for a zero byte.
CsvTable read_csv(std::string_view text, const std::string& file);

}  // namespace qapfw::uaflp
