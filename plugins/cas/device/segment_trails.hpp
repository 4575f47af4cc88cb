// SPDX-License-Identifier: Apache-2.0
// Cunning ants whose solutions are lists of segments. Ants are constructed as in ant_trails.hpp. There is a trail for
// each free element and each of its possible values. In a permutation or a counted segment, the sampled elements'
// values are dealt out again among these elements. In a segment of values or bits, a sampled element gets any value
// below its bound. Host and device use the same code.
#pragma once

#include "plugins/cas/device/ant_trails.hpp"
#include "qapfw/kernels/segments.hpp"

namespace qapfw::cas {

/// A free element and its trails, one for each value. Rows are in the order of SegmentList::free.
struct TrailRow {
    uint64_t begin;     ///< number of the row's first trail among the colony's trails
    uint32_t segment;   ///< index of the element's segment
    uint32_t position;  ///< the element's position in the segment
    uint32_t values;    ///< number of the element's possible values
    uint32_t unused;
};

/// The trails of a colony.
struct SegmentTrails {
    kernels::SegmentList list;
    const TrailRow* rows;
    uint64_t size;  ///< number of trails in all rows
};

/// Scratch for the construction of one ant.
struct SegmentScratch {
    /// An entry for each row. `order`: the sampled rows, in the order in which they get values. `with`: the random
    /// swaps from which `order` is computed.
    uint16_t *order, *with;
    uint32_t* pool;  ///< an entry per row. A segment's pool (values to deal out) begins at the segment's first row
    uint32_t* left;  ///< an entry per segment: number of values left in the segment's pool
};

/// Fills the pools of permutations and of counted segments. A segment's pool gets the values of the segment's sampled
/// elements, in the order of scratch.order. assign_segment_values deals these values out again among the same elements.
/// `count`: number of all sampled elements.
template <class Group>
QAPFW_HD void fill_pools(Group group, const SegmentTrails& trails, const uint8_t* child, const SegmentScratch& scratch,
                         uint32_t count) {
    for (uint32_t g = group.rank(); g < trails.list.count; g += group.size()) scratch.left[g] = 0;
    group.sync();
    for (uint32_t k = 0; group.rank() == 0 && k < count; ++k) {
        const TrailRow& row = trails.rows[scratch.order[k]];
        const kernels::SegmentView& s = trails.list.segments[row.segment];
        if (!kernels::is_order(s)) continue;
        const uint32_t value = kernels::segment_element(s, child, row.position);
        scratch.pool[s.free_first + scratch.left[row.segment]++] = value;
    }
    group.sync();
}

/// Draws new values for the `count` sampled elements of a child by the trails of the child's colony. On entry the child
/// is a copy of its donor. scratch.order lists the rows of the sampled elements. O(count * values / group.size()).
template <class Group>
QAPFW_HD void assign_segment_values(Group group, const SegmentTrails& trails, const uint64_t* of_colony, uint8_t* child,
                                    const SegmentScratch& scratch, uint32_t count, const kernels::AntDraws& at) {
    fill_pools(group, trails, child, scratch, count);
    kernels::Philox4 words{};
    for (uint32_t k = 0; k < count; ++k) {
        if ((k & 3u) == 0) words = kernels::draw4(at.seed, at.iteration, at.ant, kernels::kRouletteStream, k >> 2);
        const TrailRow& row = trails.rows[scratch.order[k]];
        const kernels::SegmentView& s = trails.list.segments[row.segment];
        const uint64_t* const trail = of_colony + row.begin;
        const uint32_t word = words.word[k & 3u];
        if (kernels::is_order(s)) {
            uint32_t* const pool = scratch.pool + s.free_first;
            const uint32_t left = scratch.left[row.segment];
            kernels::spin_wheel(
                group, left, word, [&](uint32_t v) { return trail[pool[v]]; },
                [&](uint32_t v) {
                    kernels::set_segment_element(s, child, row.position, pool[v]);
                    pool[v] = pool[left - 1];
                    scratch.left[row.segment] = left - 1;
                });
        } else {
            kernels::spin_wheel(
                group, row.values, word, [&](uint32_t v) { return trail[v]; },
                [&](uint32_t v) { kernels::set_segment_element(s, child, row.position, v); });
        }
        group.sync();
    }
}

}  // namespace qapfw::cas
