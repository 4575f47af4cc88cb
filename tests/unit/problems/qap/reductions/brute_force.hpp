// SPDX-License-Identifier: Apache-2.0
// Tries all permutations of a small reduction. Every cost must equal the cost recounted in the original problem. Each
// test compares the least cost with an optimum that it finds in the original problem.
#pragma once

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "problems/qap/costs/exact_cost.hpp"
#include "problems/qap/reductions/graph.hpp"
#include "problems/qap/reductions/reduction.hpp"
#include "tests/unit/problems/qap/support.hpp"

namespace qapfw::qap::test {

using Permutation = std::vector<uint16_t>;

inline Permutation identity(uint32_t n) {
    Permutation p(n);
    std::iota(p.begin(), p.end(), uint16_t{0});
    return p;
}

/// Calls `visit(p)` for every permutation p of the numbers below n.
template <class Visit>
void for_all_permutations(uint32_t n, const Visit& visit) {
    Permutation p = identity(n);
    do visit(p);
    while (std::next_permutation(p.begin(), p.end()));
}

/// The least cost over all permutations. Checks each cost against the recounted one.
inline int64_t least_cost(const Reduction& reduction) {
    const QapMatrices matrices = reduction.matrices();
    int64_t least = INT64_MAX, disagreeing = 0;
    for_all_permutations(matrices.n, [&](const Permutation& p) {
        const int64_t cost = evaluate(matrices, p.data());
        disagreeing += reduction.recount(p) != cost ? 1 : 0;
        least = std::min(least, cost);
    });
    CHECK(disagreeing == 0);
    return least;
}

/// Returns `count` random permutations, the same in every call. Tests use them if there are too many permutations to
/// try all.
inline std::vector<Permutation> some_permutations(uint32_t n, int count) {
    std::vector<Permutation> out;
    uint32_t state = 12345;
    Permutation p = identity(n);
    for (int k = 0; k < count; ++k) {
        for (uint32_t i = n; i > 1; --i) {
            state = state * 1664525u + 1013904223u;
            std::swap(p[i - 1], p[(state >> 8) % i]);
        }
        out.push_back(p);
    }
    return out;
}

/// A graph with these edges. Vertex numbers start at 0. Each edge (u, v) must have u < v, and the edges must ascend.
inline Graph graph_of(uint32_t n, const std::vector<std::pair<uint32_t, uint32_t>>& edges) {
    Graph graph;
    graph.n = n;
    for (const auto& [u, v] : edges) graph.edges.push_back({u, v, 1});
    return graph;
}

}  // namespace qapfw::qap::test
