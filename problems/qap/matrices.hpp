// SPDX-License-Identifier: Apache-2.0
// The two matrices of a quadratic assignment problem, in the form that every part of this problem uses.
#pragma once

#include <cstdint>
#include <vector>

namespace qapfw::qap {

/// cost(p) = sum over i, j of a[i n + j] * b[p[i] n + p[j]]; p[i] is the location of facility i.
struct QapMatrices {
    uint32_t n = 0;
    std::vector<int64_t> a, b;  ///< n * n entries each, row by row
};

}  // namespace qapfw::qap
