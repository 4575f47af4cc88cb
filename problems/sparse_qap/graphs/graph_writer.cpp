// SPDX-License-Identifier: Apache-2.0
#include "problems/sparse_qap/graphs/graph_writer.hpp"

#include <fmt/format.h>

#include <iterator>

#include "qapfw/error.hpp"

namespace qapfw::sparse {
namespace {

/// Calls body(end, weight of the edge) for each arc of a vertex.
template <class Body>
void for_arcs(const Graph& graph, std::uint32_t u, Body&& body) {
    for (std::uint64_t k = graph.offsets[u]; k < graph.offsets[u + 1]; ++k) body(graph.arcs[k].to, graph.weight(k) / 2);
}

std::string metis(const Graph& graph, bool weighted) {
    std::string text = fmt::format("{} {}{}\n", graph.n, graph.edges(), weighted ? " 1" : "");
    for (std::uint32_t u = 0; u < graph.n; ++u) {
        const char* blank = "";
        for_arcs(graph, u, [&](std::uint32_t v, std::int64_t weight) {
            fmt::format_to(std::back_inserter(text), "{}{}", blank, v + 1);
            if (weighted) fmt::format_to(std::back_inserter(text), " {}", weight);
            blank = " ";
        });
        text += '\n';
    }
    return text;
}

std::string scotch(const Graph& graph, bool weighted) {
    std::string text = fmt::format("0\n{}\t{}\n0\t{}\n", graph.n, graph.arcs.size(), weighted ? "010" : "000");
    for (std::uint32_t u = 0; u < graph.n; ++u) {
        fmt::format_to(std::back_inserter(text), "{}", graph.degree(u));
        for_arcs(graph, u, [&](std::uint32_t v, std::int64_t weight) {
            if (weighted) fmt::format_to(std::back_inserter(text), "\t{}", weight);
            fmt::format_to(std::back_inserter(text), "\t{}", v);
        });
        text += '\n';
    }
    return text;
}

/// Writes the lower triangle, as the format demands.
std::string matrix_market(const Graph& graph, bool weighted) {
    std::string text = fmt::format("%%MatrixMarket matrix coordinate {} symmetric\n{} {} {}\n",
                                   weighted ? "integer" : "pattern", graph.n, graph.n, graph.edges());
    for (std::uint32_t u = 0; u < graph.n; ++u) {
        for_arcs(graph, u, [&](std::uint32_t v, std::int64_t weight) {
            if (v > u) return;
            fmt::format_to(std::back_inserter(text), "{} {}", u + 1, v + 1);
            if (weighted) fmt::format_to(std::back_inserter(text), " {}", weight);
            text += '\n';
        });
    }
    return text;
}

/// Returns a name as a cell, in quotes if it has a comma, semicolon, tab or quote, or a blank at an end.
std::string quoted_name(const std::string& name) {
    if (name.find_first_of(",;\t\"") == name.npos && !name.starts_with(' ') && !name.ends_with(' ')) return name;
    std::string cell = "\"";
    for (const char c : name) cell += c == '"' ? "\"\"" : std::string(1, c);
    return cell + "\"";
}

/// Writes a list of edges, with the vertices' names if there are any, else with numbers from 0. A vertex without edges
/// gets a line that joins it to itself, so that it is not lost.
std::string edges(const Graph& graph) {
    std::string text = "from,to,weight\n";
    const auto name = [&](std::uint32_t v) {
        return v < graph.names.size() ? quoted_name(graph.names[v]) : std::to_string(v);
    };
    for (std::uint32_t u = 0; u < graph.n; ++u) {
        if (graph.degree(u) == 0) text += fmt::format("{0},{0},0\n", name(u));
        for_arcs(graph, u, [&](std::uint32_t v, std::int64_t weight) {
            if (v > u) fmt::format_to(std::back_inserter(text), "{},{},{}\n", name(u), name(v), weight);
        });
    }
    return text;
}

}  // namespace

const char* ending_of(GraphFormat format) {
    switch (format) {
        case GraphFormat::kScotch:
            return ".grf";
        case GraphFormat::kMatrixMarket:
            return ".mtx";
        case GraphFormat::kEdgeList:
            return ".csv";
        default:
            return ".graph";
    }
}

std::string graph_text(const Graph& graph, GraphFormat format) {
    if (graph.directed)
        throw Error(ErrorKind::kUsage, "flows that differ in the two directions cannot be written as a graph");
    bool weighted = false;
    for (std::uint64_t k = 0; k < graph.arcs.size(); ++k) weighted = weighted || graph.weight(k) != 2;
    switch (format) {
        case GraphFormat::kScotch:
            return scotch(graph, weighted);
        case GraphFormat::kMatrixMarket:
            return matrix_market(graph, weighted);
        case GraphFormat::kEdgeList:
            return edges(graph);
        default:
            return metis(graph, weighted);
    }
}

}  // namespace qapfw::sparse
