// SPDX-License-Identifier: Apache-2.0
#include "problems/qap/bounds/bound_terms.hpp"

#include "problems/qap/costs/normal_form.hpp"

namespace qapfw::qap {

BoundTerms::BoundTerms(const QapMatrices& matrices, const FixedAssignments& fixed) {
    const NormalForm form(matrices);
    const std::size_t n = form.n;
    symmetric = form.symmetric;
    factor = form.was_symmetric ? 2 : 1;
    std::vector<uint8_t> taken(n, 0);
    std::vector<uint16_t> fixed_facilities;
    for (uint16_t i = 0; i < n; ++i) {
        const bool is_fixed = fixed.count > 0 && fixed.is_fixed(i);
        (is_fixed ? fixed_facilities : facilities).push_back(i);
        if (is_fixed) taken[fixed.location(i)] = 1;
    }
    for (uint16_t j = 0; j < n; ++j) {
        if (taken[j] == 0) locations.push_back(j);
    }
    m = static_cast<uint32_t>(facilities.size());

    const auto own = [&](std::size_t i, std::size_t j) {
        const int64_t by_itself = matrices.has_linear() ? matrices.linear[i * n + j] : 0;
        return form.a_diagonal[i] * form.b_diagonal[j] + by_itself;
    };
    const auto both_ways = [&](std::size_t i, std::size_t j, std::size_t k, std::size_t l) {
        const int64_t there = form.a[i * n + k] * form.b[j * n + l];
        return symmetric ? factor * there : there + form.a[k * n + i] * form.b[l * n + j];
    };
    for (std::size_t x = 0; x < fixed_facilities.size(); ++x) {
        const std::size_t i = fixed_facilities[x], j = fixed.location(fixed_facilities[x]);
        constant += own(i, j);
        for (std::size_t y = 0; y < x; ++y) {
            constant += both_ways(i, j, fixed_facilities[y], fixed.location(fixed_facilities[y]));
        }
    }
    a.resize(std::size_t{m} * m);
    b.resize(a.size());
    linear.resize(a.size());
    for (std::size_t x = 0; x < m; ++x) {
        for (std::size_t y = 0; y < m; ++y) {
            a[x * m + y] = form.a[facilities[x] * n + facilities[y]];
            b[x * m + y] = form.b[locations[x] * n + locations[y]];
            int64_t& cost = linear[x * m + y];
            cost = own(facilities[x], locations[y]);
            for (const uint16_t f : fixed_facilities) {
                cost += both_ways(facilities[x], locations[y], f, fixed.location(f));
            }
        }
    }
}

}  // namespace qapfw::qap
