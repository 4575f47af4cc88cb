// SPDX-License-Identifier: Apache-2.0
// Limits on setting up an instance: memory is asked about before it is taken, and work on large matrices looks, row
// by row, whether the run is to end. The work is deep in functions that know nothing of a run, so it asks the thread's
// own scope.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "qapfw/sdk/host.hpp"

namespace qapfw::qap {

/// While it lives, set_up_row() of this thread asks `stop`, and no longer what it asked before.
class SetupScope {
  public:
    explicit SetupScope(const sdk::StopQuestion& stop);
    ~SetupScope();
    SetupScope(const SetupScope&) = delete;
    SetupScope& operator=(const SetupScope&) = delete;

  private:
    const sdk::StopQuestion* before_;
};

/// Called for each row of a matrix that is made or read; throws sdk::Stopped where the run is to end.
void set_up_row();

/// An n x n matrix of `value`, made row by row.
std::vector<int64_t> set_up_matrix(std::size_t n, int64_t value = 0);
/// A copy, made row by row. All entries must be values of `Entry`, which is int32_t or int64_t.
template <class Entry = int64_t>
std::vector<Entry> set_up_copy(const std::vector<int64_t>& matrix, std::size_t n);

/// Throws Error(kMemory) where `bytes` for each entry of an n x n matrix cannot be had. `what` begins the sentence.
void require_memory_of(std::size_t n, std::size_t bytes, const std::string& what);

/// Bytes for each entry: the two matrices, and what searches prepare from them (a normal form, and narrow copies of
/// it).
inline constexpr std::size_t kBytesOfMatrices = 16, kBytesOfPreparation = 28;

}  // namespace qapfw::qap
