// SPDX-License-Identifier: Apache-2.0
// The costs of a QAP in the form for lower bounds: only free facilities and locations remain. Fixed facilities
// contribute to linear costs and a constant.
#pragma once

#include <cstdint>
#include <vector>

#include "problems/qap/instances/fixed_assignments.hpp"
#include "problems/qap/matrices.hpp"

namespace qapfw::qap {

/// For a placement p of the m free facilities (indices 0..m-1) at the m free locations:
///     cost(p) = constant + sum over i of linear[i][p(i)] + factor * sum over pairs of a[i][k] b[p(i)][p(k)].
/// The pairs are i < k if `symmetric`, else all i != k.
struct BoundTerms {
    /// `matrices` must have passed cost_bounds().
    BoundTerms(const QapMatrices& matrices, const FixedAssignments& fixed);

    int64_t a_at(std::size_t i, std::size_t k) const { return a[i * m + k]; }
    int64_t b_at(std::size_t j, std::size_t l) const { return b[j * m + l]; }
    /// Cost between facility i at location j and facility k at location l, i != k, both directions together.
    int64_t pair_cost(std::size_t i, std::size_t j, std::size_t k, std::size_t l) const {
        return symmetric ? factor * a_at(i, k) * b_at(j, l) : a_at(i, k) * b_at(j, l) + a_at(k, i) * b_at(l, j);
    }

    uint32_t m = 0;
    bool symmetric = false;
    int64_t factor = 1;                           ///< 2 if both matrices were symmetric as given, else 1
    int64_t constant = 0;                         ///< cost of the fixed facilities among themselves
    std::vector<int64_t> a, b;                    ///< the two matrices, m * m entries each, with diagonals of 0
    std::vector<int64_t> linear;                  ///< m * m entries, facility by facility
    std::vector<uint16_t> facilities, locations;  ///< free facility or location -> its number in the instance
};

}  // namespace qapfw::qap
