// SPDX-License-Identifier: Apache-2.0
// Matrices in which some facilities, or some locations, are interchangeable.
#pragma once

#include <cstdint>
#include <vector>

#include "tests/unit/problems/qap/matrix_forms.hpp"

namespace qapfw::qap::test {

/// Makes all members interchangeable. Each member gets the row, the column and the diagonal entry of the first member.
/// Every entry between two members becomes the entry from the first member to the second.
inline void make_equal(std::vector<int64_t>& m, std::size_t n, const std::vector<std::size_t>& members) {
    const std::size_t i = members.front();
    const int64_t among = members.size() > 1 ? m[i * n + members[1]] : 0;
    for (const std::size_t j : members) {
        for (std::size_t k = 0; k < n; ++k) {
            m[j * n + k] = m[i * n + k];
            m[k * n + j] = m[k * n + i];
        }
    }
    const int64_t own = m[i * n + i];
    for (const std::size_t j : members) {
        for (const std::size_t k : members) m[j * n + k] = j == k ? own : among;
    }
}

}  // namespace qapfw::qap::test
