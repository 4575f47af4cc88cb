// SPDX-License-Identifier: Apache-2.0
// Packings, see packing.hpp.
#include "problems/qap/reductions/packing.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace qapfw::qap {

QapMatrices GraphPacking::matrices() const {
    return {size(), first_.matrix(size()), second_.matrix(size())};
}

std::string GraphPacking::summary() const {
    return fmt::format("packing, {} and {}", first_.summary(), second_.summary());
}

std::vector<Edge> GraphPacking::shared_edges(Placement p) const {
    const auto before = [](const Edge& x, const Edge& y) { return std::pair(x.u, x.v) < std::pair(y.u, y.v); };
    std::vector<Edge> out;
    for (const Edge& edge : first_.edges) {
        const Edge image{std::min<uint32_t>(p[edge.u], p[edge.v]), std::max<uint32_t>(p[edge.u], p[edge.v])};
        if (std::binary_search(second_.edges.begin(), second_.edges.end(), image, before)) out.push_back(edge);
    }
    return out;
}

std::string GraphPacking::describe(Placement p) const {
    const std::vector<Edge> shared = shared_edges(p);
    std::vector<uint32_t> images(p.begin(), p.begin() + first_.n);
    std::string out = shared.empty()
                          ? "a packing: no edge is shared\n"
                          : fmt::format("no packing: {} edges of the first graph are shared\n", shared.size());
    return out + "vertex 1, 2, ... of the first graph lies on this vertex of the second:\n" + list_from_one(images);
}

AnswerFile GraphPacking::file(Placement p) const {
    const std::vector<Edge> shared = shared_edges(p);
    std::string text =
        fmt::format("# {} shared edges; each line: vertex of the first graph, vertex of the second\n", shared.size());
    for (uint32_t v = 0; v < first_.n; ++v) text += fmt::format("{} {}\n", v + 1, p[v] + 1);
    for (const Edge& edge : shared) text += fmt::format("# shared: {} {}\n", edge.u + 1, edge.v + 1);
    return {"packing.txt", text};
}

}  // namespace qapfw::qap
