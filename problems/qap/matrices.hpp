// SPDX-License-Identifier: Apache-2.0
// A quadratic assignment problem as integers, in the form that all code of this problem uses.
#pragma once

#include <cstdint>
#include <vector>

namespace qapfw::qap {

/// cost(p) = sum over i, j of a[i n + j] * b[p[i] n + p[j]], plus the sum over i of linear[i n + p[i]]; p[i] is the
/// location of facility i. If there are fewer facilities than locations, dummy facilities are added until there are n.
/// All entries of a dummy in `a` and `linear` are 0.
struct QapMatrices {
    uint32_t n = 0;
    std::vector<int64_t> a, b;  ///< n * n entries each, row by row
    /// n * n entries; empty if there are no linear costs. Entries of forbidden pairs include `penalty`.
    std::vector<int64_t> linear = {};
    /// n * n entries, 1 if facility i must not be at location l; empty if no pair is forbidden.
    std::vector<uint8_t> forbidden = {};
    /// Cost that each forbidden pair adds; 0 if no pair is forbidden. Without penalties, the costs of any two
    /// permutations differ by less than half of this cost.
    int64_t penalty = 0;

    bool has_linear() const { return !linear.empty(); }
};

}  // namespace qapfw::qap
