// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "common/metis_reader.hpp"
#include "problems/gqap/readers.hpp"
#include "problems/gqap/token_reader.hpp"
#include "qapfw/error.hpp"

namespace qapfw::gqap {
namespace {

constexpr std::int64_t kMostItems = 65535;

/// Returns each edge once, with its weight. The graph stores the sum of an edge's weights in both directions, which is
/// twice the edge's weight.
std::vector<Triple> edges_of(const common::Graph& graph) {
    std::vector<Triple> edges;
    for (std::uint32_t u = 0; u < graph.n; ++u) {
        for (std::uint64_t k = graph.offsets[u]; k < graph.offsets[u + 1]; ++k) {
            if (graph.arcs[k].to > u) edges.push_back({u, graph.arcs[k].to, graph.weight(k) / 2});
        }
    }
    return edges;
}

}  // namespace

Instance read_gap(std::string_view bytes, const std::string& source, std::int64_t number, bool maximise,
                  const sdk::StopQuestion& stop) {
    TokenReader text(bytes, source);
    const std::int64_t problems = text.integer("the number of problems in the file", 1, 100'000);
    if (number > problems)
        text.fail(fmt::format("problem.number is {1}, but the file has {0} problems", problems, number));
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
            text.fail(fmt::format("wanted the end of the file after {} problems, found more text", problems));
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
    common::TextCursor text(bytes, source);
    common::MetisGraph metis = common::read_metis(text, kMostItems);
    const auto refuse = [&](const std::string& what) { throw Error(ErrorKind::kInput, source + ": " + what); };
    const std::size_t n = metis.edges.n, m = static_cast<std::size_t>(parts);
    if (m > n) refuse(fmt::format("{} vertices cannot be cut into {} parts", n, m));
    if (!metis.weights.empty() && metis.weights_each > 1)
        refuse(fmt::format("one weight for each vertex was wanted, found {}", metis.weights_each));
    require_tables(n, m, 0, source);
    Instance instance;
    instance.stop = stop;
    instance.items = static_cast<std::uint32_t>(n);
    instance.locations = static_cast<std::uint32_t>(m);
    instance.distance.assign(m * m, 1);
    for (std::size_t k = 0; k < m; ++k) instance.distance[k * m + k] = 0;
    instance.linear.assign(n * m, 0);
    instance.weight.resize(n * m);
    constexpr Wide kMostWeight = 1'000'000'000'000'000'000;
    Wide sum = 0;
    std::int64_t heaviest = 0;
    for (std::size_t v = 0; v < n; ++v) {
        instance.set_up_row();
        const std::int64_t weight = metis.weights.empty() ? 1 : metis.weights[v];
        std::fill_n(instance.weight.begin() + static_cast<std::ptrdiff_t>(v * m), m, weight);
        sum += weight;
        heaviest = std::max(heaviest, weight);
    }
    if (sum > kMostWeight)
        refuse("the weights of the vertices sum up to more than 10^18; divide them all by the same number");
    const std::int64_t most = graph_capacity(static_cast<std::int64_t>(sum), parts, imbalance);
    instance.capacity.assign(m, std::max(most, heaviest));
    instance.set_flows(edges_of(common::make_graph(std::move(metis.edges), source)));
    return instance;
}

}  // namespace qapfw::gqap
