// SPDX-License-Identifier: Apache-2.0
#include "problems/qap/instances/sparse_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <vector>

namespace qapfw::qap {

namespace {

constexpr std::string_view kMarketHead = "%%MatrixMarket";

struct TokenLine {
    std::vector<Token> tokens;
    uint32_t number = 1;
};

/// The lines of the text without comments (lines that start with %) and without empty lines at the end. Other empty
/// lines are kept: in a METIS file, they are vertices without neighbours.
std::vector<TokenLine> lines_of(std::string_view text) {
    std::vector<TokenLine> lines;
    text = without_byte_order_mark(text);
    for (uint32_t number = 1; !text.empty(); ++number) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view content = text.substr(0, end);
        if (!content.starts_with('%')) {
            TokenLine line{{}, number};
            for (std::size_t begin = content.find_first_not_of(kBlanks); begin != std::string_view::npos;) {
                const std::size_t stop = std::min(content.find_first_of(kBlanks, begin), content.size());
                line.tokens.push_back(
                    {content.substr(begin, stop - begin), {number, static_cast<uint32_t>(begin) + 1}});
                begin = content.find_first_not_of(kBlanks, stop);
            }
            lines.push_back(std::move(line));
        }
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    while (!lines.empty() && lines.back().tokens.empty()) lines.pop_back();
    return lines;
}

std::optional<uint32_t> whole(std::string_view text) {
    uint32_t value = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    if (read.ec != std::errc() || read.ptr != text.data() + text.size()) return std::nullopt;
    return value;
}

struct Metis {
    uint32_t vertices = 0, edges = 0;
    bool edge_weights = false;
    std::size_t skipped = 0;  // how many numbers (size, weights) a vertex's line has before the neighbours
    std::vector<TokenLine> lines;
};

/// Parses a METIS graph; nothing for other texts. The numbers of vertices and edges in the header must fit the other
/// lines, so a table is not mistaken for a graph.
std::optional<Metis> metis_of(std::string_view text) {
    Metis out;
    out.lines = lines_of(text);
    if (out.lines.empty() || out.lines[0].tokens.size() < 2 || out.lines[0].tokens.size() > 4) return std::nullopt;
    const auto& head = out.lines[0].tokens;
    const auto vertices = whole(head[0].text), edges = whole(head[1].text);
    if (!vertices || !edges || *vertices < 1 || *vertices > kMaxSize) return std::nullopt;
    const std::string_view format = head.size() > 2 ? head[2].text : "0";
    if (format.size() > 3 || format.find_first_not_of("01") != std::string_view::npos) return std::nullopt;
    out.vertices = *vertices;
    out.edges = *edges;
    out.edge_weights = format.back() == '1';
    const bool sizes = format.size() == 3 && format[0] == '1',
               weights = format.size() >= 2 && format[format.size() - 2] == '1';
    const std::optional<uint32_t> constraints = head.size() > 3 ? whole(head[3].text) : weights ? 1u : 0u;
    if (!constraints) return std::nullopt;
    out.skipped = (sizes ? 1 : 0) + *constraints;
    if (out.lines.size() > std::size_t{*vertices} + 1) return std::nullopt;
    std::size_t numbers = 0;
    for (std::size_t k = 1; k < out.lines.size(); ++k) {
        const std::size_t count = out.lines[k].tokens.size();
        if (count < out.skipped) return std::nullopt;
        numbers += count - out.skipped;
        for (const Token& token : out.lines[k].tokens) {
            if (!whole(token.text)) return std::nullopt;
        }
    }
    if (numbers != std::size_t{2} * *edges * (out.edge_weights ? 2 : 1) || numbers == 0) return std::nullopt;
    return out;
}

/// Returns the numbers of vertices and edges if the text is a Scotch graph, else nothing. The first three lines of
/// such a text are: version 0; the numbers of vertices and arcs; the base number and a word of three flags.
std::optional<std::pair<uint32_t, uint32_t>> scotch_of(std::string_view text) {
    const std::vector<TokenLine> lines = lines_of(text);
    const auto holds = [&](std::size_t line, std::size_t tokens) {
        return lines.size() > line && lines[line].tokens.size() == tokens;
    };
    if (!holds(0, 1) || !holds(1, 2) || !holds(2, 2) || lines[0].tokens[0].text != "0") return std::nullopt;
    const auto vertices = whole(lines[1].tokens[0].text), arcs = whole(lines[1].tokens[1].text);
    const std::string_view flags = lines[2].tokens[1].text;
    if (!vertices || !arcs || flags.size() != 3 || flags.find_first_not_of("01") != flags.npos) return std::nullopt;
    return std::pair{*vertices, *arcs / 2};
}

/// Returns the numbers of edges and nodes if each line has exactly two whole numbers and the text is no 2 x 2 matrix.
std::optional<std::pair<std::size_t, std::size_t>> plain_edges(std::string_view text) {
    const std::vector<TokenLine> lines = lines_of(text);
    if (lines.size() < 2) return std::nullopt;
    std::vector<uint32_t> nodes;
    for (const TokenLine& line : lines) {
        if (line.tokens.size() != 2) return std::nullopt;
        for (const Token& token : line.tokens) {
            const auto node = whole(token.text);
            if (!node) return std::nullopt;
            nodes.push_back(*node);
        }
    }
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    const bool is_matrix = lines.size() == 2;  // two lines of two numbers are read as a 2 x 2 matrix
    if (is_matrix) return std::nullopt;
    return std::pair{lines.size(), nodes.size()};
}

LabelledMatrix read_metis(const Metis& graph, const NamedText& named, MatrixId id) {
    LabelledMatrix out;
    out.matrix = NumberMatrix(graph.vertices, graph.vertices);
    const std::size_t step = graph.edge_weights ? 2 : 1;
    for (std::size_t k = 1; k < graph.lines.size(); ++k) {
        const auto& tokens = graph.lines[k].tokens;
        for (std::size_t j = graph.skipped; j + step <= tokens.size(); j += step) {
            const auto neighbour = whole(tokens[j].text);
            if (!neighbour || *neighbour < 1 || *neighbour > graph.vertices) {
                fail_at(named.source, tokens[j].at,
                        fmt::format("a vertex from 1 to {} was wanted, not {}", graph.vertices,
                                    quote_token(tokens[j].text)));
            }
            const Token weight = graph.edge_weights ? tokens[j + 1] : Token{"1", tokens[j].at};
            out.matrix.set(static_cast<uint32_t>(k - 1), *neighbour - 1, weight, named.source, id);
        }
    }
    return out;
}

LabelledMatrix read_market(const NamedText& named, MatrixId id) {
    const std::string_view text = without_byte_order_mark(named.text);
    const std::string head(text.substr(0, text.find('\n')));
    const auto has = [&](const char* word) { return head.find(word) != std::string::npos; };
    if (!has("matrix") || has("complex")) fail_at(named.source, {}, "a MatrixMarket matrix of real numbers was wanted");
    const bool array = has("array"), pattern = has("pattern"), skew = has("skew-symmetric");
    const bool symmetric = !skew && has("symmetric");
    std::vector<TokenLine> lines = lines_of(text);
    std::erase_if(lines, [](const TokenLine& line) { return line.tokens.empty(); });
    if (lines.empty() || lines[0].tokens.size() != (array ? 2u : 3u))
        fail_at(named.source, lines.empty() ? TextPosition{} : lines[0].tokens[0].at,
                "a line with the sizes of the matrix was wanted");
    const uint32_t rows = parse_size(lines[0].tokens[0], named.source, "the number of rows");
    const uint32_t columns = parse_size(lines[0].tokens[1], named.source, "the number of columns");
    if (rows != columns)
        fail_at(named.source, lines[0].tokens[0].at,
                fmt::format("a square matrix was wanted, but this one is {} x {}", rows, columns));
    LabelledMatrix out;
    out.matrix = NumberMatrix(rows, rows);
    const auto put = [&](uint32_t i, uint32_t j, const Token& value) {
        out.matrix.set(i, j, value, named.source, id);
        if (i != j && symmetric) out.matrix.set(j, i, value, named.source, id);
        if (i != j && skew) {
            const std::string negated =
                value.text.starts_with('-') ? std::string(value.text.substr(1)) : "-" + std::string(value.text);
            out.matrix.set(j, i, {negated, value.at}, named.source, id);
        }
    };
    std::size_t next = 0;
    for (std::size_t k = 1; k < lines.size(); ++k) {
        const auto& tokens = lines[k].tokens;
        if (array) {
            for (const Token& token : tokens) {
                // The text lists entries column by column, and only the lower triangle of a symmetric matrix.
                std::size_t column = 0, left = next;
                const auto length = [&](std::size_t c) { return symmetric || skew ? rows - c - (skew ? 1 : 0) : rows; };
                while (column < rows && left >= length(column)) left -= length(column++);
                if (column == rows) fail_at(named.source, token.at, "trailing data after the last entry of the matrix");
                const std::size_t row = left + (symmetric || skew ? column + (skew ? 1 : 0) : 0);
                put(static_cast<uint32_t>(row), static_cast<uint32_t>(column), token);
                ++next;
            }
            continue;
        }
        if (tokens.size() != (pattern ? 2u : 3u))
            fail_at(named.source, tokens[0].at,
                    fmt::format("a line \"row column{}\" was wanted", pattern ? "" : " entry"));
        const uint32_t i = parse_size(tokens[0], named.source, "the row"),
                       j = parse_size(tokens[1], named.source, "the column");
        if (i > rows || j > rows)
            fail_at(named.source, tokens[0].at,
                    fmt::format("the entry lies outside the matrix, which has {0} rows and {0} columns", rows));
        put(i - 1, j - 1, pattern ? Token{"1", tokens[0].at} : tokens[2]);
    }
    return out;
}

}  // namespace

std::string sparse_text_description(std::string_view text) {
    if (without_byte_order_mark(text).starts_with(kMarketHead)) return "a MatrixMarket matrix";
    if (const auto graph = metis_of(text))
        return fmt::format("a METIS graph of {} vertices and {} edges", graph->vertices, graph->edges);
    if (const auto graph = scotch_of(text))
        return fmt::format("a Scotch graph of {} vertices and {} edges", graph->first, graph->second);
    if (const auto edges = plain_edges(text))
        return fmt::format("a list of {} edges between {} nodes", edges->first, edges->second);
    return {};
}

std::optional<LabelledMatrix> read_sparse_text(const NamedText& named, MatrixId id) {
    if (without_byte_order_mark(named.text).starts_with(kMarketHead)) return read_market(named, id);
    if (const auto graph = metis_of(named.text)) return read_metis(*graph, named, id);
    return std::nullopt;
}

}  // namespace qapfw::qap
