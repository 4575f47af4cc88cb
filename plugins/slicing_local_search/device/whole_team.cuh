// SPDX-License-Identifier: Apache-2.0
// A warp that places all departments after every move, for searches in shared memory. Each lane has some inner nodes. A
// node's area is computed after its children's areas, and its box after its parent's box. So the warp needs neither
// lists of nodes nor boxes of the layout before the move.
#pragma once

#include "plugins/slicing_local_search/device/warp_team.cuh"

namespace qapfw::slicing_local_search {

/// A box's extent along one side of the plant. Two such extents make up the box.
struct alignas(16) Side {
    double start, size;
};

/// Eight 16-bit words of a tree, which one assignment copies.
struct alignas(16) EightWords {
    uint32_t pairs[4];
};

/// Number of columns of the flow matrix if the problem states it, otherwise an upper limit.
template <class P>
QAPFW_DEVICE constexpr uint32_t flow_columns() {
    if constexpr (requires { P::kFlowColumns; }) {
        return P::kFlowColumns;
    } else {
        return kernels::slicing_padded(P::kPositions);
    }
}

struct WholeTeam : WarpTeam {
    static constexpr uint32_t kDepartments = device::Problem::kPositions;
    static constexpr uint32_t kInner = kDepartments - 1;
    /// The greatest number of inner nodes that one lane holds.
    static constexpr uint32_t kSlots = kInner < 32 ? 1 : (kInner + 31) / 32;
    static constexpr uint32_t kBlocks = flow_columns<device::Problem>() / kernels::kSlicingBlock;
    /// True if each lane has at most 32 entries of the flow matrix, so that `flows` has a bit for each entry.
    static constexpr bool kFewFlows = kBlocks <= 4;

    static constexpr uint32_t kAhead = SharedStep::kAhead;

    uint32_t flows = 0;  ///< bit k: this lane's entry (row_of(k / 4), column_of(k % 4)) is not 0
    SharedStep* shared;

    QAPFW_DEVICE WholeTeam(const kernels::SlicingView& view, SharedStep* step) : shared(step) {
        for (uint32_t k = 0; kFewFlows && k < 32; ++k) {
            const uint32_t i = row_of(k / 4), j = column_of(k % 4);
            if (i < view.rows && j < view.stride && view.flow[i * view.stride + j] != 0.0) flows |= 1u << k;
        }
    }

    /// Draws the random words of kAhead steps, beginning with step `first`. Each of the first kAhead lanes draws the
    /// words of one step.
    QAPFW_DEVICE void draw_ahead(const kernels::SlicingDraws& draws, uint64_t first) const {
        sync();
        if (rank() < kAhead) {
            const kernels::Philox4 draw =
                kernels::draw4(draws.seed, draws.iteration + first + rank(), draws.individual, draws.stream, 0);
            shared->draw[rank()] = draw;
            shared->minus_log[rank()] = kernels::slicing_minus_log(draw.word[3]);
        }
        sync();
    }
    QAPFW_DEVICE const kernels::Philox4& drawn(uint32_t k) const { return shared->draw[k]; }
    QAPFW_DEVICE double minus_log(uint32_t k) const { return shared->minus_log[k]; }

    /// A set of inner nodes, one bit for each.
    struct Nodes {
        uint32_t bits[kSlots] = {};
        QAPFW_DEVICE void add(uint32_t node) {
            // For a department or kSlicingNone the number is very large, so that no bit is set.
            const uint32_t number = node - kDepartments;
            for (uint32_t slot = 0; slot < kSlots; ++slot) bits[slot] |= number / 32 == slot ? 1u << number % 32 : 0u;
        }
        QAPFW_DEVICE bool has(const Nodes& others) const {
            uint32_t missing = 0;
            for (uint32_t slot = 0; slot < kSlots; ++slot) missing |= others.bits[slot] & ~bits[slot];
            return missing == 0;
        }
    };
    /// An inner node of this lane.
    struct Node {
        uint32_t number, first, second;
        uint32_t axis;       ///< 0: the cut splits the width
        Nodes below, above;  ///< the node's children and parent, if they are inner nodes
        double area, first_area, second_area;
        bool is_there, had_turn;
    };

    /// Calls turn(node) for each inner node: after its children if `kUpwards`, else after its parent.
    template <bool kUpwards, class Turn>
    QAPFW_DEVICE void in_turns(Node (&nodes)[kSlots], Turn turn) const {
        Nodes done;
        for (Node& node : nodes) node.had_turn = !node.is_there;
        for (bool all = false; !all;) {
            for (Node& node : nodes) {
                if (node.had_turn || !done.has(kUpwards ? node.below : node.above)) continue;
                turn(node);
                node.had_turn = true;
            }
            sync();
            all = true;
            for (uint32_t slot = 0; slot < kSlots; ++slot) {
                done.bits[slot] = ballot(nodes[slot].had_turn);
                all = all && done.bits[slot] == kLanes;
            }
        }
    }

    /// Places all departments within rectangle number `root` of the view (root_width, root_height). The results equal
    /// those of slicing_areas and slicing_place.
    QAPFW_DEVICE void place_all(const kernels::SlicingView& view, const kernels::SlicingTree& tree,
                                const kernels::SlicingScratch& scratch, uint32_t root) const {
        Node nodes[kSlots];
        for (uint32_t slot = 0; slot < kSlots; ++slot) {
            Node& node = nodes[slot];
            node = {};
            node.is_there = 32 * slot + rank() < kInner;
            node.number = kDepartments + (node.is_there ? 32 * slot + rank() : 0);
            node.first = tree.child(node.number, 0);
            node.second = tree.child(node.number, 1);
            node.below.add(node.first);
            node.below.add(node.second);
            node.above.add(tree.parent(node.number));
            node.axis = 1u - tree.cut(node.number);
        }
        in_turns<true>(nodes, [&](Node& node) {
            node.first_area = scratch.area[node.first];
            node.second_area = scratch.area[node.second];
            scratch.area[node.number] = node.area = node.first_area + node.second_area;
        });
        for (Node& node : nodes) {  // from here on, first_area and second_area are fractions of node.area
            const double inverse = node.is_there ? 1.0 / node.area : 0.0;
            node.first_area = kernels::fbs_product(node.first_area, inverse);
            node.second_area = kernels::fbs_product(node.second_area, inverse);
        }
        Side* const sides = reinterpret_cast<Side*>(scratch.box);
        if (rank() == 0) {
            const uint32_t top = tree.root();
            sides[2 * top] = {0.0, view.root_width[root]};
            sides[2 * top + 1] = {0.0, view.root_height[root]};
        }
        for (Node& node : nodes) {  // from here on, `number`, `first` and `second` are indices into `sides`
            node.number = 2 * node.number + node.axis;
            node.first = 2 * node.first + node.axis;
            node.second = 2 * node.second + node.axis;
        }
        sync();
        in_turns<false>(nodes, [&](const Node& node) {
            const Side along = sides[node.number], across = sides[node.number ^ 1u];
            const double part = kernels::fbs_product(along.size, node.first_area);
            sides[node.first] = {along.start, part};
            sides[node.first ^ 1u] = across;
            sides[node.second] = {along.start + part, kernels::fbs_product(along.size, node.second_area)};
            sides[node.second ^ 1u] = across;
        });
        for (uint32_t d = rank(); d < kDepartments; d += 32) {
            const Side width = sides[2 * d], height = sides[2 * d + 1];
            kernels::slicing_note_box(view, scratch.places, d, width.start, height.start, width.size, height.size);
        }
    }

    /// Does what kernels::slicing_shapes does. Lanes k, k + 8, k + 16 and k + 24 compute the same partial sum.
    QAPFW_DEVICE kernels::SlicingShapes shapes(const kernels::SlicingView&,
                                               const kernels::SlicingPlaces& places) const {
        uint32_t broken = 0;
        for (uint32_t first = 0; first < kDepartments; first += 32) {
            const uint32_t d = first + rank();
            broken += kernels::slicing_ones(ballot(d < kDepartments && places.excess[d] > 0.0));
        }
        if (broken == 0) return {0, 0.0};
        double excess = 0.0;
#pragma unroll
        for (uint32_t block = 0; block < kernels::slicing_padded(kDepartments) / kernels::kSlicingBlock; ++block) {
            excess += places.excess[column_of(block)];
        }
        for (uint32_t half = kernels::kSlicingBlock / 2; half > 0; half /= 2) {
            excess = excess + __shfl_xor_sync(kLanes, excess, half);
        }
        return {broken, excess};
    }

    /// Does what kernels::slicing_flow_cost does, with one partial sum per lane over its entries of the flow matrix.
    QAPFW_DEVICE double flow_cost(const kernels::SlicingView& view, const kernels::SlicingPlaces& places) const {
        const double own = view.euclidean != 0 ? partial<1>(view, places) : partial<0>(view, places);
        return kernels::WarpGroup{}.sum(own);
    }

    /// Copies a tree within shared memory.
    QAPFW_DEVICE void copy_tree(uint16_t* to, const uint16_t* from, uint32_t) const {
        constexpr uint32_t kParts = shared_tree_words(kDepartments) / 8;
        for (uint32_t k = rank(); k < kParts; k += 32)
            reinterpret_cast<EightWords*>(to)[k] = reinterpret_cast<const EightWords*>(from)[k];
    }

  private:
    QAPFW_DEVICE uint32_t row_of(uint32_t k) const {
        return rank() / kernels::kSlicingBlock + 4 * k;
    }
    QAPFW_DEVICE uint32_t column_of(uint32_t block) const {
        return rank() % kernels::kSlicingBlock + block * kernels::kSlicingBlock;
    }

    template <uint32_t kEuclidean>
    QAPFW_DEVICE double partial(const kernels::SlicingView& view, const kernels::SlicingPlaces& places) const {
        if constexpr (!kFewFlows) return partial_of_all<kEuclidean>(view, places.x, places.y);
        const double *const x = places.x, *const y = places.y;
        double sum = 0.0;
        for (uint32_t left = flows; left != 0; left &= left - 1) {
            const uint32_t k = static_cast<uint32_t>(__ffs(static_cast<int>(left))) - 1;
            const uint32_t i = row_of(k / 4), j = column_of(k % 4);
            sum += kernels::slicing_pair(view.flow[i * view.stride + j], kernels::fbs_distance(x[i], x[j]),
                                         kernels::fbs_distance(y[i], y[j]), kEuclidean);
        }
        return sum;
    }
    template <uint32_t kEuclidean>
    QAPFW_DEVICE double partial_of_all(const kernels::SlicingView& view, const double* x, const double* y) const {
        double sum = 0.0;
        double own_x[kBlocks], own_y[kBlocks];  // centres of the departments and points in this lane's columns
        for (uint32_t block = 0; block < kBlocks; ++block) {
            const bool is_there = column_of(block) < view.stride;
            own_x[block] = is_there ? x[column_of(block)] : 0.0;
            own_y[block] = is_there ? y[column_of(block)] : 0.0;
        }
#pragma unroll
        for (uint32_t k = 0; k < 2 * kBlocks; ++k) {
            const uint32_t i = row_of(k);
            if (i >= view.rows) break;
            const double* const flow = view.flow + i * view.stride;
            const double row_x = x[i], row_y = y[i];
#pragma unroll
            for (uint32_t block = k / 2; block < kBlocks; ++block) {
                if (column_of(block) >= view.stride) break;
                sum += kernels::slicing_pair(flow[column_of(block)], kernels::fbs_distance(row_x, own_x[block]),
                                             kernels::fbs_distance(row_y, own_y[block]), kEuclidean);
            }
        }
        return sum;
    }
};

}  // namespace qapfw::slicing_local_search
