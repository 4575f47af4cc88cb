// SPDX-License-Identifier: Apache-2.0
// Partitions, see partition.hpp.
#include "problems/qap/reductions/partition.hpp"

#include <fmt/format.h>

#include "problems/qap/setup.hpp"

namespace qapfw::qap {

std::vector<uint32_t> equal_parts(uint32_t n, uint32_t parts) {
    std::vector<uint32_t> sizes(parts, n / parts);
    for (uint32_t k = 0; k < n % parts; ++k) ++sizes[k];
    return sizes;
}

GraphPartition::GraphPartition(Graph graph, std::vector<uint32_t> sizes)
    : graph_(std::move(graph)), sizes_(std::move(sizes)) {
    for (uint32_t part = 0; part < sizes_.size(); ++part) part_of_slot_.insert(part_of_slot_.end(), sizes_[part], part);
}

QapMatrices GraphPartition::matrices() const {
    const std::size_t n = graph_.n;
    QapMatrices out{graph_.n, set_up_matrix(n), graph_.matrix(graph_.n)};
    for (std::size_t i = 0; i < n; ++i) {
        set_up_row();
        for (std::size_t j = 0; j < n; ++j) out.a[i * n + j] = part_of_slot_[i] != part_of_slot_[j] ? 1 : 0;
    }
    return out;
}

std::string GraphPartition::summary() const {
    return fmt::format("partition into {} parts, {}", sizes_.size(), graph_.summary());
}

std::vector<uint32_t> GraphPartition::part_of_vertex(Placement p) const {
    std::vector<uint32_t> out(p.size());
    for (std::size_t k = 0; k < p.size(); ++k) out[p[k]] = part_of_slot_[k];
    return out;
}

int64_t GraphPartition::cut(Placement p) const {
    const std::vector<uint32_t> part = part_of_vertex(p);
    int64_t sum = 0;
    for (const Edge& edge : graph_.edges) sum += part[edge.u] != part[edge.v] ? edge.weight : 0;
    return sum;
}

std::string GraphPartition::describe(Placement p) const {
    std::vector<std::vector<uint32_t>> members(sizes_.size());
    const std::vector<uint32_t> part = part_of_vertex(p);
    for (uint32_t vertex = 0; vertex < part.size(); ++vertex) members[part[vertex]].push_back(vertex);
    std::string out = fmt::format("partition with a cut of {}\n", cut(p));
    for (std::size_t k = 0; k < members.size(); ++k) {
        out += fmt::format("part {}, {} vertices:\n{}", k + 1, members[k].size(), list_from_one(members[k]));
    }
    return out;
}

AnswerFile GraphPartition::file(Placement p) const {
    std::string text = fmt::format("# cut {}; the lines below give the parts of vertices 1, 2, ...\n", cut(p));
    for (const uint32_t part : part_of_vertex(p)) text += fmt::format("{}\n", part + 1);
    return {"partition.txt", text};
}

}  // namespace qapfw::qap
