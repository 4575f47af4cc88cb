// SPDX-License-Identifier: Apache-2.0
// Forms of square matrices that let a cost be computed with less: n * n entries row by row.
#pragma once

#include <cstddef>
#include <vector>

namespace qapfw::qap {

template <class Entry>
bool is_symmetric(const std::vector<Entry>& m, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            if (m[i * n + j] != m[j * n + i]) return false;
        }
    }
    return true;
}

template <class Entry>
bool has_constant_diagonal(const std::vector<Entry>& m, std::size_t n) {
    for (std::size_t i = 1; i < n; ++i) {
        if (m[i * n + i] != m[0]) return false;
    }
    return true;
}

/// M + M^T off the diagonal, which stays as it is. No sum may overflow.
template <class Entry>
void add_transposed(std::vector<Entry>& m, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < i; ++j) m[i * n + j] = m[j * n + i] = m[i * n + j] + m[j * n + i];
    }
}

}  // namespace qapfw::qap
