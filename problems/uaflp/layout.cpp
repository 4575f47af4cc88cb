// SPDX-License-Identifier: Apache-2.0
// Turns a solution into rectangles.
#include "problems/uaflp/layout.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "qapfw/kernels/fbs_decode.hpp"

namespace qapfw::uaflp {
namespace {

using View = kernels::FbsView<double>;

/// Makes a rectangle from its position and its size. Both are given in two directions: across the bays and along them.
/// If `across_width`, across is x and along is y; otherwise across is y and along is x.
Rectangle turned(bool across_width, double across, double along, double across_size, double along_size) {
    return across_width ? Rectangle{across, along, across_size, along_size}
                        : Rectangle{along, across, along_size, across_size};
}

/// Places the departments of positions [first, last) as the next bay, which starts at `across`. Returns the bay's
/// width.
double place_bay(const UaflpInstance& instance, const View& view, size_t first, size_t last, double across,
                 Layout& layout) {
    double area = 0;
    double exact_area = 0;  // sum of the evaluator's areas, which have exact sums; decides feasibility
    for (size_t k = first; k < last; ++k) {
        area += instance.departments[layout.perm[k]].area;
        exact_area += view.area[layout.perm[k]];
    }
    const double width = area / layout.bay_height;
    const auto& limits = view.orientation[layout.evaluation.orientation];
    PlacedBay bay;
    double along = 0;
    for (size_t k = first; k < last; ++k) {
        const size_t d = layout.perm[k];
        const double height = instance.departments[d].area / width;
        PlacedDepartment& placed = layout.departments[d];
        placed.bay = layout.bays.size();
        placed.position = k - first;
        placed.box = turned(layout.across_width(), across, along, width, height);
        placed.aspect_ratio = std::max(width, height) / std::min(width, height);
        placed.feasible = !kernels::fbs_violates(exact_area, limits.min_bay_area[d], limits.max_bay_area[d]);
        bay.departments.push_back(d);
        along += height;
    }
    bay.box = turned(layout.across_width(), across, 0, width, layout.bay_height);
    layout.bays.push_back(std::move(bay));
    return width;
}

}  // namespace

Layout make_layout(const UaflpInstance& instance, std::span<const std::uint16_t> perm,
                   std::span<const std::uint8_t> bits, EvaluationOptions options) {
    check_solution(instance.size(), perm, bits);
    options.penalty = Penalty::kFeasibleFirst;
    const Evaluator evaluator(instance, options);
    Layout layout;
    layout.perm.assign(perm.begin(), perm.end());
    layout.bits.assign(bits.begin(), bits.end());
    layout.evaluation = evaluator.evaluate(perm, bits);
    layout.bay_height = layout.across_width() ? instance.height : instance.width;
    layout.departments.resize(instance.size());
    size_t first = 0;
    double across = 0;
    for (size_t k = 0; k < instance.size(); ++k) {
        if (k + 1 < instance.size() && !bits[k]) continue;
        across += place_bay(instance, evaluator.view(), first, k + 1, across, layout);
        first = k + 1;
    }
    return layout;
}

std::string describe_faults(const Layout& layout) {
    constexpr size_t kMostSentences = 5;
    const unsigned bad = layout.evaluation.violations;
    std::string shapes =
        bad == 0 ? "" : fmt::format("shape rule broken by {} of {} departments", bad, layout.departments.size());
    for (size_t k = 0; k < std::min(layout.broken.size(), kMostSentences); ++k) {
        shapes = (k == 0 ? "not kept: " : shapes + "; ") + layout.broken[k].sentence;
    }
    if (layout.broken.size() > kMostSentences) {
        shapes += fmt::format("; and {} more rules", layout.broken.size() - kMostSentences);
    }
    return shapes;
}

std::string describe_layout(const Layout& layout) {
    std::string shapes = describe_faults(layout);
    if (shapes.empty()) shapes = "feasible";
    if (layout.is_slicing()) return fmt::format("cost {:.10g}, slicing tree, {}", layout.evaluation.cost, shapes);
    return fmt::format("cost {:.10g}, {} bay{} along the {}, bay height {:.6g}, {}", layout.evaluation.cost,
                       layout.bays.size(), layout.bays.size() == 1 ? "" : "s",
                       layout.across_width() ? "width" : "height", layout.bay_height, shapes);
}

}  // namespace qapfw::uaflp
