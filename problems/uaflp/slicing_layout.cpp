// SPDX-License-Identifier: Apache-2.0
#include "problems/uaflp/slicing_layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "qapfw/kernels/slicing_cost.hpp"

namespace qapfw::uaflp {
namespace {

/// Allowed overlap of two rectangles, relative to the largest coordinate of any edge.
constexpr double kOverlap = 1e-6;

std::string text_of(const kernels::SlicingTree& tree, std::uint32_t top) {
    // This function uses no recursion, since a tree may have as many levels as departments.
    std::string out;
    struct Step {
        std::uint32_t node, done;
    };
    std::vector<Step> steps{{top, 0}};
    while (!steps.empty()) {
        Step& step = steps.back();
        if (tree.is_leaf(step.node)) {
            out += std::to_string(step.node + 1);
            steps.pop_back();
        } else if (step.done == 2) {
            if (step.node != top) out += ')';
            steps.pop_back();
        } else {
            if (step.done == 0 && step.node != top) out += '(';
            if (step.done == 1) out += tree.cut(step.node) == kernels::kSlicingCutWidth ? " | " : " / ";
            const std::uint32_t child = tree.child(step.node, step.done++);
            steps.push_back({child, 0});
        }
    }
    return out;
}

/// Finds straight cuts from side to side: first a cut of the whole plant, then a cut of each part, until every part is
/// a single rectangle.
class Slicer {
  public:
    explicit Slicer(std::span<const Rectangle> boxes) : boxes_(boxes), owned_(boxes.size()) {
        double longest = 0;
        for (const Rectangle& box : boxes) longest = std::max({longest, box.x + box.width, box.y + box.height});
        overlap_ = kOverlap * longest;
        order_.resize(boxes.size());
        std::iota(order_.begin(), order_.end(), std::uint16_t{0});
    }

    std::optional<OwnedTree> slice() {
        const kernels::SlicingTree tree = owned_.view();
        auto next_inner = static_cast<std::uint32_t>(boxes_.size());
        std::vector<Part> parts{{0, boxes_.size(), kernels::kSlicingNone, 0}};
        while (!parts.empty()) {
            const Part part = parts.back();
            parts.pop_back();
            std::uint32_t node = order_[part.first];
            if (part.last - part.first > 1) {
                std::size_t middle = 0;
                const int cut = find_cut(part, middle);
                if (cut < 0) return std::nullopt;
                node = next_inner++;
                tree.cut(node) = static_cast<std::uint16_t>(cut);
                parts.push_back({part.first, middle, node, 0});
                parts.push_back({middle, part.last, node, 1});
            }
            tree.parent(node) = static_cast<std::uint16_t>(part.above);
            if (part.above == kernels::kSlicingNone) {
                tree.root() = static_cast<std::uint16_t>(node);
            } else {
                tree.child(part.above, part.which) = static_cast<std::uint16_t>(node);
            }
        }
        return std::move(owned_);
    }

  private:
    struct Part {
        std::size_t first, last;  ///< range of rectangles in order_
        std::uint32_t above, which;
    };

    double begin_of(std::uint16_t d, int cut) const {
        return cut == kernels::kSlicingCutWidth ? boxes_[d].x : boxes_[d].y;
    }
    double end_of(std::uint16_t d, int cut) const {
        return begin_of(d, cut) + (cut == kernels::kSlicingCutWidth ? boxes_[d].width : boxes_[d].height);
    }

    /// Finds a cut of a part. If several cuts have the same direction, the function takes the one that splits the
    /// rectangles most evenly, so that trees stay flat. It sorts the part so that the rectangles before the cut come
    /// first. `middle` becomes the index in order_ of the first rectangle behind the cut. Returns the cut's direction,
    /// or -1 if there is no cut.
    int find_cut(const Part& part, std::size_t& middle) {
        const auto begin = order_.begin() + static_cast<std::ptrdiff_t>(part.first);
        const auto end = order_.begin() + static_cast<std::ptrdiff_t>(part.last);
        const std::size_t half = (part.first + part.last) / 2;
        for (const int cut : {int{kernels::kSlicingCutHeight}, int{kernels::kSlicingCutWidth}}) {
            std::sort(begin, end, [&](std::uint16_t a, std::uint16_t b) {
                const double one = begin_of(a, cut), other = begin_of(b, cut);
                return one != other ? one < other : a < b;
            });
            double reach = -std::numeric_limits<double>::infinity();
            std::size_t best = part.first;
            for (std::size_t k = part.first; k + 1 < part.last; ++k) {
                reach = std::max(reach, end_of(order_[k], cut));
                if (begin_of(order_[k + 1], cut) < reach - overlap_) continue;
                const auto away = [&](std::size_t at) { return at > half ? at - half : half - at; };
                if (best == part.first || away(k + 1) < away(best)) best = k + 1;
            }
            if (best > part.first) {
                middle = best;
                return cut;
            }
        }
        return -1;
    }

    std::span<const Rectangle> boxes_;
    OwnedTree owned_;
    double overlap_ = 0;
    std::vector<std::uint16_t> order_;
};

/// True if no coordinate or side of the two rectangles differs by more than 1e-6 of `length`.
bool are_alike(const Rectangle& one, const Rectangle& other, double length) {
    const double most = 1e-6 * length;
    return std::abs(one.x - other.x) <= most && std::abs(one.y - other.y) <= most &&
           std::abs(one.width - other.width) <= most && std::abs(one.height - other.height) <= most;
}

bool makes_boxes(const UaflpInstance& instance, const Layout& layout, std::span<const Rectangle> boxes, double length) {
    for (std::size_t d = 0; d < boxes.size(); ++d) {
        Rectangle box = layout.departments[d].box;
        box.x += floor_offset(instance, layout.departments[d].floor);
        if (!are_alike(box, boxes[d], length)) return false;
    }
    return true;
}

/// The code that the file states, as permutation and genes or as bays; nothing if it states none.
std::optional<SlicingCode> named_code(const TreeFile& file) {
    if (!file.perm.empty()) return SlicingCode{file.perm, file.genes};
    if (!file.bays) return std::nullopt;
    OwnedTree tree = tree_of_bays(file.bays->perm, file.bays->bits, file.bays->orientation.value_or(0) == 0);
    const std::vector<std::uint16_t> order = leaf_order(tree.view());
    return code_of(std::move(tree), order);
}

}  // namespace

SlicingCode read_slicing_json(const UaflpInstance& instance, std::string_view text, const std::string& file,
                              const EvaluationOptions& options) {
    const TreeFile read = read_tree_json(instance, text, file);
    const double length = std::max(instance.width, instance.height);
    std::optional<SlicingCode> named = named_code(read);
    if (read.boxes.empty()) {
        if (read.bays && !read.bays->orientation) {  // tries both orientations and takes the better one
            const SlicingCode other =
                *named_code({{}, {}, LayoutSolution{read.bays->perm, read.bays->bits, 1u, std::nullopt}, {}, {}});
            const SlicingEvaluator evaluator(instance, options);
            if (evaluator.evaluate(other.perm, other.genes).objective <
                evaluator.evaluate(named->perm, named->genes).objective) {
                return other;
            }
        }
        return *named;
    }
    if (named &&
        makes_boxes(instance, make_slicing_layout(instance, named->perm, named->genes, options), read.boxes, length)) {
        return *named;
    }
    for (std::size_t d = 0; d < instance.size() && !instance.is_practical(); ++d) {
        const double area = read.boxes[d].width * read.boxes[d].height;
        if (std::abs(area - instance.departments[d].area) <= 1e-5 * instance.departments[d].area) continue;
        fail_at(file, read.boxes_position,
                fmt::format("department {} has area {:.10g} here, but it must have {:.10g}", d + 1, area,
                            instance.departments[d].area));
    }
    std::optional<OwnedTree> tree = tree_of_rectangles(read.boxes);
    if (!tree) {
        fail_at(file, read.boxes_position,
                "a slicing tree cannot hold these rectangles: they overlap, or straight cuts from side to side cannot "
                "make them");
    }
    const std::vector<std::uint16_t> order = leaf_order(tree->view());
    SlicingCode code = code_of(std::move(*tree), order);
    // The rules of a practical instance may move cuts, so the code's rectangles may differ from those of the file.
    if (instance.is_practical()) return code;
    if (makes_boxes(instance, make_slicing_layout(instance, code.perm, code.genes, options), read.boxes, 100 * length))
        return code;
    fail_at(file, read.boxes_position,
            "a slicing tree cannot hold these rectangles: they overlap, or leave gaps in the plant that no department "
            "of empty space fills");
}

std::string tree_text(const kernels::SlicingTree& tree) {
    const std::string text = text_of(tree, tree.root());
    return tree.n > 1 ? "(" + text + ")" : text;
}

std::vector<std::uint16_t> leaf_order(const kernels::SlicingTree& tree) {
    std::vector<std::uint16_t> order;
    std::vector<std::uint32_t> open{tree.root()};
    while (!open.empty()) {
        const std::uint32_t node = open.back();
        open.pop_back();
        if (tree.is_leaf(node)) {
            order.push_back(static_cast<std::uint16_t>(node));
        } else {
            open.push_back(tree.child(node, 1));
            open.push_back(tree.child(node, 0));
        }
    }
    return order;
}

std::optional<OwnedTree> tree_of_rectangles(std::span<const Rectangle> boxes) {
    return Slicer(boxes).slice();
}

Layout make_slicing_layout(const UaflpInstance& instance, std::span<const std::uint16_t> perm,
                           std::span<const std::uint16_t> genes, EvaluationOptions options) {
    check_code(instance.size(), perm, genes);
    options.penalty = Penalty::kFeasibleFirst;
    const SlicingEvaluator evaluator(instance, options);
    SlicingWorkspace workspace(evaluator.view());
    Layout layout;
    layout.perm.assign(perm.begin(), perm.end());
    layout.genes.assign(genes.begin(), genes.end());
    layout.evaluation = evaluator.evaluate(perm, genes, workspace);
    layout.tree = tree_text(workspace.tree());
    kernels::slicing_set_root(evaluator.view(), workspace.tree(), workspace.scratch(), layout.evaluation.orientation);
    kernels::slicing_place(
        evaluator.view(), workspace.tree(), workspace.scratch(),
        kernels::slicing_areas(evaluator.view(), workspace.tree(), workspace.scratch(), workspace.tree().root()));
    layout.departments.resize(instance.size());
    const double* boxes = workspace.scratch().box;
    for (std::size_t d = 0; d < instance.size(); ++d) {
        PlacedDepartment& placed = layout.departments[d];
        const double* box = boxes + 4 * d;
        placed.floor = kernels::slicing_floor_of(evaluator.view().practice, box[0]) + 1;
        placed.box = {box[0] - floor_offset(instance, placed.floor), box[1], box[2], box[3]};
        placed.aspect_ratio = std::max(box[2], box[3]) / std::min(box[2], box[3]);
        placed.feasible = workspace.scratch().places.excess[d] == 0;
    }
    layout.broken = evaluator.practice().broken({boxes, boxes + 4 * instance.size()});
    for (const BrokenRule& rule : layout.broken) {
        for (const std::size_t d : rule.departments) layout.departments[d].feasible = false;
    }
    layout.moving_cost = moving_cost(instance, layout.departments);
    return layout;
}

}  // namespace qapfw::uaflp
