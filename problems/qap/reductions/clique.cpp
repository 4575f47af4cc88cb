// SPDX-License-Identifier: Apache-2.0
// Cliques, see clique.hpp.
#include "problems/qap/reductions/clique.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "problems/qap/setup.hpp"

namespace qapfw::qap {
namespace {

std::vector<std::vector<uint32_t>> neighbours_of(const Graph& graph) {
    std::vector<std::vector<uint32_t>> out(graph.n);
    for (const Edge& edge : graph.edges) {
        out[edge.u].push_back(edge.v);
        out[edge.v].push_back(edge.u);
    }
    return out;
}

}  // namespace

uint32_t colouring_bound(const Graph& graph) {
    const std::vector<std::vector<uint32_t>> neighbours = neighbours_of(graph);
    std::vector<uint32_t> order(graph.n);
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(),
                     [&](uint32_t u, uint32_t v) { return neighbours[u].size() > neighbours[v].size(); });
    std::vector<uint32_t> colour(graph.n, 0);  // from 1; 0: no colour yet
    uint32_t colours = 0;
    for (const uint32_t vertex : order) {
        std::vector<uint8_t> taken(colours + 2, 0);
        for (const uint32_t neighbour : neighbours[vertex]) taken[colour[neighbour]] = 1;
        taken[0] = 1;
        colour[vertex] = static_cast<uint32_t>(std::find(taken.begin(), taken.end(), 0) - taken.begin());
        colours = std::max(colours, colour[vertex]);
    }
    return colours;
}

MaximumClique::MaximumClique(Graph graph, std::optional<uint32_t> chosen)
    : graph_(std::move(graph)),
      adjacent_(std::size_t{graph_.n} * graph_.n, 0),
      given_size_(chosen.has_value()),
      slots_(chosen ? *chosen : colouring_bound(graph_)) {
    for (const Edge& edge : graph_.edges) {
        adjacent_[std::size_t{edge.u} * graph_.n + edge.v] = adjacent_[std::size_t{edge.v} * graph_.n + edge.u] = 1;
    }
}

QapMatrices MaximumClique::matrices() const {
    return given_size_ ? given_size_matrices() : free_size_matrices();
}

QapMatrices MaximumClique::given_size_matrices() const {
    const std::size_t n = graph_.n;
    QapMatrices out{graph_.n, set_up_matrix(n), graph_.matrix(graph_.n)};
    for (std::size_t i = 0; i < slots_; ++i) {
        for (std::size_t j = 0; j < slots_; ++j) out.a[i * n + j] = i != j ? -1 : 0;
    }
    return out;
}

/// The matrices if no size of the clique is given. Each chosen vertex adds -2 to the cost: its entry on the diagonal
/// of b.
QapMatrices MaximumClique::free_size_matrices() const {
    const std::size_t size = std::size_t{graph_.n} + slots_;
    QapMatrices out{graph_.n + slots_, set_up_matrix(size), set_up_matrix(size)};
    for (std::size_t i = 0; i < slots_; ++i)
        std::fill_n(out.a.begin() + static_cast<std::ptrdiff_t>(i * size), slots_, 1);
    for (uint32_t u = 0; u < graph_.n; ++u) {
        set_up_row();
        for (uint32_t v = 0; v < graph_.n; ++v) {
            out.b[u * size + v] = u == v ? -2 : adjacent(u, v) ? 0 : 1;
        }
    }
    return out;
}

std::string MaximumClique::summary() const {
    return given_size_ ? fmt::format("clique of {} vertices in a graph of {}", slots_, graph_.summary())
                       : fmt::format("maximum clique, at most {} vertices, in a graph of {}", slots_, graph_.summary());
}

/// Returns the cost of a clique of the given size; nothing if no size is given. No solution costs less, but the graph
/// may have no clique of this size.
std::optional<BestKnown> MaximumClique::known() const {
    if (!given_size_) return std::nullopt;
    const int64_t k = slots_;
    return BestKnown{k - k * k, false, "the cost of a clique of this size, if the graph has one", ""};
}

std::vector<uint32_t> MaximumClique::chosen(Placement p) const {
    std::vector<uint32_t> out;
    for (std::size_t k = 0; k < slots_; ++k) {
        if (p[k] < graph_.n) out.push_back(p[k]);
    }
    std::sort(out.begin(), out.end());
    return out;
}

int64_t MaximumClique::missing_edges(const std::vector<uint32_t>& vertices) const {
    int64_t missing = 0;
    for (std::size_t i = 0; i < vertices.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) missing += adjacent(vertices[i], vertices[j]) ? 0 : 1;
    }
    return missing;
}

/// Drops, one by one, the vertex with the most missing edges to the others, until no edge is missing. Takes O(k^2)
/// steps for k vertices.
std::vector<uint32_t> MaximumClique::clique_within(std::vector<uint32_t> vertices) const {
    std::vector<int64_t> missing;
    for (const uint32_t u : vertices) {
        missing.push_back(
            std::count_if(vertices.begin(), vertices.end(), [&](uint32_t v) { return v != u && !adjacent(u, v); }));
    }
    while (!vertices.empty()) {
        const auto worst = std::max_element(missing.begin(), missing.end());
        if (*worst == 0) break;
        const auto place = vertices.begin() + (worst - missing.begin());
        const uint32_t left_out = *place;
        vertices.erase(place);
        missing.erase(worst);
        for (std::size_t k = 0; k < vertices.size(); ++k) missing[k] -= adjacent(left_out, vertices[k]) ? 0 : 1;
    }
    return vertices;
}

int64_t MaximumClique::recount(Placement p) const {
    const std::vector<uint32_t> vertices = chosen(p);
    const auto size = static_cast<int64_t>(vertices.size());
    const int64_t missing = missing_edges(vertices);
    return 2 * missing - (given_size_ ? size * (size - 1) : 2 * size);
}

std::string MaximumClique::describe(Placement p) const {
    const std::vector<uint32_t> vertices = chosen(p);
    const std::vector<uint32_t> clique = clique_within(vertices);
    std::string out;
    if (clique.size() < vertices.size()) {
        out = fmt::format(
            "no clique: between the {} chosen vertices {} edges are missing; some of these vertices form a smaller "
            "clique\n",
            vertices.size(), missing_edges(vertices));
    }
    return out + fmt::format("clique of {} vertices:\n{}", clique.size(), list_from_one(clique));
}

AnswerFile MaximumClique::file(Placement p) const {
    const std::vector<uint32_t> clique = clique_within(chosen(p));
    std::string text = fmt::format("# clique of {} vertices\n", clique.size());
    for (const uint32_t vertex : clique) text += fmt::format("{}\n", vertex + 1);
    return {"clique.txt", text};
}

}  // namespace qapfw::qap
