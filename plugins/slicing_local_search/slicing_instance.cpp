// SPDX-License-Identifier: Apache-2.0
#include "plugins/slicing_local_search/slicing_instance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace qapfw::slicing_local_search {

const qapfw_problem_slicing* table_of(const sdk::ProblemRef& problem) {
    return problem.capability<qapfw_problem_slicing>(QAPFW_PROBLEM_SLICING);
}

const qapfw_slicing& data_of(const sdk::ProblemRef& problem, const char* who) {
    const qapfw_problem_slicing* table = table_of(problem);
    const qapfw_slicing* data = table == nullptr ? nullptr : table->describe(problem.get()->problem);
    if (data == nullptr) {
        throw Error(ErrorKind::kUnsupported,
                    fmt::format("{} slicing_local_search needs a problem whose solutions are slicing trees, such as "
                                "uaflp with structure = \"slicing\"; the solutions of problem {} have another form",
                                who, problem.get()->id));
    }
    return *data;
}

SlicingInstance::SlicingInstance(const qapfw_slicing& data) {
    for (std::uint32_t d = 0; d < data.departments; ++d) inverse_longest_.push_back(1 / data.longest[d]);
    view_ = {};
    view_.departments = data.departments;
    view_.rows = data.rows;
    view_.stride = data.stride;
    view_.euclidean = data.euclidean;
    view_.roots = data.roots;
    for (std::uint32_t root = 0; root < data.roots; ++root) {
        view_.root_width[root] = data.root_width[root];
        view_.root_height[root] = data.root_height[root];
    }
    view_.area = data.area;
    view_.longest = data.longest;
    view_.inverse_longest = inverse_longest_.data();
    view_.row = data.row;
    view_.flow = data.flow;
    view_.spaces = data.spaces;
    view_.space_count = data.space_count;
    for (std::uint32_t k = 0; k < data.rule_count; ++k) {
        const qapfw_slicing_rule& rule = data.rules[k];
        rules_.push_back({rule.kind,
                          rule.first,
                          rule.second,
                          0,
                          {rule.number[0], rule.number[1], rule.number[2], rule.number[3]},
                          rule.tolerance,
                          rule.scale});
    }
    view_.practice = {
        data.rule_count,  data.point_count, data.place_count,  data.floors,   data.lift_count, 0,
        data.floor_width, data.floor_pitch, data.floor_travel, rules_.data(), data.points,     data.places,
        data.flexible,    data.anchors,     data.lifts};
}

/// ln x for x > 0, computed only by + - * /, so that all machines agree.
double logarithm(double x) {
    int exponent = 0;
    const double m = std::frexp(x, &exponent), t = (m - 1) / (m + 1);
    double series = 0;
    for (int k = 41; k > 0; k -= 2) series = 1.0 / k + series * t * t;
    return exponent * 0.69314718055994530942 + 2 * t * series;
}

/// Returns the cumulative probabilities of the kinds of moves, as limits for a random 32-bit word.
kernels::SlicingMoveLimits move_limits(bool has_spaces) {
    double parts[kernels::kSlicingMoveKinds] = {};
    parts[kernels::kSlicingSwapLeaves] = 0.25;
    parts[kernels::kSlicingGraftLeaf] = 0.25;
    parts[kernels::kSlicingSwapSubtrees] = 0.10;
    parts[kernels::kSlicingGraftSubtree] = 0.10;
    parts[kernels::kSlicingFlipCut] = 0.14;
    parts[kernels::kSlicingSwapChildren] = 0.09;
    parts[kernels::kSlicingTurnSubtree] = 0.07;
    const double compound = 0.125, spaces = has_spaces ? 0.06 : 0;
    for (double& part : parts) part *= 1 - compound - spaces;
    for (const auto kind : {kernels::kSlicingCross, kernels::kSlicingRotate, kernels::kSlicingFlipTwo}) {
        parts[kind] = compound / 3;
    }
    parts[kernels::kSlicingMoveSpace] = spaces;
    kernels::SlicingMoveLimits limits{};
    double sum = 0;
    for (std::size_t k = 0; k < kernels::kSlicingMoveKinds; ++k) {
        sum += parts[k];
        limits.limit[k] = static_cast<std::uint32_t>(std::min(4294967295.0, sum * 4294967296.0));
    }
    return limits;
}

}  // namespace qapfw::slicing_local_search
