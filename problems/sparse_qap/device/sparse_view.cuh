// SPDX-License-Identifier: Apache-2.0
// A sparse instance as device code reads it, and which exchange a draw stands for: one text for host and device.
#pragma once

#include "qapfw/kernels/platform.hpp"

namespace qapfw::sparse {

/// Pointers first; the host fills them with addresses on the device.
struct DeviceView {
    const void* arcs;                ///< the DeviceArc of each, as narrow as the graph allows
    const void* rows;                ///< the DeviceRow of each vertex; null where all have the same degree
    const void* packed;              ///< entries of rows (sparse_rows.cuh)
    const uint32_t* positions;       ///< of each number; null: the same
    const int64_t* wide;             ///< weights beyond 32 bits; null: those of the arcs, or `weight`
    const uint64_t* location_codes;  ///< of each location
    const uint32_t* near;            ///< near_count numbers for each location; null for a tree
    const int32_t* table;            ///< of distances; null where they have a formula
    int64_t weight;                  ///< of each arc, where all weigh the same
    uint64_t sides;                  ///< of a torus
    int64_t level_costs[9];          ///< of a tree
    uint32_t groups[8];              ///< of a tree: locations in a group of each level
    uint32_t near_count, levels, stride, vertices, locations;
};

/// A number below `count` from 16 random bits.
static QAPFW_HD uint32_t sparse_below(uint64_t bits, uint32_t count) {
    return static_cast<uint32_t>((bits & 0xffff) * count >> 16);
}

/// Share of the proposals that move a vertex next to one of its neighbours, of 256: 60 %, in a tree 95 %. The others
/// exchange it with something nearby.
static QAPFW_HD uint32_t sparse_towards_neighbours(bool tree) {
    return tree ? 243 : 154;
}

/// The one of `degree` neighbours next to which a vertex is moved; `degree`: it is exchanged with something nearby.
static QAPFW_HD uint32_t sparse_chosen_arc(bool tree, uint32_t degree, uint64_t draw) {
    if ((draw & 0xff) >= sparse_towards_neighbours(tree)) return degree;
    return static_cast<uint32_t>((draw >> 8 & 0xffff) * degree >> 16);
}

/// A location near `location`, or in a tree one of the same group on a level that the draw decides.
template <class View>
static QAPFW_HD uint32_t sparse_near_location(const View& view, uint32_t location, uint64_t draw) {
    if (view.near != nullptr)
        return view.near[location * uint64_t{view.near_count} + sparse_below(draw, view.near_count)];
    const uint32_t size = view.groups[sparse_below(draw, view.levels)];
    const auto inside = static_cast<uint32_t>((draw >> 16 & 0xffffffu) * size >> 24);
    return location - location % size + inside;
}

}  // namespace qapfw::sparse
