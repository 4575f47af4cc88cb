// SPDX-License-Identifier: Apache-2.0
// Layouts by slicing trees as plain data: what a cost function reads. Valid on the host and on the device; owns
// nothing. The root's rectangle is the plant (or as much of it as the areas fill); each inner node splits its width
// (cut 1) or its height (cut 0) in proportion to the areas below its children.
#pragma once

#include "qapfw/kernels/fbs_view.hpp"
#include "qapfw/kernels/slicing_tree.hpp"

namespace qapfw::kernels {

/// Flows are a matrix by rows, whose rows are padded with zeros to whole blocks of so many columns. Sums over
/// departments have so many partial sums.
constexpr uint32_t kSlicingBlock = 8;

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
    const double* area;             ///< multiples of one power of two, so that every sum of them is exact
    const double* longest;          ///< longest side that a department's rule allows, with the tolerance; or infinite
    const double* inverse_longest;  ///< 1 / longest; 0 without a rule
    const uint32_t* row;            ///< row of the flow matrix of each department; `stride` without flow
    const uint16_t* spaces;         ///< departments of empty space: no rule and no flow
    uint32_t space_count;
    uint32_t reserved;
    const double* flow;  ///< rows * stride; entry (i, j), j > i: flow in both directions together; else 0
};

/// What an evaluation finds of each department, in memory of somebody else: three arrays one behind the other, whose
/// entries behind the last one in use are 0.
struct SlicingPlaces {
    double* x;       ///< centres by row of the flow matrix: stride + kSlicingBlock entries
    double* y;       ///< the same
    double* excess;  ///< of each department; 0: keeps its rule. kSlicingBlock entries more than departments, at most
};

/// Scratch of an evaluation, in memory of somebody else; slicing_prepare comes before its first use.
struct SlicingScratch {
    SlicingPlaces places;
    double* area;      ///< below each node
    double* box;       ///< of each node: left, top, width and height
    uint16_t* order;   ///< n entries: the inner nodes, each one before those below it
    uint16_t* leaves;  ///< n + 1 entries
};

QAPFW_HD constexpr uint32_t slicing_padded(uint32_t n) {
    return (n + kSlicingBlock - 1) / kSlicingBlock * kSlicingBlock;
}
/// The numbers that places take.
QAPFW_HD constexpr uint32_t slicing_places_numbers(uint32_t n, uint32_t stride) {
    return 2 * (stride + kSlicingBlock) + slicing_padded(n);
}
QAPFW_HD SlicingPlaces slicing_places(double* numbers, uint32_t stride) {
    return {numbers, numbers + stride + kSlicingBlock, numbers + 2 * (stride + kSlicingBlock)};
}
/// The numbers and the indices that a scratch takes.
QAPFW_HD constexpr uint32_t slicing_scratch_numbers(uint32_t n, uint32_t stride) {
    return slicing_places_numbers(n, stride) + 5 * (2 * n - 1);
}
QAPFW_HD constexpr uint32_t slicing_scratch_indices(uint32_t n) {
    return 2 * n + 1;
}

/// A scratch in slicing_scratch_numbers(n, stride) numbers and slicing_scratch_indices(n) indices; places come first.
QAPFW_HD SlicingScratch slicing_scratch(double* numbers, uint16_t* indices, uint32_t n, uint32_t stride) {
    double* const box = numbers + slicing_places_numbers(n, stride);
    return {slicing_places(numbers, stride), box + 4 * (2 * n - 1), box, indices, indices + n};
}

/// Fills what stays the same in all evaluations: thread `rank` of `size` threads.
QAPFW_HD void slicing_prepare(const SlicingView& view, const SlicingScratch& scratch, uint32_t rank, uint32_t size) {
    const uint32_t n = view.departments;
    for (uint32_t k = rank; k < slicing_places_numbers(n, view.stride); k += size) scratch.places.x[k] = 0.0;
    for (uint32_t d = rank; d < n; d += size) scratch.area[d] = view.area[d];
}

/// What a placement finds beside the centres.
struct SlicingShapes {
    uint32_t violations;  ///< departments that break their shape rule
    double excess;        ///< sum over them of 0.1 + min(longest side / allowed longest side - 1, 2)
};

}  // namespace qapfw::kernels
