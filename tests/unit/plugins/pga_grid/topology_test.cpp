// SPDX-License-Identifier: Apache-2.0
#include "plugins/pga_grid/topology.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>

#include "qapfw/error.hpp"

namespace {

using namespace qapfw::pga_grid;

constexpr Topology kRings[] = {Topology::k4n, Topology::k8n, Topology::k16n, Topology::k20n};

std::vector<std::uint32_t> around(const Shape& shape, Topology topology, std::uint32_t cell) {
    const Neighbours neighbours(shape, offsets_of(topology));
    return {neighbours.of(cell).begin(), neighbours.of(cell).end()};
}

/// Distance on a ring of `size` cells.
std::uint32_t ring_distance(std::uint32_t a, std::uint32_t b, std::uint32_t size) {
    const std::uint32_t d = a < b ? b - a : a - b;
    return std::min(d, size - d);
}

bool is_neighbour(Topology topology, std::uint32_t rows, std::uint32_t columns) {
    const bool four = rows + columns == 1, eight = std::max(rows, columns) == 1, sixteen = std::max(rows, columns) == 2;
    return topology == Topology::k4n   ? four
           : topology == Topology::k8n ? eight
                                       : sixteen || (topology == Topology::k20n && four);
}

}  // namespace

TEST_CASE("on a large torus every cell has exactly the neighbours that the topology's distances name") {
    const Shape shape{7, 9};
    const std::size_t counts[] = {4, 8, 16, 20};
    for (std::size_t t = 0; t < 4; ++t) {
        for (std::uint32_t cell = 0; cell < shape.cells(); ++cell) {
            std::vector<std::uint32_t> expected;
            for (std::uint32_t other = 0; other < shape.cells(); ++other) {
                if (is_neighbour(kRings[t], ring_distance(cell / 9, other / 9, 7),
                                 ring_distance(cell % 9, other % 9, 9)))
                    expected.push_back(other);
            }
            REQUIRE(expected.size() == counts[t]);
            CHECK(around(shape, kRings[t], cell) == expected);
        }
    }
}

TEST_CASE("on small tori cells that coincide count once and the centre is no neighbour") {
    using Cells = std::vector<std::uint32_t>;
    for (const Topology topology : kRings) CHECK(around({1, 1}, topology, 0) == Cells{});
    CHECK(around({1, 2}, Topology::k4n, 0) == Cells{1});
    CHECK(around({1, 2}, Topology::k8n, 1) == Cells{0});
    CHECK(around({2, 2}, Topology::k4n, 0) == Cells{1, 2});
    CHECK(around({2, 2}, Topology::k8n, 0) == Cells{1, 2, 3});
    CHECK(around({2, 2}, Topology::k16n, 3) == Cells{1, 2});
    CHECK(around({1, 3}, Topology::k16n, 1) == Cells{0, 2});
    CHECK(around({3, 3}, Topology::k16n, 4) == Cells{0, 1, 2, 3, 5, 6, 7, 8});
    CHECK(around({4, 4}, Topology::k16n, 0) == Cells{2, 6, 8, 9, 10, 11, 14});
    CHECK(around({4, 4}, Topology::k20n, 0) == Cells{1, 2, 3, 4, 6, 8, 9, 10, 11, 12, 14});
    CHECK(around({5, 1}, Topology::k4n, 0) == Cells{1, 4});
}

TEST_CASE("offsets of one's own may reach far and wrap around the torus") {
    const Neighbours neighbours({4, 8}, parse_offsets({"0 9", "-5 0", "4 8", "0 1"}));
    const auto of_first = neighbours.of(0);
    CHECK(std::vector<std::uint32_t>(of_first.begin(), of_first.end()) == std::vector<std::uint32_t>{1, 24});
}

TEST_CASE("an offset that is not two integers is refused with its text") {
    for (const char* text : {"", "1", "1 ", "a b", "1 2 3", "1,2", "1  2", "99999999999 0"}) {
        CAPTURE(text);
        try {
            parse_offsets({"1 0", text});
            FAIL("accepted");
        } catch (const qapfw::Error& error) {
            CHECK(std::string(error.what()).find("\"" + std::string(text) + "\"") != std::string::npos);
        }
    }
}
