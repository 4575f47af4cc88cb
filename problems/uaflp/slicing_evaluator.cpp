// SPDX-License-Identifier: Apache-2.0
// Prepares an instance for the kernels of slicing trees, and runs them on the host.
#include "problems/uaflp/slicing_evaluator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "problems/uaflp/evaluation_parts.hpp"
#include "qapfw/error.hpp"
#include "qapfw/kernels/slicing_cost.hpp"

namespace qapfw::uaflp {
namespace {

static_assert(kMaxDepartments <= kernels::kSlicingMost);

/// The two root rectangles count as equal if their widths differ by at most this fraction of the plant's width. The
/// rectangles are equal if the areas fill the plant.
constexpr double kSameRoot = 1e-9;

/// Row number of a department that has no flow. set_rows() replaces it by the stride when the stride is known.
constexpr std::uint32_t kNoRow = 0xFFFFFFFFu;

/// Joins `nodes` by inner nodes with the same `cut`, so that nodes[k] lies above or left of nodes[k + 1]. Takes the
/// inner nodes from `next_inner` on and advances `next_inner`. Returns the root of the joined nodes.
std::uint32_t chain(const kernels::SlicingTree& tree, std::span<const std::uint32_t> nodes, std::uint32_t cut,
                    std::uint32_t& next_inner) {
    std::uint32_t top = nodes[0];
    for (const std::uint32_t node : nodes.subspan(1)) {
        const std::uint32_t above = next_inner++;
        tree.hang(above, top, node);
        tree.cut(above) = static_cast<std::uint16_t>(cut);
        top = above;
    }
    return top;
}

}  // namespace

SlicingFlowFunction slicing_flow_function(VectorLevel level) {
    switch (level) {
        case VectorLevel::kAvx512:
            return slicing_flow_avx512;
        case VectorLevel::kAvx2:
            return slicing_flow_avx2;
        default:
            return slicing_flow_plain;
    }
}

void check_code(std::size_t n, std::span<const std::uint16_t> perm, std::span<const std::uint16_t> genes) {
    if (genes.size() + 1 != n) {
        throw Error(ErrorKind::kInput,
                    fmt::format("a tree of {} departments needs {} genes, found {}", n, n - 1, genes.size()));
    }
    check_permutation(n, perm);
    for (std::uint32_t k = 1; k < n; ++k) {
        if (genes[k - 1] >= kernels::slicing_gene_values(k)) {
            throw Error(ErrorKind::kInput, fmt::format("gene {} is {}, but it must be below {}", k, genes[k - 1],
                                                       kernels::slicing_gene_values(k)));
        }
    }
}

OwnedTree tree_of(std::span<const std::uint16_t> perm, std::span<const std::uint16_t> genes) {
    OwnedTree tree(perm.size());
    kernels::slicing_decode(perm.data(), genes.data(), tree.view());
    return tree;
}

SlicingCode code_of(OwnedTree tree, std::span<const std::uint16_t> perm) {
    SlicingCode code{{perm.begin(), perm.end()}, std::vector<std::uint16_t>(perm.size() - 1)};
    std::vector<std::uint16_t> numbers(2 * perm.size() - 1);
    std::uint16_t* const genes = code.genes.data();
    kernels::slicing_encode(tree.view(), perm.data(), genes, numbers);
    return code;
}

OwnedTree tree_of_bays(std::span<const std::uint16_t> perm, std::span<const std::uint8_t> bits, bool across_width) {
    OwnedTree owned(perm.size());
    const kernels::SlicingTree tree = owned.view();
    const std::uint32_t across = across_width ? kernels::kSlicingCutWidth : kernels::kSlicingCutHeight;
    auto next_inner = static_cast<std::uint32_t>(perm.size());
    std::vector<std::uint32_t> bay, bays;
    for (std::size_t k = 0; k < perm.size(); ++k) {
        bay.push_back(perm[k]);
        if (k + 1 < perm.size() && bits[k] == 0) continue;
        bays.push_back(chain(tree, bay, 1 - across, next_inner));
        bay.clear();
    }
    const std::uint32_t top = chain(tree, bays, across, next_inner);
    tree.root() = static_cast<std::uint16_t>(top);
    tree.parent(top) = static_cast<std::uint16_t>(kernels::kSlicingNone);
    return owned;
}

SlicingWorkspace::SlicingWorkspace(const kernels::SlicingView& view)
    : numbers_(kernels::slicing_scratch_numbers(kernels::slicing_extent(view))),
      indices_(kernels::slicing_scratch_indices(view.departments)),
      tree_(view.departments),
      scratch_(kernels::slicing_scratch(numbers_.data(), indices_.data(), kernels::slicing_extent(view))) {
    kernels::slicing_prepare(view, scratch_, 0, 1);
}

SlicingEvaluator::SlicingEvaluator(const UaflpInstance& instance, const EvaluationOptions& options)
    : practice_(instance, options), flow_function_(slicing_flow_function(best_vector_level())) {
    check_options(options);
    view_.practice = practice_.view();
    if (view_.practice.floors > 1) flow_function_ = kernels::slicing_flow_cost;
    view_.departments = static_cast<std::uint32_t>(instance.size());
    view_.euclidean = instance.metric == Metric::kEuclidean ? 1 : 0;
    set_areas(instance);
    set_roots(instance, options);
    set_flows(instance);
    set_penalty(instance, options);
    for (const Department& d : instance.departments) {
        double longest = std::numeric_limits<double>::infinity();
        if (d.rule.max_aspect_ratio > 0) {
            longest = std::sqrt(d.area * d.rule.max_aspect_ratio * (1 + options.tolerance));
        }
        // If there are practical rules, the shape rule is one of them, so the length is not limited here.
        if (view_.practice.rules > 0) longest = std::numeric_limits<double>::infinity();
        if (view_.practice.rules == 0 && d.rule.min_side > 0)
            longest = std::min(longest, d.area / (d.rule.min_side * (1 - options.tolerance)));
        longest_.push_back(longest);
        inverse_longest_.push_back(1 / longest);
    }
    view_.longest = longest_.data();
    view_.inverse_longest = inverse_longest_.data();
}

void SlicingEvaluator::set_areas(const UaflpInstance& instance) {
    std::vector<double> areas = practice_.areas();
    if (areas.empty()) {
        for (const Department& d : instance.departments) areas.push_back(d.area);
    }
    double total = 0;
    for (const double area : areas) total += area;
    const double unit = exact_unit(total, std::numeric_limits<double>::digits);
    for (const double area : areas) area_.push_back(std::max(1.0, std::nearbyint(area / unit)) * unit);
    view_.area = area_.data();
}

/// Sets the root rectangles of trees. One rectangle is as high as the plant, and one is as wide as the plant. If the
/// areas fill the plant, the two are equal. If the plant is square, the two are mirror images. In both cases, sets only
/// the first. Else options.orientations may exclude one of them.
void SlicingEvaluator::set_roots(const UaflpInstance& instance, const EvaluationOptions& options) {
    if (view_.practice.rules > 0) {  // practical rules refer to positions in the plant, so trees fill the whole plant
        view_.roots = 1;
        view_.root_width[0] = practice_.root_width();
        view_.root_height[0] = instance.height;
        return;
    }
    double total = 0;
    for (const double area : area_) total += area;
    const double roots[2][2] = {{total / instance.height, instance.height}, {instance.width, total / instance.width}};
    const bool same =
        instance.width == instance.height || std::abs(roots[0][0] - instance.width) <= kSameRoot * instance.width;
    for (std::uint32_t root = 0; root < 2; ++root) {
        if (root == 0 && options.orientations == Orientations::kAcrossHeight && !same) continue;
        if (root == 1 && (options.orientations == Orientations::kAcrossWidth || same)) continue;
        view_.root_width[view_.roots] = roots[root][0];
        view_.root_height[view_.roots++] = roots[root][1];
    }
}

/// Numbers the rows of the flow matrix: first one row for each department with flow, then one for each fixed point.
void SlicingEvaluator::set_rows(const UaflpInstance& instance) {
    const std::size_t n = instance.size();
    std::vector<bool> meets_point(n, false);
    for (const PracticeRules::Flow& flow : practice_.flows()) meets_point[flow.department] = true;
    for (std::size_t d = 0; d < n; ++d) {
        bool flows = meets_point[d];
        for (std::size_t other = 0; other < n && !flows; ++other) {
            flows = other != d && instance.flow_between(d, other) != 0;
        }
        row_.push_back(flows ? view_.rows++ : kNoRow);
        const Department& own = instance.departments[d];
        if (!flows && !own.rule.any() && !own.place) spaces_.push_back(static_cast<std::uint16_t>(d));
    }
    view_.rows += view_.practice.points;
    view_.stride = (view_.rows + kernels::kSlicingBlock - 1) / kernels::kSlicingBlock * kernels::kSlicingBlock;
    for (std::uint32_t& row : row_) row = std::min(row, view_.stride);
    view_.row = row_.data();
    view_.spaces = spaces_.data();
    view_.space_count = static_cast<std::uint32_t>(spaces_.size());
}

void SlicingEvaluator::set_flows(const UaflpInstance& instance) {
    const std::size_t n = instance.size();
    set_rows(instance);
    flow_.assign(std::size_t{view_.rows} * view_.stride, 0.0);
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = i + 1; j < n; ++j) {
            if (instance.flow_between(i, j) == 0) continue;
            flow_[std::size_t{row_[i]} * view_.stride + row_[j]] = instance.flow_between(i, j);
        }
    }
    for (const PracticeRules::Flow& flow : practice_.flows()) {
        flow_[std::size_t{row_[flow.department]} * view_.stride + view_.rows - view_.practice.points + flow.point] +=
            flow.flow;
    }
    view_.flow = flow_.data();
}

void SlicingEvaluator::set_penalty(const UaflpInstance& instance, const EvaluationOptions& options) {
    for (std::size_t d = 0; d <= instance.size() + view_.practice.rules; ++d) {
        penalty_weight_.push_back(d == 0 ? 0.0 : power(static_cast<double>(d), options.exponent));
    }
    view_.penalty_weight = penalty_weight_.data();
    double flow = 0;
    for (const double f : flow_) flow += f;
    const kernels::SlicingPractice& practice = view_.practice;
    if (practice.floors > 1) {  // the longest way by lift: twice the longest way on one floor, plus the way of the lift
        flow *= 2 + practice.floor_travel * practice.floors / (instance.width + instance.height);
    }
    set_penalty_rule(view_, instance, options, flow);
}

std::vector<ViewArray> SlicingEvaluator::view_arrays() const {
    std::vector<ViewArray> arrays;
    const auto add = [&](const auto& from, const auto& pointer) {
        const auto offset = reinterpret_cast<const std::byte*>(&pointer) - reinterpret_cast<const std::byte*>(&view_);
        arrays.push_back({from.data(), from.size() * sizeof(from[0]), static_cast<std::size_t>(offset)});
    };
    add(penalty_weight_, view_.penalty_weight);
    add(area_, view_.area);
    add(longest_, view_.longest);
    add(inverse_longest_, view_.inverse_longest);
    add(row_, view_.row);
    add(spaces_, view_.spaces);
    add(flow_, view_.flow);
    const auto practice =
        reinterpret_cast<const std::byte*>(&view_.practice) - reinterpret_cast<const std::byte*>(&view_);
    for (ViewArray array : practice_.arrays()) {
        array.view_offset += static_cast<std::size_t>(practice);
        arrays.push_back(array);
    }
    return arrays;
}

void SlicingEvaluator::set_adaptive_gap(double gap) {
    if (view_.penalty == kernels::kFbsPenaltyAdaptive) view_.penalty_scale = gap;
}

Evaluation SlicingEvaluator::evaluate(const kernels::SlicingTree& tree, SlicingWorkspace& workspace) const {
    return kernels::slicing_evaluate(view_, tree, workspace.scratch(),
                                     [this](const double* x, const double* y) { return flow_function_(view_, x, y); });
}

Evaluation SlicingEvaluator::evaluate(std::span<const std::uint16_t> perm, std::span<const std::uint16_t> genes,
                                      SlicingWorkspace& workspace) const {
    kernels::slicing_decode(perm.data(), genes.data(), workspace.tree());
    return evaluate(workspace.tree(), workspace);
}

Evaluation SlicingEvaluator::evaluate(std::span<const std::uint16_t> perm, std::span<const std::uint16_t> genes) const {
    SlicingWorkspace workspace(view_);
    return evaluate(perm, genes, workspace);
}

}  // namespace qapfw::uaflp
