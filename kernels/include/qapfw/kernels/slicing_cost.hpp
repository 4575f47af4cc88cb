// SPDX-License-Identifier: Apache-2.0
// Cost of a layout by a slicing tree: the sum over pairs of flow * distance of centres. The order of summation is
// fixed. Entry (i, j) of the flow matrix belongs to partial sum (i % 4) * 8 + j % 8. Each partial sum adds in the order
// of ascending i, then j. Then the 32 partial sums are folded: the upper half is added to the lower half until one sum
// is left. Three implementations keep this order: scalar code (here), vectors (the problem's host code) and a warp
// (problems/uaflp/device). So all give the same bits. The only operations are +, -, *, / and sqrt; products are rounded
// before they are added.
#pragma once

#include "qapfw/kernels/fbs_cost.hpp"
#include "qapfw/kernels/slicing_view.hpp"

namespace qapfw::kernels {

/// Numbers of inner nodes and leaves of a subtree. scratch.order lists the inner nodes, scratch.leaves the leaves.
struct SlicingNodes {
    uint32_t inner, leaves;
};

/// Returns the number of set bits of a word.
QAPFW_HD uint32_t slicing_ones(uint32_t word) {
#if defined(__CUDA_ARCH__)
    return static_cast<uint32_t>(__popc(word));
#else
    return static_cast<uint32_t>(__builtin_popcount(word));
#endif
}

/// Lists the nodes of the subtree of `top`, and computes the area below each inner node. O(size), without branches that
/// depend on the tree.
QAPFW_HD SlicingNodes slicing_areas(const SlicingTree& tree, const SlicingScratch& scratch, uint32_t top) {
    const uint32_t n = tree.n;
    scratch.order[0] = scratch.leaves[0] = static_cast<uint16_t>(top);
    if (tree.is_leaf(top)) return {0, 1};
    SlicingNodes count{1, 0};
    for (uint32_t k = 0; k < count.inner; ++k) {  // breadth first: `order` is also the queue of nodes to visit
        for (uint32_t which = 0; which < 2; ++which) {
            const uint32_t below = tree.child(scratch.order[k], which);
            const uint32_t is_inner = below >= n ? 1u : 0u;
            scratch.order[count.inner] = scratch.leaves[count.leaves] = static_cast<uint16_t>(below);
            count.inner += is_inner;
            count.leaves += 1u - is_inner;
        }
    }
    for (uint32_t k = count.inner; k > 0; --k) {
        const uint32_t node = scratch.order[k - 1];
        scratch.area[node] = scratch.area[tree.child(node, 0)] + scratch.area[tree.child(node, 1)];
    }
    return count;
}

/// Lists the nodes of the subtree of `top`, and computes the area below each inner node. With rules, also computes
/// SlicingScratch::flexible of each inner node.
QAPFW_HD SlicingNodes slicing_areas(const SlicingView& view, const SlicingTree& tree, const SlicingScratch& scratch,
                                    uint32_t top) {
    const SlicingNodes count = slicing_areas(tree, scratch, top);
    for (uint32_t k = slicing_rules_of(view.practice) > 0 ? count.inner : 0; k > 0; --k) {
        const uint32_t node = scratch.order[k - 1];
        scratch.flexible[node] = scratch.flexible[tree.child(node, 0)] + scratch.flexible[tree.child(node, 1)];
    }
    return count;
}

/// Computes the boxes of both children of a node from the node's box. The entries of a box are left, top, width and
/// height. So a cut of the height changes entries 1 and 3, and a cut of the width changes entries 0 and 2.
QAPFW_HD void slicing_split(const SlicingTree& tree, const SlicingScratch& scratch, uint32_t node) {
    const uint32_t first = tree.child(node, 0), second = tree.child(node, 1);
    const uint32_t axis = 1u - tree.cut(node);
    const double inverse = 1.0 / scratch.area[node];
    const double* own = scratch.box + 4 * node;
    double* one = scratch.box + 4 * first;
    double* other = scratch.box + 4 * second;
    for (uint32_t k = 0; k < 4; ++k) one[k] = other[k] = own[k];
    const double size = own[2 + axis];
    const double part = fbs_product(size, fbs_product(scratch.area[first], inverse));
    one[2 + axis] = part;
    other[axis] = own[axis] + part;
    other[2 + axis] = fbs_product(size, fbs_product(scratch.area[second], inverse));
}

/// Computes the boxes of the nodes that slicing_areas listed. The caller has set the box of the top node. O(size).
QAPFW_HD void slicing_split_all(const SlicingView& view, const SlicingTree& tree, const SlicingScratch& scratch,
                                const SlicingNodes& nodes) {
    if (slicing_rules_of(view.practice) > 0) {
        for (uint32_t k = 0; k < nodes.inner; ++k) {
            slicing_split_by_rules(view.practice, tree, scratch.area, scratch.flexible, scratch.box, scratch.order[k]);
        }
        return;
    }
    for (uint32_t k = 0; k < nodes.inner; ++k) slicing_split(tree, scratch, scratch.order[k]);
}

/// Levels of the inner nodes of a subtree. own_end of lane k is the end of level k's nodes in scratch.order.
struct SlicingLevels {
    SlicingNodes count;
    uint32_t levels, own_end;
};

/// Lists the nodes of the subtree of an inner node, level by level, up to 32 levels. Each lane handles one node at a
/// time. On entry, scratch.order[0] is the inner node.
template <class Team>
QAPFW_HD SlicingLevels slicing_levels_by_warp(const Team& team, const SlicingTree& tree,
                                              const SlicingScratch& scratch) {
    const uint32_t rank = team.rank(), lower = (1u << rank) - 1u;
    SlicingLevels found{{1, 0}, 0, 0};
    SlicingNodes& count = found.count;
    for (uint32_t begin = 0; begin < count.inner && found.levels < 32; ++found.levels) {
        const uint32_t end = count.inner;
        if (rank == found.levels) found.own_end = end;
        for (; begin < end; begin += 32) {
            const bool is_mine = begin + rank < end;
            const uint32_t node = scratch.order[is_mine ? begin + rank : begin];
            const uint32_t a = tree.child(node, 0), b = tree.child(node, 1);
            const uint32_t inner_a = team.ballot(is_mine && !tree.is_leaf(a)),
                           inner_b = team.ballot(is_mine && !tree.is_leaf(b)), all = team.ballot(is_mine),
                           leaf_a = all & ~inner_a, leaf_b = all & ~inner_b;
            const auto before = [lower](uint32_t one, uint32_t other) {
                return slicing_ones(one & lower) + slicing_ones(other & lower);
            };
            uint32_t inner = count.inner + before(inner_a, inner_b), leaf = count.leaves + before(leaf_a, leaf_b);
            if (is_mine) {
                (tree.is_leaf(a) ? scratch.leaves[leaf++] : scratch.order[inner++]) = static_cast<uint16_t>(a);
                (tree.is_leaf(b) ? scratch.leaves[leaf++] : scratch.order[inner++]) = static_cast<uint16_t>(b);
            }
            count.inner += slicing_ones(inner_a) + slicing_ones(inner_b);
            count.leaves += slicing_ones(leaf_a) + slicing_ones(leaf_b);
        }
        begin = end;
        team.sync();
    }
    return found;
}

/// Computes the areas below the inner nodes of the levels in `found`, from the last level to the first. Then computes
/// the boxes of the children of these nodes, from the first level to the last. A lane handles one node at a time.
template <class Team>
QAPFW_HD void slicing_place_levels(const Team& team, const SlicingView& view, const SlicingTree& tree,
                                   const SlicingScratch& scratch, const SlicingLevels& found) {
    const auto of_level = [&](uint32_t level, const auto& visit) {
        const uint32_t begin = level == 0 ? 0 : team.from(found.own_end, level - 1),
                       end = team.from(found.own_end, level);
        for (uint32_t k = begin + team.rank(); k < end; k += 32) visit(uint32_t{scratch.order[k]});
        team.sync();
    };
    for (uint32_t level = found.levels; level > 0; --level) {
        of_level(level - 1, [&](uint32_t node) {
            const uint32_t a = tree.child(node, 0), b = tree.child(node, 1);
            scratch.area[node] = scratch.area[a] + scratch.area[b];
            if (slicing_rules_of(view.practice) > 0) scratch.flexible[node] = scratch.flexible[a] + scratch.flexible[b];
        });
    }
    for (uint32_t level = 0; level < found.levels; ++level) {
        of_level(level, [&](uint32_t node) {
            if (slicing_rules_of(view.practice) > 0) {
                slicing_split_by_rules(view.practice, tree, scratch.area, scratch.flexible, scratch.box, node);
            } else {
                slicing_split(tree, scratch, node);
            }
        });
    }
}

/// Computes the same as slicing_areas and slicing_split_all, but with a warp. The warp goes level by level, and each
/// lane handles one node at a time. If the tree has more than 32 levels, one lane handles all nodes. `team` has rank(),
/// sync(), ballot(flag) and from(value, rank).
template <class Team>
QAPFW_HD SlicingNodes slicing_place_by_warp(const Team& team, const SlicingView& view, const SlicingTree& tree,
                                            const SlicingScratch& scratch, uint32_t top) {
    if (team.rank() == 0) scratch.order[0] = scratch.leaves[0] = static_cast<uint16_t>(top);
    team.sync();
    if (tree.is_leaf(top)) return {0, 1};
    const SlicingLevels found = slicing_levels_by_warp(team, tree, scratch);
    SlicingNodes count = found.count;
    if (team.from(found.own_end, found.levels - 1) >= count.inner) {
        slicing_place_levels(team, view, tree, scratch, found);
        return count;
    }
    if (team.rank() == 0) {  // The tree has more than 32 levels.
        count = slicing_areas(view, tree, scratch, top);
        slicing_split_all(view, tree, scratch, count);
    }
    team.sync();
    return {team.from(count.inner, 0), team.from(count.leaves, 0)};
}

/// Sets the root's box to rectangle `root` of the view. The rectangle begins at (0, 0).
QAPFW_HD void slicing_set_root(const SlicingView& view, const SlicingTree& tree, const SlicingScratch& scratch,
                               uint32_t root) {
    double* top = scratch.box + 4 * uint32_t{tree.root()};
    top[0] = top[1] = 0.0;
    top[2] = view.root_width[root];
    top[3] = view.root_height[root];
}

/// Stores the centre of a department with this box, and its excess over its shape rule. Call it only if the instance
/// has no SlicingRule.
QAPFW_HD void slicing_note_box(const SlicingView& view, const SlicingPlaces& places, uint32_t department, double left,
                               double top, double width, double height) {
    const uint32_t row = view.row[department];
    places.x[row] = left + fbs_product(width, 0.5);
    places.y[row] = top + fbs_product(height, 0.5);
    const double longest = width > height ? width : height;
    const double over = fbs_product(longest, view.inverse_longest[department]) - 1.0;
    const double excess = 0.1 + (over < 2.0 ? over : 2.0);
    places.excess[department] = longest > view.longest[department] ? excess : 0.0;
}

/// Stores what follows from a department's box. If the instance has no SlicingRule: its centre, and its excess over its
/// shape rule. Otherwise: its box, and the point where its flows begin and end; slicing_judge() then stores the excess.
QAPFW_HD void slicing_note(const SlicingView& view, const SlicingScratch& scratch, uint32_t department) {
    const double* box = scratch.box + 4 * department;
    if (slicing_rules_of(view.practice) > 0) {
        const uint32_t row = view.row[department];
        const double* anchor = view.practice.anchor + 2 * department;
        for (uint32_t k = 0; k < 4; ++k) scratch.places.box[4 * department + k] = box[k];
        scratch.places.x[row] = box[0] + fbs_product(box[2], anchor[0]);
        scratch.places.y[row] = box[1] + fbs_product(box[3], anchor[1]);
        return;
    }
    slicing_note_box(view, scratch.places, department, box[0], box[1], box[2], box[3]);
}

/// Stores the excess over each rule. `size` threads call the function, and thread `rank` stores its part of the
/// excesses. The boxes of all departments must have been stored before.
QAPFW_HD void slicing_judge(const SlicingView& view, const SlicingPlaces& places, uint32_t rank, uint32_t size) {
    for (uint32_t k = rank; k < slicing_rules_of(view.practice); k += size) {
        places.excess[view.departments + k] = slicing_excess(view.practice, view.practice.rule[k], places.box);
    }
}

/// Computes the boxes of all nodes that slicing_areas has listed, then the centres and excesses that follow from these
/// boxes. The caller has set the box of the top node. O(number of nodes and rules).
QAPFW_HD void slicing_place(const SlicingView& view, const SlicingTree& tree, const SlicingScratch& scratch,
                            const SlicingNodes& nodes) {
    slicing_split_all(view, tree, scratch, nodes);
    for (uint32_t k = 0; k < nodes.leaves; ++k) slicing_note(view, scratch, scratch.leaves[k]);
    slicing_judge(view, scratch.places, 0, 1);
}

/// Adds up the excesses of all departments and rules, and counts the excesses that are not 0. All departments have been
/// placed. Excess k belongs to partial sum k % 8. Then the upper half of the partial sums is added to the lower half
/// until one sum is left. O(n).
QAPFW_HD SlicingShapes slicing_shapes(const SlicingView& view, const SlicingPlaces& places) {
    double excess[kSlicingBlock] = {};
    uint32_t bad[kSlicingBlock] = {};
    for (uint32_t d = 0; d < view.departments + slicing_rules_of(view.practice); d += kSlicingBlock) {
        for (uint32_t k = 0; k < kSlicingBlock; ++k) {
            excess[k] += places.excess[d + k];
            bad[k] += places.excess[d + k] > 0.0 ? 1u : 0u;
        }
    }
    for (uint32_t half = kSlicingBlock / 2; half > 0; half /= 2) {
        for (uint32_t k = 0; k < half; ++k) {
            excess[k] += excess[k + half];
            bad[k] += bad[k + half];
        }
    }
    return {bad[0], excess[0]};
}

/// Flow times distance for one entry of the flow matrix. `dx`, `dy`: absolute differences of the coordinates.
QAPFW_HD double slicing_pair(double flow, double dx, double dy, uint32_t euclidean) {
    return fbs_product(flow, euclidean ? fbs_square_root(fbs_product(dx, dx) + fbs_product(dy, dy)) : dx + dy);
}

/// Returns partial sum r * 8 + c. Adds flow times distance over the entries (i, j) with i % 4 = r and j % 8 = c, by
/// ascending i, then j.
QAPFW_HD double slicing_partial(const SlicingView& view, const double* x, const double* y, uint32_t r, uint32_t c) {
    double sum = 0;
    for (uint32_t i = r; i < view.rows; i += 4) {
        const double* flow = view.flow + size_t{i} * view.stride;
        for (uint32_t j = i / kSlicingBlock * kSlicingBlock + c; j < view.stride; j += kSlicingBlock) {
            if (slicing_rules_of(view.practice) > 0 && view.practice.floors > 1) {
                sum += fbs_product(flow[j], slicing_way(view.practice, x[i], y[i], x[j], y[j], view.euclidean));
                continue;
            }
            sum += slicing_pair(flow[j], fbs_distance(x[i], x[j]), fbs_distance(y[i], y[j]), view.euclidean);
        }
    }
    return sum;
}

/// Folds 32 partial sums and returns their total.
QAPFW_HD double slicing_fold(double* partial) {
    for (uint32_t half = 16; half > 0; half /= 2) {
        for (uint32_t lane = 0; lane < half; ++lane) partial[lane] += partial[lane + half];
    }
    return partial[0];
}

/// The sum of flow times distance for these centres. O(rows * stride).
QAPFW_HD double slicing_flow_cost(const SlicingView& view, const double* x, const double* y) {
    double partial[32];
    for (uint32_t r = 0; r < 4; ++r) {
        for (uint32_t c = 0; c < kSlicingBlock; ++c) {
            partial[r * kSlicingBlock + c] = slicing_partial(view, x, y, r, c);
        }
    }
    return slicing_fold(partial);
}

/// Evaluates a tree in each of the root's rectangles. Returns the result with the lowest objective, the first one of
/// equal results. `flow_cost(x, y)` returns the value of slicing_flow_cost, but may use vectors or a group of threads.
template <class FlowCost>
QAPFW_HD FbsResult<double> slicing_evaluate(const SlicingView& view, const SlicingTree& tree,
                                            const SlicingScratch& scratch, FlowCost flow_cost) {
    const SlicingNodes nodes = slicing_areas(view, tree, scratch, tree.root());
    FbsResult<double> best{};
    for (uint32_t root = 0; root < view.roots; ++root) {
        slicing_set_root(view, tree, scratch, root);
        slicing_place(view, tree, scratch, nodes);
        const uint32_t violations = slicing_shapes(view, scratch.places).violations;
        const double cost = flow_cost(scratch.places.x, scratch.places.y);
        const double objective = fbs_objective(view, cost, violations);
        if (root > 0 && !(objective < best.objective)) continue;
        best = FbsResult<double>{objective, cost, violations, root};
    }
    return best;
}

}  // namespace qapfw::kernels
