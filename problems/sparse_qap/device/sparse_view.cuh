// SPDX-License-Identifier: Apache-2.0
// A sparse instance as device code reads it, and the exchange that a draw chooses. Host and device compile the same
// text.
#pragma once

#include "qapfw/kernels/platform.hpp"

namespace qapfw::sparse {

/// A sparse instance for kernels. Pointers come first; the host fills them with addresses on the device.
struct DeviceView {
    /// A DeviceArc for each arc that is not packed. The fields of DeviceArc have 16 bits each if that is enough for all
    /// arcs, otherwise 32.
    const void* arcs;
    /// A DeviceRow for each vertex; null: all vertices have the same degree, or all arcs are packed.
    const void* rows;
    const void* packed;         ///< packed entries of rows (sparse_rows.cuh)
    const uint32_t* positions;  ///< for each row: its position in the solution; null: row k belongs to position k
    /// Weights of all arcs, if some need more than 32 bits; null: each arc holds its weight, or all arcs have the same
    /// weight, `weight`.
    const int64_t* wide;
    const uint64_t* location_codes;  ///< code of each location, from which distances are computed
    const uint32_t* near;            ///< near_count nearby locations for each location; null for a tree
    const int32_t* table;            ///< table of distances; null if there is a formula
    int64_t weight;                  ///< weight of each arc, if all are equal
    uint64_t sides;                  ///< the sides of a grid or torus, see DistanceData
    int64_t level_costs[9];          ///< distances in a tree, see DistanceData
    uint32_t groups[8];              ///< number of locations in one group, for each level of a tree
    uint32_t near_count, levels, stride, vertices, locations;
};

/// Returns a number below `count`, computed from 16 random bits.
static QAPFW_HD uint32_t sparse_below(uint64_t bits, uint32_t count) {
    return static_cast<uint32_t>((bits & 0xffff) * count >> 16);
}

/// Returns how many of 256 proposals move a vertex next to one of its neighbours. This is 95 % of the proposals in a
/// tree, and 60 % elsewhere. Each other proposal swaps the vertex with the vertex at a nearby location.
static QAPFW_HD uint32_t sparse_towards_neighbours(bool tree) {
    return tree ? 243 : 154;
}

/// Returns the number of the neighbour next to which a vertex is moved. Returns `degree` if the vertex is exchanged
/// with the vertex at a nearby location.
static QAPFW_HD uint32_t sparse_chosen_arc(bool tree, uint32_t degree, uint64_t draw) {
    if ((draw & 0xff) >= sparse_towards_neighbours(tree)) return degree;
    return static_cast<uint32_t>((draw >> 8 & 0xffff) * degree >> 16);
}

/// Returns a location near `location`. In a tree the draw first chooses a level, and then a location in the group of
/// `location` on this level.
template <class View>
static QAPFW_HD uint32_t sparse_near_location(const View& view, uint32_t location, uint64_t draw) {
    if (view.near != nullptr)
        return view.near[location * uint64_t{view.near_count} + sparse_below(draw, view.near_count)];
    const uint32_t size = view.groups[sparse_below(draw, view.levels)];
    const auto inside = static_cast<uint32_t>((draw >> 16 & 0xffffffu) * size >> 24);
    return location - location % size + inside;
}

}  // namespace qapfw::sparse
