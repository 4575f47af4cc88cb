// SPDX-License-Identifier: Apache-2.0
// QAPLIB text (Burkard, Karisch, Rendl, J. Global Optim. 10, 1997): the size n, then matrix A, then matrix B, as n^2
// numbers each, separated by blanks and line breaks in any arrangement. "-" stands for 0. Comments begin with # or //,
// or with the word c at the beginning of a line. A solution after the matrices is ignored.
#pragma once

#include <string>
#include <string_view>

#include "problems/qap/instances/matrix_entry.hpp"

namespace qapfw::qap {

/// Reads QAPLIB text. `source` names the text in messages. Besides the header "n", two other headers are recognised by
/// the count of numbers in the text:
///  * "n best" alone on the first line, followed by 2 n^2 entries: Taillard's own files, which state a best value;
///  * "m n" with m < n, followed by m^2 + n^2 entries: m facilities for n locations.
/// Refuses, with the position, a wrong count, other trailing data, a size outside 1..kMaxSize and anything that is no
/// number. Memory is allocated only after all entries were counted. O(length of the text).
ReadMatrices read_qaplib_text(std::string_view text, const std::string& source);

/// The matrices as plain QAPLIB text, one row a line. Entries that were scaled are written scaled, and dummies are
/// written too.
std::string to_qaplib_text(const QapMatrices& matrices);

}  // namespace qapfw::qap
