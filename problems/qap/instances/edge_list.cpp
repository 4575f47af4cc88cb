// SPDX-License-Identifier: Apache-2.0
#include "problems/qap/instances/edge_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <unordered_map>

namespace qapfw::qap {

namespace {

constexpr std::array kBegins{"from", "source", "origin", "start", "facility1", "facility_1"};
constexpr std::array kEnds{"to", "target", "destination", "end", "facility2", "facility_2"};

bool is_one_of(const auto& words, std::string_view text) {
    std::string small;
    for (const char c : text) small += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return std::find(words.begin(), words.end(), small) != words.end();
}

bool is_whole(const std::string& text) {
    return text.size() < 10 && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

bool is_edge_list(const TableText& table) {
    const auto& head = table.cells(0);
    return table.row_count() > 1 && head.size() == 3 && is_one_of(kBegins, head[0].text) &&
           is_one_of(kEnds, head[1].text) && !looks_numeric(head[2].text);
}

std::optional<LabelledMatrix> read_edges(const TableText& table, MatrixId id) {
    if (!is_edge_list(table)) return std::nullopt;
    LabelledMatrix out;
    std::unordered_map<std::string, uint32_t> index;
    for (std::size_t k = 1; k < table.row_count(); ++k) {
        const auto& row = table.cells(k);
        if (row.size() != 3) {
            table.fail(
                row.front().at,
                fmt::format("a row of a list of edges has 3 cells (from, to, flow), but this one has {}", row.size()));
        }
        for (std::size_t j = 0; j < 2; ++j) {
            std::string name(row[j].text);
            if (name.empty())
                table.fail(row[j].at,
                           fmt::format("{}: a name was wanted, but the cell is empty", TableText::name_of(row[j])));
            if (index.emplace(name, static_cast<uint32_t>(out.names.size())).second)
                out.names.push_back(std::move(name));
        }
        if (!table.is_number(row[2])) table.fail_no_number(row[2]);
    }
    if (std::all_of(out.names.begin(), out.names.end(), is_whole)) {
        std::sort(out.names.begin(), out.names.end(),
                  [](const std::string& x, const std::string& y) { return std::stoul(x) < std::stoul(y); });
        for (std::size_t k = 0; k < out.names.size(); ++k) index[out.names[k]] = static_cast<uint32_t>(k);
    }
    if (out.names.size() > kMaxSize)
        table.fail({}, fmt::format("the edges join {} nodes; at most {} are possible", out.names.size(), kMaxSize));
    const auto size = static_cast<uint32_t>(out.names.size());
    out.matrix = NumberMatrix(size, size);
    table.check_marks(1, table.row_count());
    std::set<std::pair<uint32_t, uint32_t>> seen;
    std::string storage;
    for (std::size_t k = 1; k < table.row_count(); ++k) {
        const auto& row = table.cells(k);
        const uint32_t from = index.at(std::string(row[0].text)), to = index.at(std::string(row[1].text));
        if (!seen.emplace(from, to).second) {
            table.fail(row.front().at, fmt::format("the edge from {} to {} is listed twice; add up the two numbers",
                                                   quote_token(row[0].text), quote_token(row[1].text)));
        }
        out.matrix.set(from, to, {table.number_text(row[2], storage), row[2].at}, table.source(), id);
    }
    return out;
}

}  // namespace qapfw::qap
