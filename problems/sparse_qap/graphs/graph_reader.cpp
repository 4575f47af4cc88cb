// SPDX-License-Identifier: Apache-2.0
#include "problems/sparse_qap/graphs/graph_reader.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "common/metis_reader.hpp"
#include "problems/sparse_qap/graphs/edge_cells.hpp"
#include "problems/sparse_qap/graphs/number_table.hpp"
#include "problems/sparse_qap/graphs/whole_file.hpp"
#include "qapfw/error.hpp"

namespace qapfw::sparse {
namespace {

constexpr const char* kWeightsUnused = "weights of vertices are not used: each location takes one vertex";

std::string small_letters(std::string text) {
    for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
}

/// Returns the numbers of a line, or nothing if the line holds anything else.
std::vector<std::int64_t> numbers_of(TextCursor& line) {
    std::vector<std::int64_t> numbers;
    try {
        while (!line.at_line_end()) numbers.push_back(line.integer("a number"));
    } catch (const Error&) {
        numbers.clear();
    }
    return numbers;
}

/// Guesses the format of a text from its first lines. Used if the name of the text's file does not show the format.
GraphFormat format_of_text(std::string_view head) {
    TextCursor lines(head, "");
    if (!lines.next_line('%', false)) return GraphFormat::kUnknown;
    const std::vector<std::int64_t> first = numbers_of(lines);
    const std::string_view line = head.substr(0, head.find('\n'));
    const bool cells = line.find_first_of(",;") != line.npos && head.find_first_of("0123456789") != head.npos;
    if (first.empty()) return cells ? GraphFormat::kEdgeList : GraphFormat::kUnknown;
    if (first.size() == 1 && first[0] == 0 && lines.next_line('\0', false) && numbers_of(lines).size() == 2)
        return GraphFormat::kScotch;
    return first.size() >= 2 && first.size() <= 4 ? GraphFormat::kMetis : GraphFormat::kUnknown;
}

}  // namespace

GraphFormat graph_format(const std::filesystem::path& path, std::string_view head) {
    std::filesystem::path name = path;
    if (small_letters(name.extension().string()) == ".gz") name = name.stem();
    const std::string ending = small_letters(name.extension().string());
    if (head.starts_with("%%MatrixMarket")) return GraphFormat::kMatrixMarket;
    if (ending == ".graph" || ending == ".metis") return GraphFormat::kMetis;
    if (ending == ".grf" || ending == ".src") return GraphFormat::kScotch;
    if (ending == ".mtx" || ending == ".mm") return GraphFormat::kMatrixMarket;
    if (ending == ".csv" || ending == ".tsv" || ending == ".edges" || ending == ".txt") return GraphFormat::kEdgeList;
    return format_of_text(head);
}

const char* name_of(GraphFormat format) {
    switch (format) {
        case GraphFormat::kMetis:
            return "a METIS graph";
        case GraphFormat::kScotch:
            return "a Scotch graph";
        case GraphFormat::kMatrixMarket:
            return "a MatrixMarket matrix as a graph";
        case GraphFormat::kEdgeList:
            return "a list of edges";
        case GraphFormat::kTable:
            return "a table of flows";
        case GraphFormat::kUnknown:
            break;
    }
    return "no graph";
}

bool has_edges(std::string_view head) {
    const char separator = separator_in(head);
    std::size_t lines = 0;
    bool header = false;  // true: the first line has words instead of numbers, such as names of columns
    while (!head.empty() && lines < 3) {
        const std::size_t end = std::min(head.find('\n'), head.size());
        const std::string_view line = head.substr(0, std::min(end, head.substr(0, end).find_last_not_of(" \t\r") + 1));
        const bool whole = end < head.size();
        head.remove_prefix(std::min(end + 1, head.size()));
        if (line.empty() || line.front() == '#' || line.front() == '%') continue;
        if (lines > 0 && !whole) break;  // the text may have been cut here, within a line
        const EdgeCells cells = edge_cells_of(line, separator);
        if (cells.count < 2 || cells.count > 3 || cells.cell[0].empty() || cells.cell[1].empty()) return false;
        const bool third_is_number = cells.count < 3 || is_number_like(cells.cell[2]);
        if (!third_is_number && lines > 0) return false;
        header = header || (lines == 0 && (!third_is_number || line.find_first_of("0123456789") == line.npos));
        ++lines;
    }
    return lines > (header ? 1 : 0);
}

RawGraph read_metis(TextCursor& text, std::vector<std::string>& remarks) {
    common::MetisGraph metis = common::read_metis(text, kMostVertices);
    if (!metis.weights.empty()) remarks.emplace_back(kWeightsUnused);
    return std::move(metis.edges);
}

/// Reads Scotch's format: "0", then "vertices arcs", then "base flags", then for each vertex "[label] [weight] degree
/// ([weight] end)...".
RawGraph read_scotch(TextCursor& text, std::vector<std::string>& remarks) {
    if (!text.next_line('#', false)) text.fail("a Scotch graph was wanted, but the file is empty");
    text.integer("the version of Scotch's format", 0, 0);
    if (!text.next_line('#', false)) text.fail("the numbers of vertices and arcs are missing: the file ends");
    const std::int64_t n = text.integer("the number of vertices", 1, kMostVertices);
    const std::int64_t arcs = text.integer("the number of arcs", 0, INT64_MAX / 4);
    if (!text.next_line('#', false)) text.fail("the base and the flags are missing: the file ends");
    const std::int64_t base = text.integer("the base of the numbering", 0, 1);
    const std::int64_t flags = text.integer("the flags, three digits 0 or 1", 0, 111);
    if (flags % 10 > 1 || flags / 10 % 10 > 1)
        text.fail(fmt::format("the flags must be digits 0 or 1, found {}", flags));
    const bool labels = flags >= 100, edge_weights = flags / 10 % 10 == 1, vertex_weights = flags % 10 == 1;
    text.require_bytes(n, 2, "vertices");
    text.require_bytes(arcs, edge_weights ? 4 : 2, "arcs");
    RawGraph raw;
    raw.n = static_cast<std::uint32_t>(n);
    raw.both_ways = true;
    raw.offsets.push_back(0);
    raw.to.reserve(static_cast<std::size_t>(arcs));
    raw.weight.reserve(static_cast<std::size_t>(arcs));
    for (std::int64_t u = 0; u < n; ++u) {
        if (!text.next_line('#', false))
            text.fail(fmt::format("the header promises {} vertices, but the file has lines for {}", n, u));
        if (labels) raw.names.push_back(std::to_string(text.integer("a vertex's label")));
        if (vertex_weights) text.integer("the weight of a vertex");
        const std::int64_t degree = text.integer("a vertex's degree", 0, arcs);
        for (std::int64_t k = 0; k < degree; ++k) {
            raw.weight.push_back(edge_weights ? common::edge_weight(text) : 1);
            raw.to.push_back(static_cast<std::uint32_t>(text.integer("an arc's end", base, base + n - 1) - base));
        }
        if (!text.at_line_end())
            text.fail(fmt::format("the vertex has degree {}, but the line has more words", degree));
        raw.offsets.push_back(raw.to.size());
    }
    text.require_count(raw.to.size(), arcs, "arcs");
    if (vertex_weights) remarks.emplace_back(kWeightsUnused);
    return raw;
}

/// Reads the coordinate format. General entries are flows in one direction; symmetric entries are flows in both.
RawGraph read_matrix_market(TextCursor& text) {
    if (!text.next_line('\0', false)) text.fail("a MatrixMarket header was wanted, but the file is empty");
    const std::string header = small_letters(std::string(text.rest_of_line()));
    const auto has = [&](const char* word) { return header.find(word) != std::string::npos; };
    if (!header.starts_with("%%matrixmarket matrix coordinate"))
        text.fail("a header \"%%MatrixMarket matrix coordinate ...\" was wanted, found \"" + header.substr(0, 60) +
                  "\"");
    if (has("complex") || has("hermitian") || has("skew"))
        text.fail("real, integer or pattern entries were wanted, general or symmetric; found \"" +
                  header.substr(0, 60) + "\"");
    const bool pattern = has("pattern"), symmetric = has("symmetric");
    if (!text.next_line('%', false)) text.fail("the line \"rows columns entries\" is missing: the file ends");
    const std::int64_t n = text.integer("the number of rows", 1, kMostVertices);
    const std::int64_t columns = text.integer("the number of columns", 1, kMostVertices);
    if (n != columns) text.fail(fmt::format("a square matrix was wanted, found {} rows and {} columns", n, columns));
    const std::int64_t entries = text.integer("the number of entries", 0, INT64_MAX / 8);
    text.require_bytes(entries, pattern ? 4 : 6, "entries");
    if (n > 64 * entries + 1024)
        text.fail(fmt::format("{} rows are too many for {} entries: most vertices would have no edges", n, entries));
    std::vector<Flow> flows;
    flows.reserve(static_cast<std::size_t>(symmetric ? 2 * entries : entries));
    for (std::int64_t k = 0; k < entries; ++k) {
        if (!text.next_line('%', false))
            text.fail(fmt::format("the header promises {} entries, but the file has {}", entries, k));
        const auto i = static_cast<std::uint32_t>(text.integer("a row's number", 1, n) - 1);
        const auto j = static_cast<std::uint32_t>(text.integer("a column's number", 1, n) - 1);
        const std::int64_t weight = pattern ? 1 : text.whole_number("the entry's value");
        if (!text.at_line_end())
            text.fail(pattern ? "an entry \"row column\" was wanted, but the line has more words"
                              : "an entry \"row column value\" was wanted, but the line has more words");
        flows.push_back({i, j, weight});
        if (symmetric && i != j) flows.push_back({j, i, weight});
    }
    if (text.next_line('%', false))
        text.fail(fmt::format("the header promises {} entries, but more lines follow them", entries));
    RawGraph raw = raw_graph(static_cast<std::uint32_t>(n), flows);
    raw.both_ways = symmetric;
    return raw;
}

RawGraph read_flow_table(TextCursor& text) {
    constexpr std::uint32_t kMostRows = 32768;
    NumberTable table = read_number_table(text, "flow", kMostRows);
    std::vector<Flow> flows;
    flows.reserve(table.entries.size());
    for (const NumberTable::Entry& entry : table.entries)
        flows.push_back({static_cast<std::uint32_t>(entry.index / table.n),
                         static_cast<std::uint32_t>(entry.index % table.n), entry.value});
    RawGraph raw = raw_graph(table.n, flows);
    raw.names = std::move(table.names);
    return raw;
}

ReadGraph read_graph_text(std::string_view text, const std::string& source, GraphFormat format, bool directed) {
    ReadGraph read;
    TextCursor cursor(text, source);
    RawGraph raw;
    switch (format) {
        case GraphFormat::kMetis:
            raw = read_metis(cursor, read.remarks);
            break;
        case GraphFormat::kScotch:
            raw = read_scotch(cursor, read.remarks);
            break;
        case GraphFormat::kMatrixMarket:
            raw = read_matrix_market(cursor);
            break;
        case GraphFormat::kTable:
            raw = read_flow_table(cursor);
            break;
        case GraphFormat::kEdgeList:
            raw = read_edge_list(cursor, directed, read.remarks);
            break;
        default:
            throw Error(ErrorKind::kInput,
                        source +
                            ": a graph was wanted: METIS (.graph), Scotch (.grf), MatrixMarket (.mtx), a list of "
                            "edges or a table (.csv)");
    }
    read.graph = make_graph(std::move(raw), source);
    if (read.graph.loops > 0)
        read.remarks.push_back(fmt::format(
            "edges left out, since they lead from a vertex to itself and cost nothing: {}", read.graph.loops));
    if (read.graph.parallel > 0)
        read.remarks.push_back(fmt::format("parallel edges whose weights were added up: {}", read.graph.parallel));
    return read;
}

ReadGraph read_graph(const std::filesystem::path& path, bool directed) {
    const std::string text = read_whole_file(path);
    const std::string_view head = std::string_view(text).substr(0, 4096);
    GraphFormat format = graph_format(path, head);
    const bool lines_decide = format == GraphFormat::kEdgeList || format == GraphFormat::kUnknown;
    if (lines_decide && looks_like_table(head)) format = GraphFormat::kTable;
    return read_graph_text(text, path.string(), format, directed);
}

}  // namespace qapfw::sparse
