// SPDX-License-Identifier: Apache-2.0
// Small random instances, and loops over all their permutations.
#pragma once

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

#include "problems/qap/costs/exact_cost.hpp"
#include "problems/qap/instances/fixed_assignments.hpp"
#include "tests/unit/problems/qap/matrix_forms.hpp"

namespace qapfw::qap::test {

/// True if p has every fixed facility at its location.
inline bool respects(const FixedAssignments& fixed, const std::vector<uint16_t>& p) {
    for (std::size_t i = 0; i < p.size(); ++i) {
        if (fixed.mask[i] != 0 && p[i] != fixed.completion[i]) return false;
    }
    return true;
}

/// Draws an instance in which about a quarter of matrix a's pairs are 0. With `is_grid` matrix b has the distances of a
/// grid that is two cells wide; such a grid has symmetries.
inline QapMatrices draw_small(const MatrixForm& form, uint32_t n, bool is_grid, std::mt19937_64& random) {
    QapMatrices matrices = draw(form, n, random);
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            if (random() % 4 == 0) matrices.a[i * n + j] = matrices.a[j * n + i] = 0;
        }
    }
    if (!is_grid) return matrices;
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
            const auto along = static_cast<int64_t>(i / 2) - static_cast<int64_t>(j / 2);
            matrices.b[i * n + j] = std::abs(along) + (i % 2 != j % 2 ? 1 : 0);
        }
    }
    return matrices;
}

/// Fixes `count` random facilities at random locations.
inline FixedAssignments draw_fixed(uint32_t n, uint32_t count, std::mt19937_64& random) {
    std::vector<uint16_t> facilities(n), locations(n);
    std::iota(facilities.begin(), facilities.end(), uint16_t{0});
    std::iota(locations.begin(), locations.end(), uint16_t{0});
    std::shuffle(facilities.begin(), facilities.end(), random);
    std::shuffle(locations.begin(), locations.end(), random);
    std::vector<std::string> entries;
    for (uint32_t k = 0; k < count; ++k) {
        entries.push_back(std::to_string(facilities[k] + 1) + "->" + std::to_string(locations[k] + 1));
    }
    return parse_fixed_assignments(entries, n, "fixed");
}

/// Calls visit(permutation, cost) for all permutations that have the fixed facilities at their locations.
template <class Visit>
void for_all(const QapMatrices& matrices, const FixedAssignments& fixed, const Visit& visit) {
    std::vector<uint16_t> p(matrices.n);
    std::iota(p.begin(), p.end(), uint16_t{0});
    do {
        if (fixed.count == 0 || respects(fixed, p)) visit(p, evaluate(matrices, p.data()));
    } while (std::next_permutation(p.begin(), p.end()));
}

inline int64_t least_cost(const QapMatrices& matrices, const FixedAssignments& fixed) {
    int64_t least = std::numeric_limits<int64_t>::max();
    for_all(matrices, fixed, [&](const auto&, int64_t cost) { least = std::min(least, cost); });
    return least;
}

}  // namespace qapfw::qap::test
