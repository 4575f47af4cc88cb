// SPDX-License-Identifier: Apache-2.0
// Cost of a layout by a slicing tree: the sum over pairs of flow * distance of centres. The sum has one declared shape:
// entry (i, j) of the flow matrix belongs to partial sum (i % 4) * 8 + j % 8; each partial sum goes by ascending i,
// then j; then the 32 partial sums fold in halves (l += l + 16, 8, 4, 2, 1). Scalar code (here), vectors (the problem's
// host code) and a warp (problems/uaflp/device) all keep this shape, so all give the same bits. Only + - * / sqrt are
// used; products are rounded before they are added.
#pragma once

#include "qapfw/kernels/fbs_cost.hpp"
#include "qapfw/kernels/slicing_view.hpp"

namespace qapfw::kernels {

/// Writes the inner nodes into `order`, each one before those below it, and the area below each of them. O(n).
QAPFW_HD void slicing_areas(const SlicingView& view, const SlicingTree& tree, const SlicingScratch& scratch) {
    const uint32_t n = tree.n;
    uint32_t count = 0;
    if (!tree.is_leaf(tree.root())) scratch.order[count++] = tree.root();
    for (uint32_t k = 0; k < count; ++k) {  // breadth first: the order is its own queue
        for (uint32_t which = 0; which < 2; ++which) {
            const uint32_t below = tree.child(scratch.order[k], which);
            scratch.order[count] = static_cast<uint16_t>(below);  // stays only if it is an inner node
            count += below >= n ? 1u : 0u;
        }
    }
    for (uint32_t k = count; k > 0; --k) {
        const uint32_t node = scratch.order[k - 1];
        double sum = 0;
        for (uint32_t which = 0; which < 2; ++which) {
            const uint32_t below = tree.child(node, which);
            sum += below < n ? view.area[below] : scratch.area[below - n];
        }
        scratch.area[node - n] = sum;
    }
}

/// The longest side of a department beside the one that its rule allows.
QAPFW_HD void slicing_judge(const SlicingView& view, uint32_t department, double width, double height,
                            SlicingShapes& shapes) {
    const double longest = width > height ? width : height;
    const double allowed = view.longest[department];
    if (longest <= allowed) return;
    const double excess = longest / allowed - 1.0;
    shapes.violations += 1;
    shapes.excess += 0.1 + (excess < 2.0 ? excess : 2.0);
}

/// The rectangle of a child of a node that has this rectangle and area.
struct SlicingBox {
    double x, y, width, height;
};
QAPFW_HD SlicingBox slicing_child_box(const SlicingBox& box, uint32_t cut, uint32_t which, double first_area,
                                      double own_area, double inverse_area) {
    const double own = fbs_product(own_area, inverse_area);
    const double before = which == 0 ? 0.0 : fbs_product(first_area, inverse_area);
    if (cut == kSlicingCutWidth) {
        return {box.x + fbs_product(box.width, before), box.y, fbs_product(box.width, own), box.height};
    }
    return {box.x, box.y + fbs_product(box.height, before), box.width, fbs_product(box.height, own)};
}

/// Calls place(department, box) for each leaf, with the root's rectangle number `root`. slicing_areas comes before.
/// O(n).
template <class Place>
QAPFW_HD void slicing_boxes(const SlicingView& view, const SlicingTree& tree, const SlicingScratch& scratch,
                            uint32_t root, Place place) {
    const uint32_t n = tree.n;
    const SlicingBox plant{0.0, 0.0, view.root_width[root], view.root_height[root]};
    if (n == 1) return place(uint32_t{0}, plant);
    const uint32_t top = 4 * (scratch.order[0] - n);
    scratch.box[top] = plant.x;
    scratch.box[top + 1] = plant.y;
    scratch.box[top + 2] = plant.width;
    scratch.box[top + 3] = plant.height;
    for (uint32_t k = 0; k + 1 < n; ++k) {
        const uint32_t node = scratch.order[k];
        const double* at = scratch.box + 4 * (node - n);
        const SlicingBox box{at[0], at[1], at[2], at[3]};
        const double inverse = 1.0 / scratch.area[node - n];
        const uint32_t first = tree.child(node, 0);
        const double first_area = first < n ? view.area[first] : scratch.area[first - n];
        for (uint32_t which = 0; which < 2; ++which) {
            const uint32_t below = tree.child(node, which);
            const double area = below < n ? view.area[below] : scratch.area[below - n];
            const SlicingBox part = slicing_child_box(box, tree.cut(node), which, first_area, area, inverse);
            if (below < n) {
                place(below, part);
            } else {
                double* to = scratch.box + 4 * (below - n);
                to[0] = part.x;
                to[1] = part.y;
                to[2] = part.width;
                to[3] = part.height;
            }
        }
    }
}

/// Centres by row of the flow matrix, and shapes. slicing_areas comes before. O(n).
QAPFW_HD SlicingShapes slicing_place(const SlicingView& view, const SlicingTree& tree, const SlicingScratch& scratch,
                                     uint32_t root) {
    SlicingShapes shapes{0, 0.0};
    slicing_boxes(view, tree, scratch, root, [&](uint32_t department, const SlicingBox& box) {
        slicing_judge(view, department, box.width, box.height, shapes);
        const uint32_t row = view.row[department];
        if (row == kSlicingNoRow) return;
        scratch.x[row] = box.x + fbs_product(box.width, 0.5);
        scratch.y[row] = box.y + fbs_product(box.height, 0.5);
    });
    return shapes;
}

/// Flow times distance of one entry of the matrix.
QAPFW_HD double slicing_pair(double flow, double dx, double dy, uint32_t euclidean) {
    return fbs_product(flow, euclidean ? fbs_square_root(fbs_product(dx, dx) + fbs_product(dy, dy)) : dx + dy);
}

/// Adds the entries of the matrix that belong to partial sum r * 8 + c, in order.
QAPFW_HD double slicing_partial(const SlicingView& view, const double* x, const double* y, uint32_t r, uint32_t c) {
    double sum = 0;
    for (uint32_t i = r; i < view.rows; i += 4) {
        const double* flow = view.flow + size_t{i} * view.stride;
        for (uint32_t j = i / kSlicingBlock * kSlicingBlock + c; j < view.stride; j += kSlicingBlock) {
            sum += slicing_pair(flow[j], fbs_distance(x[i], x[j]), fbs_distance(y[i], y[j]), view.euclidean);
        }
    }
    return sum;
}

/// Folds 32 partial sums.
QAPFW_HD double slicing_fold(double* partial) {
    for (uint32_t half = 16; half > 0; half /= 2) {
        for (uint32_t lane = 0; lane < half; ++lane) partial[lane] += partial[lane + half];
    }
    return partial[0];
}

/// The flow cost of centres. O(rows * stride).
QAPFW_HD double slicing_flow_cost(const SlicingView& view, const double* x, const double* y) {
    double partial[32];
    for (uint32_t r = 0; r < 4; ++r) {
        for (uint32_t c = 0; c < kSlicingBlock; ++c) {
            partial[r * kSlicingBlock + c] = slicing_partial(view, x, y, r, c);
        }
    }
    return slicing_fold(partial);
}

/// The better one of the root's rectangles, by objective; the first one if they are equal. `flow_cost(x, y)` sums the
/// flows: slicing_flow_cost, or the same by vectors or by a warp.
template <class FlowCost>
QAPFW_HD FbsResult<double> slicing_evaluate(const SlicingView& view, const SlicingTree& tree,
                                            const SlicingScratch& scratch, FlowCost flow_cost) {
    slicing_areas(view, tree, scratch);
    FbsResult<double> best{};
    for (uint32_t root = 0; root < view.roots; ++root) {
        const SlicingShapes shapes = slicing_place(view, tree, scratch, root);
        const double cost = flow_cost(scratch.x, scratch.y);
        const double objective = fbs_objective(view, cost, shapes.violations);
        if (root > 0 && !(objective < best.objective)) continue;
        best = FbsResult<double>{objective, cost, shapes.violations, root};
    }
    return best;
}

}  // namespace qapfw::kernels
