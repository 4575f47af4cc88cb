// SPDX-License-Identifier: Apache-2.0
#include "common/metis_reader.hpp"

#include <fmt/core.h>

#include <string>

namespace qapfw::common {
namespace {

std::int64_t weight(TextCursor& text, const char* what) {
    const std::int64_t value = text.integer(what);
    if (value < 0) text.fail(fmt::format("{} must not be negative in this format, found {}", what, value));
    return value;
}

struct Header {
    std::int64_t vertices, edges, weights_each;
    bool has_sizes, has_weights, has_edge_weights;
};

Header read_header(TextCursor& text, std::int64_t most_vertices) {
    if (!text.next_line('%', false))
        text.fail("a METIS header \"vertices edges [fmt]\" was wanted, but the file has none");
    Header header{};
    header.vertices = text.integer("the number of vertices", 1, most_vertices);
    header.edges = text.integer("the number of edges", 0, INT64_MAX / 4);
    const std::int64_t fmt = text.at_line_end() ? 0 : text.integer("the format fmt");
    if (fmt < 0 || fmt > 111 || fmt % 10 > 1 || fmt / 10 % 10 > 1) {
        text.fail(fmt::format(
            "fmt must be at most three digits, each 0 or 1 (for sizes of vertices, weights of vertices, weights of "
            "edges), found {}",
            fmt));
    }
    header.has_sizes = fmt >= 100;
    header.has_weights = fmt / 10 % 10 == 1;
    header.has_edge_weights = fmt % 10 == 1;
    header.weights_each = text.at_line_end() ? 1 : text.integer("the number of weights of a vertex", 1, 1000);
    if (!text.at_line_end()) text.fail("the header has more than four numbers");
    text.require_bytes(header.vertices, 1, "vertices");
    text.require_bytes(2 * header.edges, header.has_edge_weights ? 4 : 2, "ends of edges (two for each edge)");
    return header;
}

}  // namespace

std::int64_t edge_weight(TextCursor& text) {
    return weight(text, "the weight of an edge");
}

MetisGraph read_metis(TextCursor& text, std::int64_t most_vertices) {
    const Header header = read_header(text, most_vertices);
    const std::int64_t n = header.vertices;
    MetisGraph metis;
    metis.weights_each = static_cast<std::uint32_t>(header.weights_each);
    RawGraph& raw = metis.edges;
    raw.n = static_cast<std::uint32_t>(n);
    raw.both_ways = true;
    raw.offsets.reserve(static_cast<std::size_t>(n) + 1);
    raw.offsets.push_back(0);
    raw.to.reserve(static_cast<std::size_t>(2 * header.edges));
    raw.weight.reserve(static_cast<std::size_t>(2 * header.edges));
    for (std::int64_t u = 0; u < n; ++u) {
        if (!text.next_line('%', true))
            text.fail(fmt::format("the header promises {} vertices, but the file has lines for {}", n, u));
        if (header.has_sizes) text.integer("the size of a vertex");
        for (std::int64_t k = 0; header.has_weights && k < header.weights_each; ++k)
            metis.weights.push_back(weight(text, "the weight of a vertex"));
        while (!text.at_line_end()) {
            raw.to.push_back(static_cast<std::uint32_t>(text.integer("a neighbour's number", 1, n) - 1));
            raw.weight.push_back(header.has_edge_weights ? edge_weight(text) : 1);
        }
        raw.offsets.push_back(raw.to.size());
    }
    if (text.next_line('%', false))
        text.fail(fmt::format("the header promises {} vertices, but another line follows the last vertex", n));
    text.require_count(raw.to.size(), 2 * header.edges, "ends of edges (two for each edge)");
    return metis;
}

}  // namespace qapfw::common
