// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

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
    if (format % 10 > 1 || format / 10 % 10 > 1) {
        text.fail(
            fmt::format("the format is {}; three digits 0 or 1 were wanted (sizes, weights of vertices, weights of "
                        "edges)",
                        format));
    }
    head.has_sizes = format / 100 == 1;
    head.has_weights = format / 10 % 10 == 1;
    head.has_edge_weights = format % 10 == 1;
    if (!text.at_line_end()) text.integer("the number of weights of a vertex", 1, 1);
    if (!text.at_line_end()) text.fail("the head has more than four numbers");
    return head;
}

/// The ends of edges at one vertex.
void read_vertex(TokenReader& text, const GraphHead& head, std::uint32_t vertex, std::int64_t& weight,
                 std::vector<Triple>& ends) {
    if (head.has_sizes) text.integer("a size");
    weight = head.has_weights ? text.integer("a weight") : 1;
    while (!text.at_line_end()) {
        const auto other = static_cast<std::uint32_t>(text.integer("a neighbour", 1, head.vertices) - 1);
        if (head.has_edge_weights && text.at_line_end())
            text.fail("wanted the weight of an edge, found the line's end");
        const std::int64_t value = head.has_edge_weights ? text.integer("the weight of an edge") : 1;
        if (value < 0) text.fail(fmt::format("the weight of an edge is {}; 0 or more was wanted", value));
        if (other == vertex) text.fail("a vertex is its own neighbour");
        ends.push_back({vertex, other, value});
    }
}

/// Each edge once. Refuses edges that stand at one vertex alone, twice, or with two weights.
std::vector<Triple> edges_of(std::vector<Triple> ends, const TokenReader& text) {
    const auto lower = [](const Triple& end) { return std::min(end.from, end.to); };
    const auto upper = [](const Triple& end) { return std::max(end.from, end.to); };
    std::sort(ends.begin(), ends.end(), [&](const Triple& a, const Triple& b) {
        return std::tuple(lower(a), upper(a), a.from) < std::tuple(lower(b), upper(b), b.from);
    });
    std::vector<Triple> edges;
    for (std::size_t k = 0; k < ends.size(); k += 2) {
        const Triple& end = ends[k];
        const auto same = [&](std::size_t other) {
            return other < ends.size() && lower(ends[other]) == lower(end) && upper(ends[other]) == upper(end);
        };
        const std::uint32_t a = lower(end) + 1, b = upper(end) + 1, at = end.from + 1;
        if (!same(k + 1)) text.fail(fmt::format("the edge of vertices {} and {} stands at vertex {} alone", a, b, at));
        if (ends[k + 1].from == end.from || same(k + 2)) {
            const std::uint32_t twice = ends[k + 1].from == end.from ? at : ends[k + 2].from + 1;
            text.fail(fmt::format("the edge of vertices {} and {} stands twice at vertex {}", a, b, twice));
        }
        if (ends[k + 1].value != end.value) {
            text.fail(fmt::format("the edge of vertices {} and {} weighs {} at one of them and {} at the other", a, b,
                                  end.value, ends[k + 1].value));
        }
        edges.push_back({lower(end), upper(end), end.value});
    }
    return edges;
}

}  // namespace

Instance read_gap(std::string_view bytes, const std::string& source, std::int64_t number, bool maximise,
                  const sdk::StopQuestion& stop) {
    TokenReader text(bytes, source);
    const std::int64_t problems = text.integer("the number of problems in the file", 1, 100'000);
    if (number > problems) text.fail(fmt::format("there are {} problems; number {} was wanted", problems, number));
    for (std::int64_t k = 1;; ++k) {
        const auto m = static_cast<std::size_t>(text.integer("the number of agents", 1, 65536));
        const auto n = static_cast<std::size_t>(text.integer("the number of jobs", 1, 65535));
        if (2 * n * m + m > text.bytes_left()) text.fail("the file is too short for its numbers of agents and jobs");
        require_tables(n, m, 0, source);
        Instance instance;
        instance.stop = stop;
        instance.items = static_cast<std::uint32_t>(n);
        instance.locations = static_cast<std::uint32_t>(m);
        instance.maximise = maximise;
        instance.distance.assign(m * m, 0);
        instance.linear.resize(n * m);
        instance.weight.resize(n * m);
        for (std::size_t e = 0; e < n * m; ++e) {
            if (e % n == 0) instance.set_up_row();
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

std::int64_t graph_capacity(std::int64_t weight, std::int64_t parts, double imbalance) {
    constexpr std::size_t kMostDigits = 18;
    const std::string written = fmt::format("{:.18f}", imbalance), shortest = fmt::format("{}", imbalance);
    const std::string& digits = shortest.find('e') == shortest.npos ? shortest : written;
    Wide numerator = 0, denominator = 1;
    const std::size_t point = std::min(digits.find('.'), digits.size());
    for (std::size_t k = 0; k < digits.size() && k <= point + kMostDigits; ++k) {
        if (k == point) continue;
        numerator = 10 * numerator + (digits[k] - '0');
        if (k > point) denominator *= 10;
    }
    const Wide average = (Wide{weight} + parts - 1) / parts;
    const Wide capacity = (denominator + numerator) * average / denominator;
    return static_cast<std::int64_t>(std::min<Wide>(capacity, std::numeric_limits<std::int64_t>::max()));
}

Instance read_graph(std::string_view bytes, const std::string& source, std::int64_t parts, double imbalance,
                    const sdk::StopQuestion& stop) {
    TokenReader text(bytes, source, '%');
    const GraphHead head = read_head(text);
    const auto n = static_cast<std::size_t>(head.vertices), m = static_cast<std::size_t>(parts);
    if (parts > head.vertices) text.fail(fmt::format("{} vertices do not make {} parts", head.vertices, parts));
    require_tables(n, m, 0, source);
    Instance instance;
    instance.stop = stop;
    instance.items = static_cast<std::uint32_t>(n);
    instance.locations = static_cast<std::uint32_t>(m);
    instance.distance.assign(m * m, 1);
    for (std::size_t k = 0; k < m; ++k) instance.distance[k * m + k] = 0;
    instance.linear.assign(n * m, 0);
    instance.weight.resize(n * m);
    std::vector<Triple> ends;
    constexpr Wide kMostWeight = 1'000'000'000'000'000'000;
    Wide sum = 0;
    std::int64_t heaviest = 0;
    for (std::uint32_t v = 0; v < n; ++v) {
        instance.set_up_row();
        if (!text.next_line(true)) text.fail(fmt::format("{} lines of vertices were wanted, found {}", n, v));
        std::int64_t weight = 1;
        read_vertex(text, head, v, weight, ends);
        std::fill_n(instance.weight.begin() + static_cast<std::ptrdiff_t>(v * m), m, weight);
        if (weight < 0) text.fail(fmt::format("the weight of a vertex is {}; 0 or more was wanted", weight));
        sum += weight;
        heaviest = std::max(heaviest, weight);
    }
    if (text.next_line(false)) text.fail(fmt::format("wanted the end of {} vertices, found a further line", n));
    if (sum > kMostWeight) text.fail("the weights of the vertices sum up to more than 10^18; divide them by a number");
    std::vector<Triple> edges = edges_of(std::move(ends), text);
    if (edges.size() != static_cast<std::uint64_t>(head.edges)) {
        text.fail(
            fmt::format("{} edges, each at both of its vertices, were wanted, found {}", head.edges, edges.size()));
    }
    const std::int64_t most = graph_capacity(static_cast<std::int64_t>(sum), parts, imbalance);
    instance.capacity.assign(m, std::max(most, heaviest));
    instance.set_flows(std::move(edges));
    return instance;
}

}  // namespace qapfw::gqap
