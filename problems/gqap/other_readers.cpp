// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "problems/gqap/readers.hpp"
#include "problems/gqap/token_reader.hpp"
#include "qapfw/error.hpp"

namespace qapfw::gqap {
namespace {

/// A METIS graph's head: what its lines hold.
struct GraphHead {
    std::int64_t vertices, edges;
    bool has_sizes, has_weights, has_edge_weights;
};

GraphHead read_head(TokenReader& text) {
    if (!text.next_line(false)) text.fail("wanted the numbers of vertices and edges, found nothing");
    GraphHead head{};
    head.vertices = text.integer("the number of vertices", 1, 65535);
    head.edges = text.integer("the number of edges", 0, std::int64_t{1} << 31);
    const std::int64_t format = text.at_line_end() ? 0 : text.integer("the format", 0, 111);
    head.has_sizes = format / 100 % 10 == 1;
    head.has_weights = format / 10 % 10 == 1;
    head.has_edge_weights = format % 10 == 1;
    if (!text.at_line_end()) text.integer("the number of weights of a vertex", 1, 1);
    return head;
}

/// The edges of one vertex, at which each edge is kept that comes from the smaller number.
void read_vertex(TokenReader& text, const GraphHead& head, std::uint32_t vertex, std::int64_t& weight,
                 std::vector<Triple>& edges, std::uint64_t& ends) {
    if (head.has_sizes) text.integer("a size");
    weight = head.has_weights ? text.integer("a weight") : 1;
    while (!text.at_line_end()) {
        const auto other = static_cast<std::uint32_t>(text.integer("a neighbour", 1, head.vertices) - 1);
        if (head.has_edge_weights && text.at_line_end())
            text.fail("wanted the weight of an edge, found the line's end");
        const std::int64_t value = head.has_edge_weights ? text.integer("the weight of an edge") : 1;
        if (other == vertex) text.fail("a vertex is its own neighbour");
        if (other > vertex) edges.push_back({vertex, other, value});
        ++ends;
    }
}

}  // namespace

Instance read_gap(std::string_view bytes, const std::string& source, std::int64_t number, bool maximise) {
    TokenReader text(bytes, source);
    const std::int64_t problems = text.integer("the number of problems in the file", 1, 100'000);
    if (number > problems) text.fail(fmt::format("there are {} problems; number {} was wanted", problems, number));
    for (std::int64_t k = 1;; ++k) {
        const auto m = static_cast<std::size_t>(text.integer("the number of agents", 1, 65536));
        const auto n = static_cast<std::size_t>(text.integer("the number of jobs", 1, 65535));
        if (2 * n * m + m > text.bytes_left()) text.fail("the file is too short for its numbers of agents and jobs");
        Instance instance;
        instance.items = static_cast<std::uint32_t>(n);
        instance.locations = static_cast<std::uint32_t>(m);
        instance.maximise = maximise;
        instance.distance.assign(m * m, 0);
        instance.linear.resize(n * m);
        instance.weight.resize(n * m);
        for (std::size_t e = 0; e < n * m; ++e) {
            instance.linear[e % n * m + e / n] = (maximise ? -1 : 1) * text.integer("a cost", -(1ll << 60), 1ll << 60);
        }
        for (std::size_t e = 0; e < n * m; ++e) instance.weight[e % n * m + e / n] = text.integer("a weight");
        for (std::size_t a = 0; a < m; ++a) instance.capacity.push_back(text.integer("a capacity"));
        if (k < number) continue;
        if (number == problems && !text.peek().empty()) {
            text.word();
            text.fail(fmt::format("wanted the end of {} problems, found more text", problems));
        }
        instance.set_flows({});
        return instance;
    }
}

Instance read_graph(std::string_view bytes, const std::string& source, std::int64_t parts, double imbalance) {
    TokenReader text(bytes, source, '%');
    const GraphHead head = read_head(text);
    const auto n = static_cast<std::size_t>(head.vertices), m = static_cast<std::size_t>(parts);
    if (parts > head.vertices) text.fail(fmt::format("{} vertices do not make {} parts", head.vertices, parts));
    Instance instance;
    instance.items = static_cast<std::uint32_t>(n);
    instance.locations = static_cast<std::uint32_t>(m);
    instance.distance.assign(m * m, 1);
    for (std::size_t k = 0; k < m; ++k) instance.distance[k * m + k] = 0;
    instance.linear.assign(n * m, 0);
    instance.weight.resize(n * m);
    std::vector<Triple> edges;
    std::uint64_t ends = 0;
    long double sum = 0;
    std::int64_t heaviest = 0;
    for (std::uint32_t v = 0; v < n; ++v) {
        if (!text.next_line(true)) text.fail(fmt::format("{} lines of vertices were wanted, found {}", n, v));
        std::int64_t weight = 1;
        read_vertex(text, head, v, weight, edges, ends);
        std::fill_n(instance.weight.begin() + static_cast<std::ptrdiff_t>(v * m), m, weight);
        sum += static_cast<long double>(weight);
        heaviest = std::max(heaviest, weight);
    }
    if (ends != 2 * edges.size() || edges.size() != static_cast<std::uint64_t>(head.edges)) {
        text.fail(fmt::format("{} edges, each at both of its vertices, were wanted, found {} ends", head.edges, ends));
    }
    if (sum > 1e18L) text.fail("the weights of the vertices sum up to more than 64 bits");
    const long double most = std::ceil(sum / static_cast<long double>(m)) * (1 + static_cast<long double>(imbalance));
    instance.capacity.assign(m, std::max(static_cast<std::int64_t>(most), heaviest));
    instance.set_flows(std::move(edges));
    return instance;
}

}  // namespace qapfw::gqap
