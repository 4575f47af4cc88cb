// SPDX-License-Identifier: Apache-2.0
// Targets that are read from a file: points, a table of distances, or a graph whose shortest paths are the distances.
#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <numeric>
#include <queue>

#include "problems/sparse_qap/graphs/edge_cells.hpp"
#include "problems/sparse_qap/graphs/graph_reader.hpp"
#include "problems/sparse_qap/graphs/number_table.hpp"
#include "problems/sparse_qap/graphs/whole_file.hpp"
#include "problems/sparse_qap/targets/distance.hpp"
#include "problems/sparse_qap/targets/target.hpp"
#include "qapfw/error.hpp"

namespace qapfw::sparse {
namespace {

/// Largest n of a table of distances, which has n x n entries. Larger tables are refused, and so are
/// graphs with more vertices.
constexpr std::uint32_t kMostInTable = 10'000;
constexpr std::int64_t kFar = std::numeric_limits<std::int64_t>::max();

std::vector<std::string_view> point_cells(std::string_view line) {
    std::vector<std::string_view> cells;
    const bool commas = line.find_first_of(",;\t") != line.npos;
    while (true) {
        const std::size_t end = line.find_first_of(commas ? ",;\t" : " ");
        std::string_view cell = line.substr(0, end);
        while (!cell.empty() && cell.front() == ' ') cell.remove_prefix(1);
        while (!cell.empty() && cell.back() == ' ') cell.remove_suffix(1);
        if (commas || !cell.empty()) cells.push_back(cell);
        if (end == line.npos) return cells;
        line.remove_prefix(end + 1);
    }
}

std::optional<double> real_in(std::string_view text) {
    double value = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || read.ec != std::errc() || read.ptr != text.data() + text.size() || !std::isfinite(value))
        return std::nullopt;
    return value;
}

/// Computes the lengths of the shortest paths from one vertex.
void shortest_paths(const Graph& graph, std::uint32_t from, std::int64_t* distance) {
    std::fill_n(distance, graph.n, kFar);
    using Entry = std::pair<std::int64_t, std::uint32_t>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
    distance[from] = 0;
    queue.emplace(0, from);
    while (!queue.empty()) {
        const auto [so_far, u] = queue.top();
        queue.pop();
        if (so_far > distance[u]) continue;
        for (std::uint64_t k = graph.offsets[u]; k < graph.offsets[u + 1]; ++k) {
            const std::int64_t next = so_far + graph.weight(k) / 2;
            if (next >= distance[graph.arcs[k].to]) continue;
            distance[graph.arcs[k].to] = next;
            queue.emplace(next, graph.arcs[k].to);
        }
    }
}

/// Computes the lengths of the shortest paths from one vertex if each edge has length 1.
void count_hops(const Graph& graph, std::uint32_t from, std::vector<std::uint32_t>& queue, std::int64_t* distance) {
    std::fill_n(distance, graph.n, kFar);
    queue.assign(1, from);
    distance[from] = 0;
    for (std::size_t head = 0; head < queue.size(); ++head) {
        const std::uint32_t u = queue[head];
        for (std::uint64_t k = graph.offsets[u]; k < graph.offsets[u + 1]; ++k) {
            const std::uint32_t v = graph.arcs[k].to;
            if (distance[v] != kFar) continue;
            distance[v] = distance[u] + 1;
            queue.push_back(v);
        }
    }
}

}  // namespace

/// Reads "FILE,l1[,scale]" or "FILE,l2[,scale]". The file has lines "x,y" or "name,x,y". Coordinates are multiplied by
/// the scale and rounded to whole numbers.
void Target::make_points(std::string_view text, const std::function<std::filesystem::path(const std::string&)>& find) {
    const auto parts = [&] {
        std::vector<std::string> all;
        for (const std::string_view cell : point_cells(text)) all.emplace_back(cell);
        return all;
    }();
    if (parts.size() < 2 || parts.size() > 3 || (parts[1] != "l1" && parts[1] != "l2"))
        fail("points:FILE.csv,l1 or points:FILE.csv,l2 was wanted; a scale for coordinates may follow, as in l2,100");
    double scale = 1;
    if (parts.size() == 3) {
        const auto given = real_in(parts[2]);
        if (!given || *given <= 0) fail(fmt::format("a scale above 0 was wanted, found \"{}\"", parts[2]));
        scale = *given;
    }
    const std::filesystem::path file = find(parts[0]);
    const std::string content = read_whole_file(file);
    TextCursor cursor(content, file.string());
    data_.metric = parts[1] == "l1" ? Metric::kManhattan : Metric::kEuclid;
    sides_ = {0, 0};
    std::int64_t least[2] = {kFar, kFar}, most[2] = {-kFar, -kFar};
    const char separator = separator_in(content);
    for (bool first = true; cursor.next_line('#', false); first = false) {
        const EdgeCells cells = edge_cells_of(cursor.rest_of_line(), separator);
        if (cells.count < 2 || cells.count > 3)
            cursor.fail(fmt::format("a point \"x,y\" or \"name,x,y\" was wanted, found {} cells", cells.count));
        const std::string_view x_cell = cells.cell[cells.count - 2], y_cell = cells.cell[cells.count - 1];
        if (first && !is_number_like(x_cell) && !is_number_like(y_cell)) continue;  // the line is a header
        const auto x = real_in(x_cell), y = real_in(y_cell);
        if (!x || !y)
            cursor.fail_at(x ? y_cell : x_cell, fmt::format("two coordinates were wanted, found {} and {}",
                                                            common::shown_word(x_cell), common::shown_word(y_cell)));
        if (cells.count == 3) names_.push_back(text_of_cell(cells.cell[0]));
        std::int64_t scaled[2];
        for (int d = 0; d < 2; ++d) {
            const double value = std::floor((d == 0 ? *x : *y) * scale + 0.5);
            if (std::abs(value) > 0x1p29)
                cursor.fail(fmt::format(
                    "a coordinate times the scale is {}, but it must be from -2^29 to 2^29; choose a smaller scale",
                    value));
            scaled[d] = static_cast<std::int64_t>(value);
            least[d] = std::min(least[d], scaled[d]);
            most[d] = std::max(most[d], scaled[d]);
            coordinates_.push_back(static_cast<float>(value));
        }
        codes_.push_back(static_cast<std::uint32_t>(scaled[0]) |
                         static_cast<std::uint64_t>(static_cast<std::uint32_t>(scaled[1])) << 32);
    }
    if (codes_.empty()) cursor.fail("points were wanted, but the file has none");
    if (!names_.empty() && names_.size() != codes_.size()) cursor.fail("some points have a name and some have none");
    data_.n = static_cast<std::uint32_t>(codes_.size());
    largest_ = most[0] - least[0] + most[1] - least[1];
    near_among_points();
}

/// Reads a square table of whole numbers, with or without names. The file may begin with the number of rows, which is
/// then not an entry of the table.
void Target::make_dense(const std::filesystem::path& file) {
    const std::string content = read_whole_file(file);
    TextCursor cursor(content, file.string());
    NumberTable table = read_number_table(cursor, "distance", kMostInTable);
    const std::size_t n = table.n;
    std::vector<std::int64_t> entries(n * n, 0);
    for (const NumberTable::Entry& entry : table.entries) entries[entry.index] = entry.value;
    names_ = std::move(table.names);
    make_table(std::move(entries), table.n, file.string());
}

/// Reads a graph. The distances are hops if all edges weigh 1, else lengths of shortest paths.
void Target::make_graph(const std::filesystem::path& file) {
    const Graph graph = read_graph(file, false).graph;
    const std::string source = file.string();
    const auto wrong = [&](const std::string& what) { throw Error(ErrorKind::kInput, source + ": " + what); };
    if (graph.n > kMostInTable)
        wrong(fmt::format("a graph may have at most {} vertices, since its distances are kept as a table; found {}",
                          kMostInTable, graph.n));
    if (graph.directed)
        wrong(
            "distances must be the same both ways, but some edges have another weight in the other direction; problem "
            "qap takes such distances as a table");
    bool hops = true;
    for (std::uint64_t k = 0; k < graph.arcs.size(); ++k) {
        if (graph.weight(k) < 0)
            wrong("an edge has a negative weight; weights are lengths here and must be at least 0");
        hops = hops && graph.weight(k) == 2;
    }
    std::vector<std::int64_t> entries(std::size_t{graph.n} * graph.n);
    std::vector<std::uint32_t> queue;
    for (std::uint32_t u = 0; u < graph.n; ++u) {
        std::int64_t* row = entries.data() + std::size_t{u} * graph.n;
        if (hops)
            count_hops(graph, u, queue, row);
        else
            shortest_paths(graph, u, row);
        const auto* const far = std::find(row, row + graph.n, kFar);
        if (far == row + graph.n) continue;
        const auto name = [&](std::size_t v) { return graph.names.empty() ? std::to_string(v + 1) : graph.names[v]; };
        wrong(fmt::format("no path leads from vertex {} to vertex {}, but the graph must be connected", name(u),
                          name(static_cast<std::size_t>(far - row))));
    }
    names_ = graph.names;
    make_table(std::move(entries), graph.n, source);
}

/// Lists up to six near points for each point. They are the nearest ones in the surrounding cells of a grid.
void Target::near_among_points() {
    const std::uint32_t n = data_.n;
    near_count_ = std::min(6u, n > 1 ? n - 1 : 1);
    near_.resize(std::size_t{n} * near_count_);
    float low[2] = {coordinate(0, 0), coordinate(0, 1)}, high[2] = {low[0], low[1]};
    for (std::uint32_t k = 0; k < n; ++k) {
        for (std::uint32_t d = 0; d < 2; ++d) {
            low[d] = std::min(low[d], coordinate(k, d));
            high[d] = std::max(high[d], coordinate(k, d));
        }
    }
    const auto cells = std::max(1u, static_cast<std::uint32_t>(std::sqrt(n / 2.0)));
    const auto cell_of = [&](std::uint32_t location, std::uint32_t d) {
        const float extent = std::max(high[d] - low[d], 1e-9f);
        return std::min(cells - 1, static_cast<std::uint32_t>((coordinate(location, d) - low[d]) / extent *
                                                              static_cast<float>(cells)));
    };
    std::vector<std::uint32_t> begin(std::size_t{cells} * cells + 1, 0), members(n);
    for (std::uint32_t k = 0; k < n; ++k) ++begin[cell_of(k, 1) * cells + cell_of(k, 0) + 1];
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    std::vector<std::uint32_t> next(begin.begin(), begin.end() - 1);
    for (std::uint32_t k = 0; k < n; ++k) members[next[cell_of(k, 1) * cells + cell_of(k, 0)]++] = k;
    std::vector<std::pair<std::int64_t, std::uint32_t>> found;
    for (std::uint32_t k = 0; k < n; ++k) {
        const auto cx = static_cast<std::int64_t>(cell_of(k, 0)), cy = static_cast<std::int64_t>(cell_of(k, 1));
        found.clear();
        for (std::int64_t reach = 1; found.size() < near_count_; reach *= 2) {
            found.clear();
            for (std::int64_t y = std::max<std::int64_t>(0, cy - reach);
                 y <= std::min<std::int64_t>(cells - 1, cy + reach); ++y) {
                for (std::int64_t x = std::max<std::int64_t>(0, cx - reach);
                     x <= std::min<std::int64_t>(cells - 1, cx + reach); ++x) {
                    const auto cell = static_cast<std::size_t>(y * cells + x);
                    for (std::uint32_t m = begin[cell]; m < begin[cell + 1]; ++m) {
                        if (members[m] != k || n == 1) found.emplace_back(distance(k, members[m]), members[m]);
                    }
                }
            }
        }
        std::partial_sort(found.begin(), found.begin() + near_count_, found.end());
        for (std::uint32_t j = 0; j < near_count_; ++j) near_[std::size_t{k} * near_count_ + j] = found[j].second;
    }
}

}  // namespace qapfw::sparse
