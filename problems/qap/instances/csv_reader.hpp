// SPDX-License-Identifier: Apache-2.0
// CSV matrices: each line is a row. Fields are separated by semicolons, commas, tabs or blanks: by the first of these,
// in that order, that occurs in the first row with more than one entry. Blank lines are skipped; there is no header
// line and there are no quotes.
#pragma once

#include <string>
#include <string_view>

#include "problems/qap/instances/matrix_entry.hpp"

namespace qapfw::qap {

/// A text and its name in messages.
struct NamedText {
    std::string_view text;
    std::string source;
};

/// Reads matrix A (m x m, between facilities) and matrix B (n x n, between locations) from two texts. m > n is
/// refused.
ReadMatrices read_csv_pair(const NamedText& a, const NamedText& b);

/// Both matrices from one text, A above B.
ReadMatrices read_csv_stacked(const NamedText& both);

}  // namespace qapfw::qap
