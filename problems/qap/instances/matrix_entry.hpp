// SPDX-License-Identifier: Apache-2.0
// Functions for both the QAPLIB and the CSV reader: the declared scales, the size limit and the conversion of one
// entry.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "problems/qap/instances/text_scanner.hpp"
#include "problems/qap/matrices.hpp"

namespace qapfw::qap {

/// Largest number of locations that is read or generated: two matrices of 2 GiB each; indices fit 16 bits.
inline constexpr uint32_t kMaxSize = 16384;

/// Real entries become integers by a scale that is declared for each matrix: 0.5 with scale 10 is read as 5. Every
/// entry of the matrix is multiplied, so costs are the real ones times a * b. No scale means 1, and then entries with a
/// fraction are refused.
struct EntryScale {
    std::optional<int64_t> a = std::nullopt;
    std::optional<int64_t> b = std::nullopt;
};

/// The matrices that a reader found. If there are fewer facilities than locations, A is padded with zero rows and
/// columns.
struct ReadMatrices {
    QapMatrices matrices;
    uint32_t facilities = 0;                                ///< rows of A before dummies were added
    std::optional<std::string> stated_best = std::nullopt;  ///< best value the file itself states, as written, unscaled
};

enum class MatrixId { kA, kB };

/// One entry times the declared scale. Fails at the place of the token if that is no number or no integer.
int64_t parse_entry(const Token& token, const std::string& source, MatrixId id, const EntryScale& scale);

/// A whole number from 1 to kMaxSize; `what` names it in the message ("the size n").
uint32_t parse_size(const Token& token, const std::string& source, const std::string& what);

/// Throws Error(kUsage) for a scale below 1.
void require_valid(const EntryScale& scale);

/// Matrices with zero entries; the caller fills in A in its upper left facilities x facilities corner.
ReadMatrices zero_matrices(uint32_t facilities, uint32_t locations);

}  // namespace qapfw::qap
