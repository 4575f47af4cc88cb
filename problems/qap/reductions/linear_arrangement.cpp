// SPDX-License-Identifier: Apache-2.0
// Arrangements, see linear_arrangement.hpp.
#include "problems/qap/reductions/linear_arrangement.hpp"

#include <fmt/format.h>

#include <cstdlib>

#include "problems/qap/setup.hpp"

namespace qapfw::qap {
namespace {

/// The vertices in the order of their positions.
std::vector<uint32_t> order_of(Placement p) {
    std::vector<uint32_t> order(p.size());
    for (std::size_t v = 0; v < p.size(); ++v) order[p[v]] = static_cast<uint32_t>(v);
    return order;
}

}  // namespace

QapMatrices LinearArrangement::matrices() const {
    const std::size_t n = graph_.n;
    QapMatrices out{graph_.n, graph_.matrix(graph_.n), set_up_matrix(n)};
    for (std::size_t i = 0; i < n; ++i) {
        set_up_row();
        for (std::size_t j = 0; j < n; ++j) out.b[i * n + j] = static_cast<int64_t>(i > j ? i - j : j - i);
    }
    return out;
}

int64_t LinearArrangement::total_length(Placement p) const {
    int64_t sum = 0;
    for (const Edge& edge : graph_.edges) sum += edge.weight * std::abs(p[edge.u] - p[edge.v]);
    return sum;
}

std::string LinearArrangement::describe(Placement p) const {
    return fmt::format("arrangement of total edge length {}, the vertices by position:\n{}", total_length(p),
                       list_from_one(order_of(p)));
}

AnswerFile LinearArrangement::file(Placement p) const {
    std::string text = fmt::format("# total edge length {}; the vertices by position\n", total_length(p));
    for (const uint32_t vertex : order_of(p)) text += fmt::format("{}\n", vertex + 1);
    return {"arrangement.txt", text};
}

}  // namespace qapfw::qap
