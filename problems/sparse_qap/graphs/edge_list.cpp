// SPDX-License-Identifier: Apache-2.0
// Lists of edges: each line is "u,v" or "u,v,weight". There may be a header. Ends are numbers or names.
#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <unordered_map>

#include "problems/sparse_qap/graphs/edge_cells.hpp"
#include "problems/sparse_qap/graphs/graph_reader.hpp"

namespace qapfw::sparse {
namespace {

struct NamedEdge {
    std::string_view from, to;
    std::int64_t weight;
};

bool is_integer(std::string_view text, std::int64_t& value) {
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    return !text.empty() && read.ec == std::errc() && read.ptr == text.data() + text.size();
}

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

NamedEdge edge_of(TextCursor& text, const EdgeCells& cells) {
    if (cells.count < 2 || cells.count > 3)
        text.fail(fmt::format("an edge \"u,v,weight\" was wanted, found {} cells", cells.count));
    if (cells.cell[0].empty() || cells.cell[1].empty())
        text.fail("an edge \"u,v,weight\" was wanted, but u or v is empty");
    NamedEdge edge{cells.cell[0], cells.cell[1], 1};
    if (cells.count == 3) edge.weight = whole_number_in(text, cells.cell[2], "the weight of an edge", "all weights");
    return edge;
}

/// True if a first line is certainly a header. If it has three cells, the third must be no number and begin with no
/// digit, and the first or the second must be no integer. If it has two cells, they must be a usual pair such as
/// "from,to".
bool is_header(const EdgeCells& cells) {
    std::int64_t ignored = 0;
    if (cells.count == 3)
        return !is_number_like(cells.cell[2]) && (cells.cell[2].empty() || !is_digit(cells.cell[2].front())) &&
               !(is_integer(cells.cell[0], ignored) && is_integer(cells.cell[1], ignored));
    constexpr std::string_view kUsual[][2] = {{"from", "to"}, {"source", "target"}, {"src", "dst"}};
    return cells.count == 2 && std::any_of(std::begin(kUsual), std::end(kUsual), [&](const auto& usual) {
               return cells.cell[0] == usual[0] && cells.cell[1] == usual[1];
           });
}

/// Treats the first line, which has two words, as a header: removes it and adds a remark. But the line stays as an edge
/// if one of its words occurs in another line.
void drop_header(std::vector<NamedEdge>& edges, std::vector<std::string>& remarks) {
    const NamedEdge first = edges.front();
    const bool again = std::any_of(edges.begin() + 1, edges.end(), [&](const NamedEdge& edge) {
        return edge.from == first.from || edge.from == first.to || edge.to == first.from || edge.to == first.to;
    });
    if (again) return;
    edges.erase(edges.begin());
    remarks.push_back(
        fmt::format("the first line, {} and {}, is taken for a header because neither name occurs in another line",
                    common::shown_word(first.from), common::shown_word(first.to)));
}

/// True if the ends of all edges are whole numbers, that is, vertex numbers. Then sets the least and the largest
/// number, and refuses negative numbers.
bool all_numbers(const TextCursor& text, const std::vector<NamedEdge>& edges, std::int64_t& least, std::int64_t& most) {
    least = std::numeric_limits<std::int64_t>::max();
    most = std::numeric_limits<std::int64_t>::min();
    std::string_view least_cell;
    for (const NamedEdge& edge : edges) {
        for (const std::string_view end : {edge.from, edge.to}) {
            std::int64_t value = 0;
            if (!is_integer(end, value)) return false;
            if (value < least) {
                least = value;
                least_cell = end;
            }
            most = std::max(most, value);
        }
    }
    if (least < 0)
        text.fail_at(least_cell, fmt::format("vertices are numbered from 0 or 1, or have names; found {}", least));
    return true;
}

/// Reads the edges of the text, one from each line.
std::vector<NamedEdge> edges_of(TextCursor& text, std::vector<std::string>& remarks) {
    std::vector<NamedEdge> edges;
    const char separator = separator_in(text.text());
    bool first = true, words = false;
    while (text.next_line('#', false)) {
        const EdgeCells cells = edge_cells_of(text.rest_of_line(), separator);
        const bool header = first && is_header(cells);
        words = words || (first && !header && cells.count == 2 && !is_number_like(cells.cell[0]) &&
                          !is_number_like(cells.cell[1]));
        first = false;
        if (!header) edges.push_back(edge_of(text, cells));
    }
    if (words && edges.size() > 1) drop_header(edges, remarks);
    if (edges.empty()) text.fail("a list of edges \"u,v,weight\" was wanted, but the file has none");
    return edges;
}

}  // namespace

RawGraph read_edge_list(TextCursor& text, bool directed, std::vector<std::string>& remarks) {
    const std::vector<NamedEdge> edges = edges_of(text, remarks);
    std::vector<Flow> flows;
    flows.reserve(directed ? edges.size() : 2 * edges.size());
    const auto add = [&](std::uint32_t u, std::uint32_t v, std::int64_t weight) {
        flows.push_back({u, v, weight});
        if (!directed && u != v) flows.push_back({v, u, weight});
    };
    RawGraph raw;
    std::int64_t least = 0, most = 0;
    if (all_numbers(text, edges, least, most)) {
        const std::int64_t base = least == 0 ? 0 : 1;
        if (base == 1) remarks.emplace_back("its vertices are numbered from 1");
        if (most >= kMostVertices || most - base > 64 * static_cast<std::int64_t>(edges.size()) + 1024)
            text.fail(
                fmt::format("the largest vertex number is {}, which is far more than {} edges can need; number "
                            "the vertices from 0 or 1, or name them, such as v{}",
                            most, edges.size(), most));
        for (const NamedEdge& edge : edges) {
            std::int64_t u = 0, v = 0;
            is_integer(edge.from, u);
            is_integer(edge.to, v);
            add(static_cast<std::uint32_t>(u - base), static_cast<std::uint32_t>(v - base), edge.weight);
        }
        raw = raw_graph(static_cast<std::uint32_t>(most - base + 1), flows);
    } else {
        std::unordered_map<std::string_view, std::uint32_t> number;
        std::vector<std::string> names;
        const auto number_of = [&](std::string_view name) {
            const auto [at, is_new] = number.emplace(name, static_cast<std::uint32_t>(names.size()));
            if (is_new) names.push_back(text_of_cell(name));
            return at->second;
        };
        for (const NamedEdge& edge : edges) {
            const std::uint32_t u = number_of(edge.from), v = number_of(edge.to);
            add(u, v, edge.weight);
        }
        raw = raw_graph(static_cast<std::uint32_t>(names.size()), flows);
        raw.names = std::move(names);
    }
    raw.both_ways = !directed;
    return raw;
}

}  // namespace qapfw::sparse
