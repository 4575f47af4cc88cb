// SPDX-License-Identifier: Apache-2.0
// Layouts by slicing trees as plain data: what a cost function reads. Valid on the host and on the device; owns
// nothing. The root's rectangle is the plant, or only a part of the plant if the areas do not fill it. Each inner node
// splits its width (cut 1) or its height (cut 0) in proportion to the areas below its children.
#pragma once

#include "qapfw/kernels/fbs_view.hpp"
#include "qapfw/kernels/slicing_rules.hpp"
#include "qapfw/kernels/slicing_tree.hpp"

namespace qapfw::kernels {

/// Number of columns in a block. Each row of the flow matrix is padded with zeros to whole blocks. A sum over
/// departments consists of kSlicingBlock partial sums.
constexpr uint32_t kSlicingBlock = 8;

struct SlicingView {
    uint32_t departments;
    uint32_t rows;       ///< rows of the flow matrix: departments with flow, then points
    uint32_t stride;     ///< entries of a row, a multiple of kSlicingBlock
    uint32_t euclidean;  ///< 1: Euclidean distance; 0: rectilinear distance
    uint32_t roots;      ///< number of rectangles tried as the root, 1 or 2; the better one is used
    FbsPenalty penalty;
    double penalty_scale;          ///< the factor (V_feas - V_all) or M in the formulas at FbsPenalty
    const double* penalty_weight;  ///< entry D is D^k (see FbsPenalty), for D = 0..departments + rules
    double root_width[2];
    double root_height[2];
    const double* area;             ///< areas of the departments: multiples of one power of two, so sums are exact
    const double* longest;          ///< longest allowed side of each department, with the tolerance; infinite: no limit
    const double* inverse_longest;  ///< 1 / longest; 0: no limit
    const uint32_t* row;            ///< per department: its row of the flow matrix; `stride` if it has no flow
    const uint16_t* spaces;         ///< departments of empty space: no shape rule, no fixed place and no flow
    uint32_t space_count;
    uint32_t reserved;
    const double* flow;  ///< rows * stride entries; entry (i, j) is flow i to j plus flow j to i if j > i, else 0
    SlicingPractice practice;
};

/// The numbers that decide how much memory an evaluation needs.
struct SlicingExtent {
    uint32_t departments, stride, rules;
};
QAPFW_HD SlicingExtent slicing_extent(const SlicingView& view) {
    return {view.departments, view.stride, slicing_rules_of(view.practice)};
}

/// Results of an evaluation, in the caller's memory. The arrays are contiguous; entries that only pad a block are 0.
struct SlicingPlaces {
    /// The point where each row's flows begin and end: a department's centre or door, or a fixed point. The arrays
    /// x and y have stride + kSlicingBlock entries. Departments without flow share entry `stride`.
    double* x;
    double* y;  ///< y of these points
    /// First the excess of each department over its shape rule, then the excess over each SlicingRule (see
    /// slicing_excess). An excess is 0 if the rule is kept. The array is padded to a multiple of kSlicingBlock entries.
    double* excess;
    double* box;  ///< with rules: left, top, width and height of each department
};

/// Scratch of an evaluation, in the caller's memory. Call slicing_prepare before its first use.
struct SlicingScratch {
    SlicingPlaces places;
    double* area;      ///< sum of the departments' areas below each node
    double* flexible;  ///< with rules: area of the empty space below each node, see SlicingPractice::flexible
    double* box;       ///< left, top, width and height of each node
    uint16_t* order;   ///< n entries: the inner nodes, each before those below it
    uint16_t* leaves;  ///< room for n + 1 entries: the leaves, then undefined entries
};

QAPFW_HD constexpr uint32_t slicing_padded(uint32_t n) {
    return (n + kSlicingBlock - 1) / kSlicingBlock * kSlicingBlock;
}
/// Number of doubles in a SlicingPlaces.
QAPFW_HD constexpr uint32_t slicing_places_numbers(const SlicingExtent& extent) {
    return 2 * (extent.stride + kSlicingBlock) + slicing_padded(extent.departments + extent.rules) +
           (extent.rules > 0 ? 4 * extent.departments : 0);
}
QAPFW_HD SlicingPlaces slicing_places(double* numbers, const SlicingExtent& extent) {
    double* const excess = numbers + 2 * (extent.stride + kSlicingBlock);
    return {numbers, numbers + extent.stride + kSlicingBlock, excess,
            excess + slicing_padded(extent.departments + extent.rules)};
}
/// Number of doubles in a SlicingScratch.
QAPFW_HD constexpr uint32_t slicing_scratch_numbers(const SlicingExtent& extent) {
    return slicing_places_numbers(extent) + (extent.rules > 0 ? 6 : 5) * (2 * extent.departments - 1);
}
/// Number of indices in a SlicingScratch.
QAPFW_HD constexpr uint32_t slicing_scratch_indices(uint32_t n) {
    return 2 * n + 1;
}

/// Makes a scratch in the memory of the caller: `numbers` has slicing_scratch_numbers(extent) doubles, and `indices`
/// has slicing_scratch_indices(n) indices. The SlicingPlaces lie at the beginning of `numbers`.
QAPFW_HD SlicingScratch slicing_scratch(double* numbers, uint16_t* indices, const SlicingExtent& extent) {
    const uint32_t n = extent.departments;
    double* const box = numbers + slicing_places_numbers(extent);
    return {slicing_places(numbers, extent), box + 4 * (2 * n - 1), box + 5 * (2 * n - 1), box, indices, indices + n};
}

/// Writes to `scratch` the data that are the same in all evaluations. Each of `size` threads calls this function with
/// its `rank` and writes a part of the data.
QAPFW_HD void slicing_prepare(const SlicingView& view, const SlicingScratch& scratch, uint32_t rank, uint32_t size) {
    const uint32_t n = view.departments, first = view.rows - view.practice.points;
    const uint32_t beyond = view.stride + kSlicingBlock;  // distance from an entry of x to the same entry of y
    for (uint32_t k = rank; k < slicing_places_numbers(slicing_extent(view)); k += size) {
        const uint32_t row = k < beyond ? k : k - beyond;
        const bool is_point = k < 2 * beyond && row >= first && row < view.rows;
        scratch.places.x[k] = is_point ? view.practice.point[2 * (row - first) + (k < beyond ? 0 : 1)] : 0.0;
    }
    for (uint32_t d = rank; d < n; d += size) {
        scratch.area[d] = view.area[d];
        if (slicing_rules_of(view.practice) > 0) scratch.flexible[d] = view.practice.flexible[d];
    }
}

/// The broken rules of a placement: their number and their excess.
struct SlicingShapes {
    uint32_t violations;  ///< number of departments that break their own shape rule, plus number of broken SlicingRules
    /// Sum of the excesses over the broken rules, each 0.1 to 2.1: see slicing_note_box and slicing_excess.
    double excess;
};

}  // namespace qapfw::kernels
