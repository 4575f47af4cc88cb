// SPDX-License-Identifier: Apache-2.0
// Layouts by slicing trees as plain data: what a cost function reads. Valid on the host and on the device; owns
// nothing. The root's rectangle is the plant (or as much of it as the areas fill); each inner node splits its width
// (cut 1) or its height (cut 0) in proportion to the areas below its children.
#pragma once

#include "qapfw/kernels/fbs_view.hpp"
#include "qapfw/kernels/slicing_tree.hpp"

namespace qapfw::kernels {

/// Flows are a matrix by rows, whose rows are padded with zeros to whole blocks of so many columns.
constexpr uint32_t kSlicingBlock = 8;
/// The row of a department without flow.
constexpr uint32_t kSlicingNoRow = 0xFFFFu;

struct SlicingView {
    uint32_t departments;
    uint32_t rows;       ///< of the flow matrix: departments with flow
    uint32_t stride;     ///< entries of a row, a multiple of kSlicingBlock
    uint32_t euclidean;  ///< 0: rectilinear distance
    uint32_t roots;      ///< rectangles that are tried as the root, 1 or 2; the better one counts
    FbsPenalty penalty;
    double penalty_scale;          ///< V_feas - V_all, or M
    const double* penalty_weight;  ///< D^k for D = 0..departments
    double root_width[2];
    double root_height[2];
    const double* area;     ///< multiples of one power of two, so that every sum of them is exact
    const double* longest;  ///< longest side that a department's rule allows, with the tolerance; infinite without one
    const uint32_t* row;    ///< row of the flow matrix of each department, or kSlicingNoRow
    const double* flow;     ///< rows * stride; entry (i, j), j > i: flow in both directions together; else 0
};

/// Scratch of an evaluation, in memory of somebody else.
struct SlicingScratch {
    double* x;  ///< centres by row of the flow matrix: `stride` entries, of which those behind the rows are 0
    double* y;
    double* area;     ///< n - 1 entries: area below each inner node
    double* box;      ///< 4 (n - 1) entries: left, top, width and height of each inner node
    uint16_t* order;  ///< n entries
};

/// The numbers and the indices that a scratch takes.
QAPFW_HD constexpr uint32_t slicing_scratch_numbers(uint32_t n, uint32_t stride) {
    return 2 * stride + 5 * (n - 1);
}
QAPFW_HD constexpr uint32_t slicing_scratch_indices(uint32_t n) {
    return n;
}

/// A scratch in slicing_scratch_numbers(n, stride) numbers and slicing_scratch_indices(n) indices; x comes first.
QAPFW_HD SlicingScratch slicing_scratch(double* numbers, uint16_t* indices, uint32_t n, uint32_t stride) {
    double* const area = numbers + 2 * stride;
    return {numbers, numbers + stride, area, area + (n - 1), indices};
}

/// What a placement finds beside the centres.
struct SlicingShapes {
    uint32_t violations;  ///< departments that break their shape rule
    double excess;        ///< sum over them of 0.1 + min(longest side / allowed longest side - 1, 2)
};

}  // namespace qapfw::kernels
