// SPDX-License-Identifier: Apache-2.0
#include "plugins/pga_grid/topology.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>

#include "qapfw/error.hpp"

namespace qapfw::pga_grid {
namespace {

bool belongs(Topology topology, std::int32_t rows, std::int32_t columns) {
    const std::int32_t ring = std::max(std::abs(rows), std::abs(columns));  // Chebyshev distance
    const bool cross = std::abs(rows) + std::abs(columns) == 1;
    switch (topology) {
        case Topology::k4n:
            return cross;
        case Topology::k8n:
            return ring == 1;
        case Topology::k16n:
            return ring == 2;
        case Topology::k20n:
            return cross || ring == 2;
        default:
            return false;
    }
}

/// `at` + `by` on a ring of `size` cells.
std::uint32_t wrapped(std::uint32_t at, std::int32_t by, std::uint32_t size) {
    const std::int64_t moved = (std::int64_t{at} + by) % std::int64_t{size};
    return static_cast<std::uint32_t>(moved < 0 ? moved + size : moved);
}

Offset parse_offset(const std::string& text) {
    Offset offset{};
    const char* const end = text.data() + text.size();
    const auto rows = std::from_chars(text.data(), end, offset.rows);
    if (rows.ec == std::errc{} && rows.ptr != end && *rows.ptr == ' ') {
        const auto columns = std::from_chars(rows.ptr + 1, end, offset.columns);
        if (columns.ec == std::errc{} && columns.ptr == end) return offset;
    }
    throw Error(ErrorKind::kUsage,
                "an entry of offsets must be two integers \"rows columns\" such as \"-1 0\", found \"" + text + "\"");
}

}  // namespace

std::vector<Offset> offsets_of(Topology topology) {
    std::vector<Offset> offsets;
    for (std::int32_t rows = -2; rows <= 2; ++rows) {
        for (std::int32_t columns = -2; columns <= 2; ++columns) {
            if (belongs(topology, rows, columns)) offsets.push_back({rows, columns});
        }
    }
    return offsets;
}

std::vector<Offset> parse_offsets(const std::vector<std::string>& texts) {
    std::vector<Offset> offsets;
    for (const std::string& text : texts) offsets.push_back(parse_offset(text));
    return offsets;
}

Neighbours::Neighbours(const Shape& shape, const std::vector<Offset>& offsets) {
    std::vector<std::uint32_t> around;
    for (std::uint32_t cell = 0; cell < shape.cells(); ++cell) {
        around.clear();
        for (const Offset& offset : offsets) {
            const std::uint32_t neighbour = wrapped(cell / shape.columns, offset.rows, shape.rows) * shape.columns +
                                            wrapped(cell % shape.columns, offset.columns, shape.columns);
            if (neighbour != cell) around.push_back(neighbour);
        }
        std::sort(around.begin(), around.end());
        around.erase(std::unique(around.begin(), around.end()), around.end());
        first_.push_back(cells_.size());
        cells_.insert(cells_.end(), around.begin(), around.end());
    }
    first_.push_back(cells_.size());
}

}  // namespace qapfw::pga_grid
