// SPDX-License-Identifier: Apache-2.0
#include "problems/sparse_qap/targets/traffic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "problems/sparse_qap/walk/sampled_walk.hpp"

namespace qapfw::sparse {
namespace {

/// Calls body(u, v, weight) for each edge.
template <class Body>
void for_edges(const Graph& graph, Body&& body) {
    for (std::uint32_t u = 0; u < graph.n; ++u) {
        for (std::uint64_t k = graph.offsets[u]; k < graph.offsets[u + 1]; ++k) {
            if (graph.arcs[k].to > u) body(u, graph.arcs[k].to, graph.weight(k));
        }
    }
}

/// Of each location and side the link to the next location.
std::vector<std::int64_t> box_links(const Graph& graph, const Target& target,
                                    const std::vector<std::uint32_t>& location_of) {
    const std::uint32_t dims = target.dimensions();
    std::vector<std::uint64_t> stride(dims + 1, 1);
    for (std::uint32_t d = 0; d < dims; ++d) stride[d + 1] = stride[d] * target.side(d);
    std::vector<std::int64_t> load(static_cast<std::size_t>(stride[dims]) * dims, 0);
    std::vector<std::uint32_t> at(dims);
    for_edges(graph, [&](std::uint32_t u, std::uint32_t v, std::int64_t weight) {
        std::uint64_t cell = 0;
        for (std::uint32_t d = 0; d < dims; ++d) {
            at[d] = static_cast<std::uint32_t>(target.coordinate(location_of[u], d));
            cell += at[d] * stride[d];
        }
        for (std::uint32_t d = 0; d < dims; ++d) {
            const std::uint32_t side = target.side(d),
                                to = static_cast<std::uint32_t>(target.coordinate(location_of[v], d));
            const std::uint32_t forth = (to + side - at[d]) % side, back = side - forth;
            const bool forward = target.is_torus() ? forth <= back : to > at[d];
            while (at[d] != to) {
                const std::uint32_t next = forward ? (at[d] + 1) % side : (at[d] + side - 1) % side;
                const std::uint64_t after = cell - at[d] * stride[d] + next * stride[d];
                load[static_cast<std::size_t>((forward ? cell : after) * dims + d)] += weight;
                at[d] = next;
                cell = after;
            }
        }
    });
    return load;
}

/// Of each location and bit the link to the location without the bit.
std::vector<std::int64_t> cube_links(const Graph& graph, const Target& target,
                                     const std::vector<std::uint32_t>& location_of) {
    const std::uint32_t bits = target.dimensions();
    std::vector<std::int64_t> load((std::size_t{1} << bits) * bits, 0);
    for_edges(graph, [&](std::uint32_t u, std::uint32_t v, std::int64_t weight) {
        auto at = static_cast<std::uint32_t>(target.code(location_of[u]));
        for (std::uint32_t differ = at ^ static_cast<std::uint32_t>(target.code(location_of[v])); differ != 0;
             differ &= differ - 1) {
            const auto bit = static_cast<std::uint32_t>(__builtin_ctz(differ));
            load[std::size_t{at & ~(1u << bit)} * bits + bit] += weight;
            at ^= 1u << bit;
        }
    });
    return load;
}

/// Of each group, and of each location, the link upwards.
std::vector<std::int64_t> tree_links(const Graph& graph, const Target& target,
                                     const std::vector<std::uint32_t>& location_of) {
    std::vector<std::uint32_t> sizes{1};
    std::vector<std::size_t> first{0};
    for (std::size_t k = 0; k + 1 < target.groups().size(); ++k) {
        first.push_back(first.back() + target.n() / sizes.back());
        sizes.push_back(target.groups()[k]);
    }
    std::vector<std::int64_t> load(first.back() + target.n() / sizes.back(), 0);
    for_edges(graph, [&](std::uint32_t u, std::uint32_t v, std::int64_t weight) {
        for (std::size_t k = 0; k < sizes.size(); ++k) {
            const std::uint32_t a = location_of[u] / sizes[k], b = location_of[v] / sizes[k];
            if (a == b) return;
            if (target.data().level_costs[k + 1] == 0) continue;  // places of one location
            load[first[k] + a] += weight;
            load[first[k] + b] += weight;
        }
    });
    return load;
}

}  // namespace

Traffic traffic_of(const Graph& graph, const Target& target, const std::vector<std::uint32_t>& location_of) {
    Traffic traffic;
    traffic.hop_bytes = exact_cost(graph, target, location_of.data());
    for_edges(graph, [&](std::uint32_t, std::uint32_t, std::int64_t weight) { traffic.weight += weight; });
    std::vector<std::int64_t> load;
    switch (target.data().metric) {
        case Metric::kGridBytes:
        case Metric::kGridWords:
        case Metric::kTorusBytes:
        case Metric::kTorusWords:
            load = box_links(graph, target, location_of);
            break;
        case Metric::kHamming:
            load = cube_links(graph, target, location_of);
            break;
        case Metric::kTree:
            load = tree_links(graph, target, location_of);
            break;
        default:
            return traffic;
    }
    // Ends of a grid have no link outwards, and places of one location none between them.
    traffic.links =
        static_cast<std::uint64_t>(load.size() - static_cast<std::size_t>(std::count(load.begin(), load.end(), 0)));
    if (traffic.links == 0) return traffic;
    traffic.busiest = *std::max_element(load.begin(), load.end());
    traffic.mean = static_cast<double>(std::accumulate(load.begin(), load.end(), std::int64_t{0})) /
                   static_cast<double>(traffic.links);
    return traffic;
}

std::string Traffic::text() const {
    std::string line = fmt::format("hop-bytes {}", hop_bytes);
    if (weight > 0)
        line += fmt::format(", {:.3g} for each unit of weight",
                            static_cast<double>(hop_bytes) / static_cast<double>(weight));
    if (links > 0)
        line += fmt::format("; the busiest of {} links in use carries {}, the mean one {:.4g}", links, busiest, mean);
    return line;
}

}  // namespace qapfw::sparse
