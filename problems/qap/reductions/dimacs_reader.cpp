// SPDX-License-Identifier: Apache-2.0
// Reader of DIMACS edge lists, see graph.hpp.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <tuple>

#include "problems/qap/instances/matrix_entry.hpp"
#include "problems/qap/reductions/graph.hpp"
#include "problems/qap/reductions/line_scanner.hpp"
#include "problems/qap/setup.hpp"

namespace qapfw::qap {
namespace {

constexpr int64_t kMaxEdges = int64_t{kMaxSize} * kMaxSize;

/// The line "p edge N M".
struct ProblemLine {
    uint32_t n = 0;
    int64_t stated_edges = 0;
    TextPosition stated_at;
};

/// A line "e U V [weight]" as written.
struct ListedEdge {
    uint32_t from = 0, to = 0;
    int64_t weight = 1;
    TextPosition at;

    std::pair<uint32_t, uint32_t> ends() const { return std::minmax(from, to); }
};

class DimacsReader {
  public:
    DimacsReader(std::string_view text, const std::string& source) : lines_(text, source) {}

    Graph read() {
        while (const std::optional<Token> first = lines_.next()) read_line(*first);
        if (!problem_) lines_.fail(lines_.position(), "the line \"p edge N M\" was wanted, but the text ends");
        Graph graph;
        graph.n = problem_->n;
        graph.weighted = weighted_;
        graph.edges = unite_directions();
        require_stated_number(graph.edges.size());
        return graph;
    }

  private:
    void read_line(const Token& first) {
        const std::vector<Token> fields = lines_.rest_of_line(first);
        if (first.text == "c") return;
        if (first.text == "p") return read_problem(first, fields);
        if (first.text == "e") return read_edge(first, fields);
        lines_.fail(first.at, fmt::format("a line that begins with c, p or e was wanted; this one begins with {}",
                                          quote_token(first.text)));
    }

    void read_problem(const Token& first, const std::vector<Token>& fields) {
        if (problem_) lines_.fail(first.at, "the line p comes a second time");
        if (fields.size() != 3 || (fields[0].text != "edge" && fields[0].text != "col")) {
            lines_.fail(first.at, "\"p edge N M\" was wanted: the numbers of vertices and of edges");
        }
        problem_ =
            ProblemLine{parse_size(fields[1], lines_.source(), "the number of vertices"),
                        parse_whole(fields[2], lines_.source(), "the number of edges", 0, kMaxEdges), fields[2].at};
    }

    void read_edge(const Token& first, const std::vector<Token>& fields) {
        if (!problem_) lines_.fail(first.at, "the line \"p edge N M\" was wanted before the edges");
        if (fields.size() < 2 || fields.size() > 3) {
            lines_.fail(
                first.at,
                fmt::format("\"e U V\" or \"e U V weight\" was wanted, but the number of words after the e is {}",
                            fields.size()));
        }
        ListedEdge edge{vertex(fields[0]), vertex(fields[1]), 1, first.at};
        if (edge.from == edge.to) {
            lines_.fail(fields[1].at, fmt::format("the edge from vertex {} to itself is a loop, which has no meaning",
                                                  edge.from + 1));
        }
        if (fields.size() == 3) {
            edge.weight = parse_whole(fields[2], lines_.source(), "the weight of an edge", 1, kMaxEdgeWeight);
            weighted_ = true;
        }
        listed_.push_back(edge);
    }

    uint32_t vertex(const Token& token) const {
        return static_cast<uint32_t>(parse_whole(token, lines_.source(), "a vertex", 1, problem_->n) - 1);
    }

    /// Returns each edge once. Fails if an edge is repeated, or if only some edges are listed in both directions.
    std::vector<Edge> unite_directions() {
        std::vector<ListedEdge> sorted = listed_;
        std::stable_sort(sorted.begin(), sorted.end(),
                         [](const auto& x, const auto& y) { return x.ends() < y.ends(); });
        std::vector<Edge> out;
        const ListedEdge* reversed = nullptr;
        for (std::size_t k = 0; k < sorted.size(); ++k) {
            const auto [u, v] = sorted[k].ends();
            if (k == 0 || sorted[k - 1].ends() != sorted[k].ends()) {
                out.push_back({u, v, sorted[k].weight});
                continue;
            }
            require_reverse(sorted, k);
            if (reversed == nullptr || sorted[k].at.line < reversed->at.line) reversed = &sorted[k];
        }
        if (reversed != nullptr && sorted.size() != 2 * out.size()) {
            lines_.fail(reversed->at, fmt::format("the edge {} {} is listed in both directions, but others are not; "
                                                  "list all edges once, or all in both directions",
                                                  reversed->from + 1, reversed->to + 1));
        }
        return out;
    }

    /// Fails unless the listed edge k is the listed edge k - 1 in the other direction, with the same weight. The caller
    /// has checked that both edges have the same two ends.
    void require_reverse(const std::vector<ListedEdge>& sorted, std::size_t k) const {
        const ListedEdge& edge = sorted[k];
        const ListedEdge& earlier = sorted[k - 1];
        const bool third = k >= 2 && sorted[k - 2].ends() == edge.ends();
        if (third || edge.from == earlier.from) {
            lines_.fail(edge.at, fmt::format("the edge {} {} is listed already in line {}", edge.from + 1, edge.to + 1,
                                             sorted[third ? k - 2 : k - 1].at.line));
        }
        if (edge.weight != earlier.weight) {
            lines_.fail(edge.at, fmt::format("the edge {} {} has weight {}, but {} in line {}", edge.from + 1,
                                             edge.to + 1, edge.weight, earlier.weight, earlier.at.line));
        }
    }

    /// Fails if the file states a wrong number of edges. The number may be `edges` or the number of lines with an edge,
    /// because a file may list an edge in both directions.
    void require_stated_number(std::size_t edges) const {
        const auto stated = static_cast<std::size_t>(problem_->stated_edges);
        if (stated == listed_.size() || stated == edges) return;
        lines_.fail(problem_->stated_at,
                    fmt::format("{} edges are stated here, but the text lists {}", stated, listed_.size()));
    }

    LineScanner lines_;
    std::optional<ProblemLine> problem_;
    std::vector<ListedEdge> listed_;
    bool weighted_ = false;
};

}  // namespace

Graph read_dimacs(std::string_view text, const std::string& source) {
    return DimacsReader(text, source).read();
}

std::vector<int64_t> Graph::matrix(uint32_t size) const {
    std::vector<int64_t> out = set_up_matrix(size);
    for (const Edge& edge : edges) {
        out[std::size_t{edge.u} * size + edge.v] = edge.weight;
        out[std::size_t{edge.v} * size + edge.u] = edge.weight;
    }
    return out;
}

std::string Graph::summary() const {
    return fmt::format("{} vertices, {} {}edges", n, edges.size(), weighted ? "weighted " : "");
}

}  // namespace qapfw::qap
