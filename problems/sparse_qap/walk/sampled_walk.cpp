// SPDX-License-Identifier: Apache-2.0
#include "problems/sparse_qap/walk/sampled_walk.hpp"

#include <utility>

#include "problems/sparse_qap/targets/distance.hpp"

namespace qapfw::sparse {

std::int64_t cost_of_codes(const Graph& graph, const Target& target, const std::uint64_t* code_of) {
    constexpr std::uint64_t kAhead = 24;  // at arc k, the code for arc k + kAhead is prefetched
    const std::uint64_t count = graph.arcs.size();
    return with_distance(target.data(), [&](const auto& distance) {
        std::int64_t sum = 0;
        for (std::uint32_t u = 0; u < graph.n; ++u) {
            const std::uint64_t own = code_of[u];
            for (std::uint64_t k = graph.offsets[u]; k < graph.offsets[u + 1]; ++k) {
                // Each edge is counted once, at its vertex with the lower number. At its other vertex the edge is
                // skipped without reading a code.
                const std::uint32_t ahead = graph.arcs[k + kAhead < count ? k + kAhead : k].to;
                __builtin_prefetch(code_of + (ahead > u ? ahead : u));
                const std::uint32_t v = graph.arcs[k].to;
                if (v > u) sum += graph.weight(k) * distance(own, code_of[v]);
            }
        }
        return sum;
    });
}

std::int64_t exact_cost(const Graph& graph, const Target& target, const std::uint32_t* location_of) {
    std::vector<std::uint64_t> code_of(graph.n);
    for (std::uint32_t u = 0; u < graph.n; ++u) code_of[u] = target.code(location_of[u]);
    return cost_of_codes(graph, target, code_of.data());
}

Walk::Walk(const Graph& graph, const Target& target, Isa isa)
    : graph_(&graph),
      target_(&target),
      location_of_(target.n()),
      vertex_at_(target.n()),
      code_of_(target.n()),
      view_{graph.arcs.data(),
            graph.offsets.data(),
            graph.wide.empty() ? nullptr : graph.wide.data(),
            graph.n,
            target.n(),
            &target.data(),
            target.codes().data(),
            target.is_tree() ? nullptr : target.near().data(),
            target.near_count(),
            target.groups().data(),
            static_cast<std::uint32_t>(target.groups().size()),
            location_of_.data(),
            vertex_at_.data(),
            code_of_.data()},
      propose_(propose_for(isa, target.data().metric, !graph.wide.empty())) {}

void Walk::reset(const std::uint32_t* location_of) {
    for (std::uint32_t u = 0; u < location_of_.size(); ++u) {
        location_of_[u] = location_of[u];
        vertex_at_[location_of[u]] = u;
        code_of_[u] = target_->code(location_of[u]);
    }
}

/// Returns the neighbours of a position. A dummy has none, since its moves change no delta of other positions.
qapfw_sampled_neighbours Walk::neighbours(std::uint32_t position) const {
    if (position >= graph_->n) return {nullptr, 0, sizeof(Arc)};
    return {graph_->arcs.data() + graph_->offsets[position], graph_->degree(position), sizeof(Arc)};
}

void Walk::exchange(std::uint32_t a, std::uint32_t b) {
    std::swap(location_of_[a], location_of_[b]);
    std::swap(code_of_[a], code_of_[b]);
    vertex_at_[location_of_[a]] = a;
    vertex_at_[location_of_[b]] = b;
}

}  // namespace qapfw::sparse
