// SPDX-License-Identifier: Apache-2.0
// The matrices of a QAP in the form in which computing costs and deltas takes the least work. The fast code for costs
// and deltas uses this form.
//
// The diagonals are separate, since entries of a diagonal are only multiplied by entries of the other diagonal. If only
// one matrix is symmetric,
//     sum over i != j of a_ij b_p(i)p(j) = sum over i < j of a_ij (b_p(i)p(j) + b_p(j)p(i)).
// So the other matrix is replaced by its sum with its transpose, after which both matrices are symmetric.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "problems/qap/matrices.hpp"

namespace qapfw::qap {

/// True if a matrix of n rows equals its transpose.
template <class Entry>
bool is_symmetric(const std::vector<Entry>& m, std::size_t n);

/// The matrices of an instance in normal form. `Entry` is int32_t or int64_t.
template <class Entry>
struct NormalFormOf {
    /// Absolute values of entries must be at most half of the largest number of type `Entry`.
    explicit NormalFormOf(const QapMatrices& matrices);

    /// The part of the cost that comes from the diagonals. Call this function only if diagonals_vary is false: the part
    /// is then equal for all permutations.
    int64_t constant_diagonal_cost() const;

    uint32_t n;
    std::vector<Entry> a, b;  ///< n * n entries each, row by row; 0 on the diagonals
    std::vector<Entry> a_diagonal, b_diagonal;
    bool symmetric = false;  ///< true if a and b both are symmetric now
    /// True if both matrices were symmetric as given. Each pair i < j then counts twice in the cost.
    bool was_symmetric = false;
    /// True if neither diagonal is constant. If all entries of one diagonal are equal, the diagonals add the same cost
    /// for every permutation.
    bool diagonals_vary = false;
};

using NormalForm = NormalFormOf<int64_t>;

}  // namespace qapfw::qap
