// SPDX-License-Identifier: Apache-2.0
// What the QAPLIB and the CSV reader share: the declared scales, the size limit and the conversion of one entry.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "problems/qap/matrices.hpp"
#include "problems/qap/text_scanner.hpp"

namespace qapfw::qap {

/// Largest number of locations that is read or generated: two matrices of 2 GiB each; indices fit 16 bits.
inline constexpr uint32_t kMaxSize = 16384;

/// Real entries become integers by a scale declared per matrix: 0.5 with scale 10 is read as 5. Every entry of the
/// matrix is multiplied, so costs are the real ones times a * b. No scale means 1 and refuses entries with a fraction.
struct EntryScale {
    std::optional<int64_t> a = std::nullopt;
    std::optional<int64_t> b = std::nullopt;
};

/// Matrices as a reader found them; with fewer facilities than locations, A is padded with zero rows and columns.
struct ReadMatrices {
    QapMatrices matrices;
    uint32_t facilities = 0;                                ///< rows of A before dummies were added
    std::optional<std::string> stated_best = std::nullopt;  ///< best value the file itself states, as written, unscaled
};

enum class MatrixId { kA, kB };

/// One entry times the declared scale; fails at the token's place where it is no number or no integer.
int64_t parse_entry(const Token& token, const std::string& source, MatrixId id, const EntryScale& scale);

/// A whole number from 1 to kMaxSize; `what` names it in the message ("the size n").
uint32_t parse_size(const Token& token, const std::string& source, const std::string& what);

/// Throws Error(kUsage) for a scale below 1.
void require_valid(const EntryScale& scale);

/// The matrices with every entry 0, A to be filled in its upper left facilities x facilities corner.
ReadMatrices zero_matrices(uint32_t facilities, uint32_t locations);

}  // namespace qapfw::qap
