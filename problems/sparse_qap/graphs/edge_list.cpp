// SPDX-License-Identifier: Apache-2.0
// Lists of edges: a line "u,v" or "u,v,weight" for each, with a header or without. Ends are numbers or names.
#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <unordered_map>

#include "problems/sparse_qap/graphs/graph_reader.hpp"

namespace qapfw::sparse {
namespace {

struct NamedEdge {
    std::string_view from, to;
    std::int64_t weight;
};

std::string_view without_quotes(std::string_view cell) {
    while (!cell.empty() && (cell.front() == ' ' || cell.front() == '\t')) cell.remove_prefix(1);
    while (!cell.empty() && (cell.back() == ' ' || cell.back() == '\t')) cell.remove_suffix(1);
    if (cell.size() >= 2 && cell.front() == '"' && cell.back() == '"') cell = cell.substr(1, cell.size() - 2);
    return cell;
}

/// Cells of a line that commas, semicolons, tabs or blanks part.
std::vector<std::string_view> cells_of(std::string_view line) {
    const char separators[] = {',', ';', '\t', ' '};
    const char* const found =
        std::find_if(std::begin(separators), std::end(separators), [&](char c) { return line.find(c) != line.npos; });
    std::vector<std::string_view> cells;
    if (found == std::end(separators)) return {without_quotes(line)};
    while (true) {
        const std::size_t end = line.find(*found);
        const std::string_view cell = without_quotes(line.substr(0, end));
        if (*found != ' ' || !cell.empty()) cells.push_back(cell);
        if (end == line.npos) return cells;
        line.remove_prefix(end + 1);
    }
}

bool is_integer(std::string_view text, std::int64_t& value) {
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    return !text.empty() && read.ec == std::errc() && read.ptr == text.data() + text.size();
}

NamedEdge edge_of(TextCursor& text, const std::vector<std::string_view>& cells) {
    if (cells.size() < 2 || cells.size() > 3)
        text.fail(fmt::format("an edge \"u,v,weight\" was wanted, found {} cells", cells.size()));
    if (cells[0].empty() || cells[1].empty()) text.fail("an edge \"u,v,weight\" was wanted, an end is empty");
    NamedEdge edge{cells[0], cells[1], 1};
    if (cells.size() == 3 && !is_integer(cells[2], edge.weight)) {
        TextCursor number(cells[2], "");
        number.next_line('\0', true);
        try {
            edge.weight = number.whole_number("the weight of an edge");
        } catch (const std::exception&) {
            text.fail(
                fmt::format("the weight of an edge was wanted, a whole number; found \"{}\"; multiply all weights "
                            "until they are whole",
                            std::string(cells[2].substr(0, 40))));
        }
    }
    return edge;
}

/// Whole numbers stand for themselves if all ends are such: then the list may start from 0 or 1.
bool all_numbers(const std::vector<NamedEdge>& edges, std::int64_t& least, std::int64_t& most) {
    least = std::numeric_limits<std::int64_t>::max();
    most = std::numeric_limits<std::int64_t>::min();
    for (const NamedEdge& edge : edges) {
        for (const std::string_view end : {edge.from, edge.to}) {
            std::int64_t value = 0;
            if (!is_integer(end, value)) return false;
            least = std::min(least, value);
            most = std::max(most, value);
        }
    }
    return least >= 0;
}

}  // namespace

RawGraph read_edge_list(TextCursor& text, bool directed) {
    std::vector<NamedEdge> edges;
    bool first = true;
    while (text.next_line('#', false)) {
        const auto cells = cells_of(text.rest_of_line());
        std::int64_t ignored = 0;
        // A header has no number where others have one: in the last cell.
        const bool header = first && cells.size() >= 2 && !is_integer(cells.back(), ignored) &&
                            (cells.size() == 3 || !is_integer(cells[0], ignored));
        first = false;
        if (!header) edges.push_back(edge_of(text, cells));
    }
    if (edges.empty()) text.fail("a list of edges \"u,v,weight\" was wanted, the file has none");
    std::vector<Flow> flows;
    flows.reserve(directed ? edges.size() : 2 * edges.size());
    const auto add = [&](std::uint32_t u, std::uint32_t v, std::int64_t weight) {
        flows.push_back({u, v, weight});
        if (!directed && u != v) flows.push_back({v, u, weight});
    };
    std::int64_t least = 0, most = 0;
    if (all_numbers(edges, least, most)) {
        const std::int64_t base = least == 0 ? 0 : 1;
        if (most >= kMostVertices || most - base > 64 * static_cast<std::int64_t>(edges.size()) + 1024)
            text.fail(fmt::format("the largest vertex number is {}, which is far more than {} edges can need", most,
                                  edges.size()));
        for (const NamedEdge& edge : edges) {
            std::int64_t u = 0, v = 0;
            is_integer(edge.from, u);
            is_integer(edge.to, v);
            add(static_cast<std::uint32_t>(u - base), static_cast<std::uint32_t>(v - base), edge.weight);
        }
        return raw_graph(static_cast<std::uint32_t>(most - base + 1), flows);
    }
    std::unordered_map<std::string_view, std::uint32_t> number;
    std::vector<std::string> names;
    const auto number_of = [&](std::string_view name) {
        const auto [at, is_new] = number.emplace(name, static_cast<std::uint32_t>(names.size()));
        if (is_new) names.emplace_back(name);
        return at->second;
    };
    for (const NamedEdge& edge : edges) {
        const std::uint32_t u = number_of(edge.from), v = number_of(edge.to);
        add(u, v, edge.weight);
    }
    RawGraph raw = raw_graph(static_cast<std::uint32_t>(names.size()), flows);
    raw.names = std::move(names);
    return raw;
}

}  // namespace qapfw::sparse
