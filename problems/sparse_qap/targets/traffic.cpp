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

/// The loads of the links of a grid or torus. In each dimension, a link leads from each location to the next one. A
/// message adds its weight to a stretch of links. `send` marks only the two ends of the stretch, and `added_up` sums
/// the marks along each line. A long way thus takes no more time than a short one.
class BoxLinks {
  public:
    explicit BoxLinks(const Target& target) : target_(target), dims_(target.dimensions()), stride_(dims_ + 1, 1) {
        for (std::uint32_t d = 0; d < dims_; ++d) stride_[d + 1] = stride_[d] * target.side(d);
        load_.assign(static_cast<std::size_t>(stride_[dims_]) * dims_, 0);
    }
    void send(std::uint32_t from, std::uint32_t to, std::int64_t weight) {
        std::uint64_t cell = 0;
        for (std::uint32_t d = 0; d < dims_; ++d) cell += at(from, d) * stride_[d];
        for (std::uint32_t d = 0; d < dims_; ++d) {
            const std::uint32_t side = target_.side(d), a = at(from, d), b = at(to, d);
            const std::uint32_t forth = (b + side - a) % side;
            const bool forward = target_.is_torus() ? 2 * forth <= side : b > a;
            if (a != b) add(cell - a * stride_[d], d, forward ? a : b, forward ? b : a, weight);
            cell = cell - a * stride_[d] + b * stride_[d];
        }
    }
    std::vector<std::int64_t> added_up() {
        for (std::uint64_t cell = 0; cell < stride_[dims_]; ++cell) {
            for (std::uint32_t d = 0; d < dims_; ++d) {
                if (cell / stride_[d] % target_.side(d) > 0)
                    load_[static_cast<std::size_t>(cell * dims_ + d)] +=
                        load_[static_cast<std::size_t>((cell - stride_[d]) * dims_ + d)];
            }
        }
        return std::move(load_);
    }

  private:
    std::uint32_t at(std::uint32_t location, std::uint32_t d) const {
        return static_cast<std::uint32_t>(target_.coordinate(location, d));
    }
    /// Marks the ends of a message that goes forward from coordinate a to coordinate b of dimension d. If b < a, the
    /// message passes the end of the ring. `line`: the cell at coordinate 0 of the line on which the message goes.
    void add(std::uint64_t line, std::uint32_t d, std::uint32_t a, std::uint32_t b, std::int64_t weight) {
        const auto note = [&](std::uint32_t x, std::int64_t change) {
            load_[static_cast<std::size_t>((line + x * stride_[d]) * dims_ + d)] += change;
        };
        note(a, weight);
        note(b, -weight);
        if (b < a) note(0, weight);
    }
    const Target& target_;
    std::uint32_t dims_;
    std::vector<std::uint64_t> stride_;
    std::vector<std::int64_t> load_;
};

std::vector<std::int64_t> box_links(const Graph& graph, const Target& target,
                                    const std::vector<std::uint32_t>& location_of) {
    BoxLinks links(target);
    for_edges(graph, [&](std::uint32_t u, std::uint32_t v, std::int64_t weight) {
        links.send(location_of[u], location_of[v], weight);
    });
    return links.added_up();
}

/// The loads of a hypercube's links. Each link joins two locations that differ in one bit.
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

/// The loads of a tree's links. Each group and each location has one link upwards.
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
            if (target.data().level_costs[k + 1] == 0) continue;  // copies of one location: no link between them
            load[first[k] + a] += weight;
            load[first[k] + b] += weight;
        }
    });
    return load;
}

}  // namespace

Traffic traffic_of(const Graph& graph, const Target& target, const std::vector<std::uint32_t>& location_of,
                   std::optional<std::int64_t> cost) {
    Traffic traffic;
    traffic.hop_bytes = cost ? *cost : exact_cost(graph, target, location_of.data());
    for (std::uint64_t k = 0; k < graph.arcs.size(); ++k) traffic.weight += graph.weight(k);
    traffic.weight /= 2;
    // The loads of links are computed only up to this number of edges. With more, the end of a run would take too long.
    constexpr std::uint64_t kMostEdges = 1'000'000;
    if (graph.edges() > kMostEdges) return traffic;
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
    // Links without load are not counted, because some entries of `load` are of links that do not exist. Such a link
    // would cross the border of a grid or join copies of one location.
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
        line += fmt::format("; the busiest of {} links in use carries a weight of {}, the mean is {:.4g}", links,
                            busiest, mean);
    return line;
}

}  // namespace qapfw::sparse
