// SPDX-License-Identifier: Apache-2.0
// Instances of every kind of matrix, and costs and deltas by full recomputation.
#pragma once

#include <algorithm>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include "problems/qap/costs/exact_cost.hpp"
#include "problems/qap/neighbourhood/swap_neighbourhood.hpp"

namespace qapfw::qap::swap_test {

using Random = std::mt19937_64;

struct Kind {
    const char* name;
    bool a_symmetric, b_symmetric, diagonal;
    int64_t low, high, step;
};

inline constexpr Kind kKinds[] = {
    {"8-bit symmetric", true, true, false, 0, 99, 1},
    {"full bytes", true, true, false, 0, 255, 1},
    {"bytes far from zero, common divisor", true, true, false, 100'000, 102'000, 10},
    {"8-bit symmetric, negative", true, true, false, -60, 60, 1},
    {"8-bit symmetric, diagonals", true, true, true, -20, 40, 1},
    {"8-bit, only a symmetric", true, false, false, 0, 99, 1},
    {"8-bit, only b symmetric, diagonals", false, true, true, 0, 50, 1},
    {"8-bit asymmetric", false, false, false, 0, 99, 1},
    {"8-bit asymmetric, diagonals, negative", false, false, true, -50, 49, 1},
    {"16-bit symmetric", true, true, false, 0, 3000, 1},
    {"16-bit, only a symmetric", true, false, true, 0, 2000, 1},
    {"16-bit asymmetric", false, false, true, -900, 900, 1},
    {"64-bit narrow symmetric", true, true, false, -100'000, 100'000, 1},
    {"64-bit narrow asymmetric", false, false, true, 0, 99'999, 1},
    {"64-bit narrow, only b symmetric", false, true, true, 0, 99'999, 1},
};

inline std::vector<int64_t> random_matrix(uint32_t n, bool symmetric, const Kind& kind, Random& random) {
    std::uniform_int_distribution<int64_t> value(0, (kind.high - kind.low) / kind.step);
    std::vector<int64_t> m(size_t{n} * n);
    for (uint32_t i = 0; i < n; ++i)
        for (uint32_t j = 0; j < n; ++j) {
            int64_t& e = m[size_t{i} * n + j];
            e = symmetric && j < i ? m[size_t{j} * n + i] : kind.low + kind.step * value(random);
            if (i == j && !kind.diagonal) e = 0;
        }
    return m;
}

inline QapMatrices random_instance(uint32_t n, const Kind& kind, Random& random) {
    return QapMatrices{n, random_matrix(n, kind.a_symmetric, kind, random),
                       random_matrix(n, kind.b_symmetric, kind, random)};
}

inline std::vector<uint16_t> random_permutation(uint32_t n, Random& random) {
    std::vector<uint16_t> p(n);
    std::iota(p.begin(), p.end(), uint16_t{0});
    std::shuffle(p.begin(), p.end(), random);
    return p;
}

inline std::vector<Isa> supported() {
    std::vector<Isa> isas;
    for (const Isa isa : {Isa::kPlain, Isa::kAvx2, Isa::kAvx512Bw, Isa::kAvx512})
        if (isa_supported(isa)) isas.push_back(isa);
    return isas;
}

inline int64_t full_cost(const QapMatrices& m, const std::vector<uint16_t>& p) {
    int64_t cost = 0;
    for (uint32_t i = 0; i < m.n; ++i)
        for (uint32_t j = 0; j < m.n; ++j) cost += m.a[size_t{i} * m.n + j] * m.b[size_t{p[i]} * m.n + p[j]];
    for (uint32_t i = 0; m.has_linear() && i < m.n; ++i) cost += m.linear[size_t{i} * m.n + p[i]];
    return cost;
}

/// Number of forbidden pairs that the swap of i and j adds, minus the number that it removes.
inline int forbidden_by(const QapMatrices& m, const std::vector<uint16_t>& p, uint32_t i, uint32_t j) {
    if (m.forbidden.empty()) return 0;
    const auto is = [&](uint32_t facility, uint32_t location) { return int{m.forbidden[facility * m.n + location]}; };
    return is(i, p[j]) + is(j, p[i]) - is(i, p[i]) - is(j, p[j]);
}

inline int64_t full_delta(const QapMatrices& m, std::vector<uint16_t> p, uint32_t i, uint32_t j) {
    const int64_t before = full_cost(m, p);
    std::swap(p[i], p[j]);
    return full_cost(m, p) - before;
}

}  // namespace qapfw::qap::swap_test
