// SPDX-License-Identifier: Apache-2.0
// Limits while an instance is set up. Memory is checked before it is allocated. Functions that work on large matrices
// ask, row by row, whether the run must end. They do not know the run, so they ask through their thread's SetupScope.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "qapfw/sdk/host.hpp"

namespace qapfw::qap {

/// While this object lives, set_up_row() in this thread asks `stop`, even if an earlier SetupScope has another `stop`.
class SetupScope {
  public:
    explicit SetupScope(const sdk::StopQuestion& stop);
    ~SetupScope();
    SetupScope(const SetupScope&) = delete;
    SetupScope& operator=(const SetupScope&) = delete;

  private:
    const sdk::StopQuestion* before_;
};

/// Throws sdk::Stopped if the run must end. Call it for each matrix row that is made or read.
void set_up_row();

/// An n x n matrix of `value`, made row by row.
std::vector<int64_t> set_up_matrix(std::size_t n, int64_t value = 0);
/// A copy, made row by row. All entries must be values of `Entry`, which is int32_t or int64_t.
template <class Entry = int64_t>
std::vector<Entry> set_up_copy(const std::vector<int64_t>& matrix, std::size_t n);

/// Throws Error(kMemory) if `bytes` per entry of an n x n matrix are not available. `what` begins the message.
void require_memory_of(std::size_t n, std::size_t bytes, const std::string& what);

/// Bytes per pair of indices (i, j). kBytesOfMatrices counts the two matrices. kBytesOfPreparation counts the arrays
/// that searches prepare from the matrices: a normal form, and narrow copies of it.
inline constexpr std::size_t kBytesOfMatrices = 16, kBytesOfPreparation = 28;

}  // namespace qapfw::qap
