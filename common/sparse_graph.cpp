// SPDX-License-Identifier: Apache-2.0
#include "common/sparse_graph.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "qapfw/error.hpp"

namespace qapfw::common {
namespace {

using End = std::pair<std::uint32_t, std::int64_t>;  // vertex, weight

std::int64_t exact_sum(std::int64_t a, std::int64_t b, const std::string& source) {
    std::int64_t sum = 0;
    if (__builtin_add_overflow(a, b, &sum))
        throw Error(ErrorKind::kInput,
                    fmt::format("{}: the weights {} and {} have a sum beyond 64 bits", source, a, b));
    return sum;
}

/// Sorts a row, removes loops and merges parallel edges, whose weights it adds up. Counts in `graph` the loops and the
/// parallel edges.
void tidy(std::vector<End>& row, std::uint32_t self, Graph& graph, const std::string& source) {
    const auto is_loop = [&](const End& end) { return end.first == self; };
    // A loop of weight 0 only says that the vertex exists. It is not counted.
    graph.loops += static_cast<std::uint64_t>(
        std::count_if(row.begin(), row.end(), [&](const End& end) { return is_loop(end) && end.second != 0; }));
    std::erase_if(row, is_loop);
    std::sort(row.begin(), row.end(), [](const End& a, const End& b) { return a.first < b.first; });
    std::size_t kept = 0;
    for (std::size_t k = 0; k < row.size(); ++k) {
        if (kept > 0 && row[kept - 1].first == row[k].first) {
            row[kept - 1].second = exact_sum(row[kept - 1].second, row[k].second, source);
            ++graph.parallel;
        } else {
            row[kept++] = row[k];
        }
    }
    row.resize(kept);
}

/// Calls tidy() for every row, and moves the rows together so that the arrays have no gaps.
void tidy_rows(RawGraph& raw, Graph& graph, const std::string& source) {
    std::uint64_t at = 0, begin = 0;
    std::vector<End> row;
    for (std::uint32_t u = 0; u < raw.n; ++u) {
        const std::uint64_t end = raw.offsets[u + 1];
        row.clear();
        for (std::uint64_t k = begin; k < end; ++k) row.emplace_back(raw.to[k], raw.weight[k]);
        begin = end;
        tidy(row, u, graph, source);
        for (const auto& [v, weight] : row) {
            raw.to[at] = v;
            raw.weight[at++] = weight;
        }
        raw.offsets[u + 1] = at;
    }
    raw.to.resize(at);
    raw.weight.resize(at);
}

/// The flows sorted by the vertex that they reach, then by the vertex that they leave.
RawGraph transposed(const RawGraph& raw) {
    RawGraph back;
    back.n = raw.n;
    back.offsets.assign(std::size_t{raw.n} + 1, 0);
    for (const std::uint32_t v : raw.to) ++back.offsets[v + 1];
    for (std::uint32_t u = 0; u < raw.n; ++u) back.offsets[u + 1] += back.offsets[u];
    back.to.resize(raw.to.size());
    back.weight.resize(raw.to.size());
    std::vector<std::uint64_t> next(back.offsets.begin(), back.offsets.end() - 1);
    for (std::uint32_t u = 0; u < raw.n; ++u) {
        for (std::uint64_t k = raw.offsets[u]; k < raw.offsets[u + 1]; ++k) {
            const std::uint64_t at = next[raw.to[k]]++;
            back.to[at] = u;
            back.weight[at] = raw.weight[k];
        }
    }
    return back;
}

class Joiner {
  public:
    Joiner(Graph& graph, const std::string& source) : graph_(graph), source_(source) {}
    void add(std::uint32_t v, std::int64_t weight) {
        if (weight == 0) return;
        constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
        if (graph_.wide.empty() && (weight > kMost || weight < -kMost)) {
            for (const Arc& arc : graph_.arcs) graph_.wide.push_back(arc.weight);
            is_wide_ = true;
        }
        graph_.arcs.push_back({v, is_wide_ ? 0 : static_cast<std::int32_t>(weight)});
        if (is_wide_) graph_.wide.push_back(weight);
    }
    std::int64_t sum(std::int64_t a, std::int64_t b) const { return exact_sum(a, b, source_); }

  private:
    Graph& graph_;
    const std::string& source_;
    bool is_wide_ = false;
};

[[noreturn]] void fail_one_way(std::uint32_t u, std::uint32_t v, std::int64_t there, std::int64_t back,
                               const std::string& source) {
    const auto text = [](std::int64_t weight) {
        return weight == 0 ? std::string("is missing") : fmt::format("has the weight {}", weight);
    };
    throw Error(ErrorKind::kInput, fmt::format("{}: vertex {}: the edge to {} {}, but at vertex {} the same edge {}; "
                                               "each edge must be listed at both of its ends with the same weight",
                                               source, u + 1, v + 1, text(there), v + 1, text(back)));
}

}  // namespace

RawGraph raw_graph(std::uint32_t n, const std::vector<Flow>& flows) {
    RawGraph raw;
    raw.n = n;
    raw.offsets.assign(std::size_t{n} + 1, 0);
    for (const Flow& flow : flows) ++raw.offsets[flow.from + 1];
    for (std::uint32_t u = 0; u < n; ++u) raw.offsets[u + 1] += raw.offsets[u];
    raw.to.resize(flows.size());
    raw.weight.resize(flows.size());
    std::vector<std::uint64_t> next(raw.offsets.begin(), raw.offsets.end() - 1);
    for (const Flow& flow : flows) {
        const std::uint64_t at = next[flow.from]++;
        raw.to[at] = flow.to;
        raw.weight[at] = flow.weight;
    }
    return raw;
}

Graph make_graph(RawGraph raw, const std::string& source) {
    Graph graph;
    graph.n = raw.n;
    tidy_rows(raw, graph, source);
    if (raw.both_ways) graph.parallel /= 2;
    const RawGraph back = transposed(raw);
    graph.offsets.reserve(std::size_t{raw.n} + 1);
    graph.offsets.push_back(0);
    graph.arcs.reserve(raw.both_ways ? raw.to.size() : 2 * raw.to.size());
    Joiner joiner(graph, source);
    for (std::uint32_t u = 0; u < raw.n; ++u) {
        std::uint64_t i = raw.offsets[u], j = back.offsets[u];
        const std::uint64_t i_end = raw.offsets[u + 1], j_end = back.offsets[u + 1];
        while (i < i_end || j < j_end) {
            const std::uint32_t v = std::min(i < i_end ? raw.to[i] : raw.n, j < j_end ? back.to[j] : raw.n);
            const std::int64_t there = i < i_end && raw.to[i] == v ? raw.weight[i++] : 0;
            const std::int64_t here = j < j_end && back.to[j] == v ? back.weight[j++] : 0;
            if (there != here) graph.directed = true;
            if (there != here && raw.both_ways) fail_one_way(u, v, there, here, source);
            joiner.add(v, joiner.sum(there, here));
        }
        graph.offsets.push_back(graph.arcs.size());
    }
    graph.names = std::move(raw.names);
    return graph;
}

std::vector<std::uint32_t> breadth_first(const Graph& graph, const std::function<void()>& pause) {
    constexpr std::size_t kBetweenPauses = 1 << 15;
    std::vector<std::uint32_t> order;
    std::vector<std::uint8_t> seen(graph.n, 0);
    order.reserve(graph.n);
    for (std::uint32_t root = 0; root < graph.n; ++root) {
        if (seen[root] != 0) continue;
        seen[root] = 1;
        order.push_back(root);
        for (std::size_t head = order.size() - 1; head < order.size(); ++head) {
            const std::uint32_t u = order[head];
            if (pause && (head + 1) % kBetweenPauses == 0) pause();
            for (std::uint64_t k = graph.offsets[u]; k < graph.offsets[u + 1]; ++k) {
                const std::uint32_t v = graph.arcs[k].to;
                if (seen[v] == 0) order.push_back(v);
                seen[v] = 1;
            }
        }
    }
    return order;
}

}  // namespace qapfw::common
