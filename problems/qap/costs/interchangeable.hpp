// SPDX-License-Identifier: Apache-2.0
// Facilities, or locations, that may be swapped in every solution without changing its cost. Such a swap is useless for
// a search, so the swap neighbourhood leaves it out.
//
// Facilities i and j are interchangeable if a_ij = a_ji, and a_ik = a_jk and a_ki = a_kj for all other k; if both
// diagonals vary, also a_ii = a_jj. If b is symmetric, the off-diagonal conditions are for the sum of a and its
// transpose instead of a (see normal_form.hpp). For locations, a and b change roles. Linear costs, if any, must also be
// equal. Dummies, for example, are interchangeable. The relation is an equivalence: the swap of i and j is an
// automorphism of the matrix, and (i k) = (i j)(j k)(i j).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "problems/qap/matrices.hpp"

namespace qapfw::qap {

struct Interchangeable {
    /// No classes: no two facilities or locations are interchangeable.
    Interchangeable() = default;
    /// Finds the classes of an instance. It takes O(n^2) time.
    explicit Interchangeable(const QapMatrices& matrices);

    bool any() const { return !facilities.empty() || !locations.empty(); }
    /// A sentence for users about the sizes of the classes, without a full stop; empty if there are no classes.
    std::string describe() const;

    /// For each facility: the least facility in its class. Empty if no two facilities are interchangeable.
    std::vector<uint16_t> facilities;
    /// For each location: the least location in its class. Empty if no two locations are interchangeable.
    std::vector<uint16_t> locations;
};

}  // namespace qapfw::qap
