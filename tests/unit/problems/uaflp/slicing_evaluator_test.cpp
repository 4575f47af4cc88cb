// SPDX-License-Identifier: Apache-2.0
#include "problems/uaflp/slicing_evaluator.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numeric>

#include "qapfw/kernels/slicing_cost.hpp"
#include "qapfw/kernels/slicing_moves.hpp"
#include "uaflp_test_data.hpp"

using namespace qapfw;
using namespace qapfw::uaflp;
using test::random_solution;
using test::Solution;

namespace {

SlicingCode random_tree_code(std::size_t n, std::uint64_t seed) {
    SlicingCode code{std::vector<std::uint16_t>(n), std::vector<std::uint16_t>(n - 1)};
    std::iota(code.perm.begin(), code.perm.end(), std::uint16_t{0});
    for (auto k = static_cast<std::uint32_t>(n - 1); k > 0; --k) {
        std::swap(code.perm[k], code.perm[kernels::below(kernels::draw(seed, 0, 0, 1, k), k + 1)]);
        code.genes[k - 1] = static_cast<std::uint16_t>(
            kernels::below(kernels::draw(seed, 0, 0, 2, k), kernels::slicing_gene_values(k)));
    }
    return code;
}

/// Computes the cost by its definition in plain code: rectangles by recursion, then a sum over ordered pairs.
struct PlainTree {
    const UaflpInstance& instance;
    kernels::SlicingTree tree;
    std::vector<double> x, y, width, height;

    PlainTree(const UaflpInstance& i, kernels::SlicingTree t, double root_width, double root_height)
        : instance(i), tree(t), x(i.size()), y(i.size()), width(i.size()), height(i.size()) {
        place(tree.root(), 0, 0, root_width, root_height);
    }
    double area(std::uint32_t node) const {
        if (tree.is_leaf(node)) return instance.departments[node].area;
        return area(tree.child(node, 0)) + area(tree.child(node, 1));
    }
    void place(std::uint32_t node, double left, double top, double w, double h) {
        if (tree.is_leaf(node)) {
            x[node] = left + w / 2;
            y[node] = top + h / 2;
            width[node] = w;
            height[node] = h;
            return;
        }
        const std::uint32_t first = tree.child(node, 0), second = tree.child(node, 1);
        const double part = area(first) / area(node);
        if (tree.cut(node) == kernels::kSlicingCutWidth) {
            place(first, left, top, w * part, h);
            place(second, left + w * part, top, w * (1 - part), h);
        } else {
            place(first, left, top, w, h * part);
            place(second, left, top + h * part, w, h * (1 - part));
        }
    }
    double cost() const {
        double sum = 0;
        for (std::size_t i = 0; i < instance.size(); ++i) {
            for (std::size_t j = 0; j < instance.size(); ++j) {
                const double dx = std::abs(x[i] - x[j]), dy = std::abs(y[i] - y[j]);
                sum += instance.flow[i * instance.size() + j] *
                       (instance.metric == Metric::kEuclidean ? std::hypot(dx, dy) : dx + dy);
            }
        }
        return sum;
    }
    unsigned violations() const {
        unsigned bad = 0;
        for (std::size_t d = 0; d < instance.size(); ++d) {
            const double longer = std::max(width[d], height[d]), shorter = std::min(width[d], height[d]);
            const ShapeRule& rule = instance.departments[d].rule;
            bad += (rule.max_aspect_ratio > 0 && longer / shorter > rule.max_aspect_ratio * (1 + 1e-6)) ||
                   (rule.min_side > 0 && shorter < rule.min_side * (1 - 1e-6));
        }
        return bad;
    }
};

/// Instances of several sizes, with both metrics, both kinds of rules and empty space.
std::vector<UaflpInstance> instances() {
    std::vector<UaflpInstance> all{generate_f(5), generate_f(12, 3), generate_f(29, 2), generate_f(62)};
    all[1].metric = Metric::kEuclidean;
    for (std::size_t d = 0; d < all[2].size(); ++d)
        all[2].departments[d].rule = {d % 2 == 0 ? 4.0 : 0.0, static_cast<double>(d % 3) * 2};
    for (const std::size_t empty : {3u, 17u}) {
        all[2].departments[empty].rule = {};
        all[2].departments[empty].dummy = true;
        for (std::size_t d = 0; d < all[2].size(); ++d) all[2].flow[empty * 29 + d] = all[2].flow[d * 29 + empty] = 0;
    }
    return all;
}

}  // namespace

TEST_CASE("costs of random trees are those of the definition") {
    for (const UaflpInstance& instance : instances()) {
        const SlicingEvaluator evaluator(instance);
        for (std::uint64_t seed = 0; seed < 40; ++seed) {
            const SlicingCode code = random_tree_code(instance.size(), seed);
            const Evaluation found = evaluator.evaluate(code.perm, code.genes);
            OwnedTree tree = tree_of(code.perm, code.genes);
            const std::uint32_t root = found.orientation;
            const PlainTree plain(instance, tree.view(), evaluator.view().root_width[root],
                                  evaluator.view().root_height[root]);
            CHECK(found.cost == doctest::Approx(plain.cost()).epsilon(1e-12));
            CHECK(found.violations == plain.violations());
        }
    }
}

TEST_CASE("every instruction set sums flows to the same bits") {
    std::vector<UaflpInstance> all = instances();
    // Rows are summed in groups of four. With these sizes, 0 to 3 rows come after the last whole group.
    for (const unsigned n : {2u, 3u, 5u, 6u, 7u, 16u}) {
        all.push_back(generate_f(n, n));
        all.back().metric = n % 2 == 0 ? Metric::kEuclidean : Metric::kRectilinear;
    }
    for (const UaflpInstance& instance : all) {
        const SlicingEvaluator evaluator(instance);
        SlicingWorkspace workspace(evaluator.view());
        for (std::uint64_t seed = 0; seed < 20; ++seed) {
            const SlicingCode code = random_tree_code(instance.size(), seed);
            evaluator.evaluate(code.perm, code.genes, workspace);
            const double* x = workspace.scratch().places.x;
            const double* y = workspace.scratch().places.y;
            const double plain = kernels::slicing_flow_cost(evaluator.view(), x, y);
            for (const VectorLevel level : {VectorLevel::kPlain, VectorLevel::kAvx2, VectorLevel::kAvx512}) {
                if (level > best_vector_level()) continue;
                CHECK(slicing_flow_function(level)(evaluator.view(), x, y) == plain);
            }
        }
    }
}

TEST_CASE("a layout in bays costs the same as a tree") {
    for (UaflpInstance& instance : instances()) {
        // The plant is now larger than all departments together. So the root's rectangle may have the plant's full
        // height or its full width.
        instance.height *= 1.001;
        const Evaluator bays(instance);
        const SlicingEvaluator trees(instance);
        SlicingWorkspace workspace(trees.view());
        for (std::uint64_t seed = 0; seed < 40; ++seed) {
            const Solution s = random_solution(instance.size(), seed);
            const Evaluation wanted = bays.evaluate(s.perm, s.bits);
            OwnedTree tree = tree_of_bays(s.perm, s.bits, wanted.orientation == 0);
            const Evaluation found = trees.evaluate(tree.view(), workspace);
            CHECK(found.objective <= wanted.objective * (1 + 1e-12));  // the root's other rectangle may be even better
            const SlicingCode code = code_of(tree, s.perm);
            CHECK(trees.evaluate(code.perm, code.genes).objective == found.objective);
        }
    }
}

TEST_CASE("published layouts in bays keep their cost as trees") {
    const std::string folder = test::published_data();
    if (folder.empty()) return;
    const UaflpInstance instance = read_instance(folder + "/o9.json");
    const Solution s{{1, 5, 8, 4, 3, 0, 7, 6, 2}, {0, 0, 0, 1, 0, 1, 0, 0}};
    EvaluationOptions options;
    options.orientations = Orientations::kAcrossWidth;
    const SlicingEvaluator trees(instance, options);
    SlicingWorkspace workspace(trees.view());
    OwnedTree tree = tree_of_bays(s.perm, s.bits, true);
    CHECK(trees.evaluate(tree.view(), workspace).cost == doctest::Approx(254.3873).epsilon(1e-6));
}

TEST_CASE("another order of entry leaves a tree's cost, bit for bit") {
    for (const UaflpInstance& instance : instances()) {
        const SlicingEvaluator evaluator(instance);
        for (std::uint64_t seed = 0; seed < 50; ++seed) {
            const SlicingCode code = random_tree_code(instance.size(), seed);
            const std::vector<std::uint16_t> order = random_tree_code(instance.size(), seed + 500).perm;
            const SlicingCode rebased = code_of(tree_of(code.perm, code.genes), order);
            CHECK(rebased.perm == order);
            CHECK(evaluator.evaluate(rebased.perm, rebased.genes).objective ==
                  evaluator.evaluate(code.perm, code.genes).objective);
        }
    }
}

TEST_CASE("invalid codes are reported with the position") {
    const SlicingCode good = random_tree_code(4, 1);
    CHECK_NOTHROW(check_code(4, good.perm, good.genes));
    CHECK(test::message_of([&] {
              check_code(4, good.perm, std::vector<std::uint16_t>{1, 2});
          }) == "a tree of 4 departments needs 3 genes, found 2");
    CHECK(test::message_of([&] {
              check_code(4, good.perm, std::vector<std::uint16_t>{3, 12, 0});
          }) == "gene 2 is 12, but it must be below 12");
    CHECK(test::message_of([&] {
              check_code(4, std::vector<std::uint16_t>{0, 1, 1, 2}, good.genes);
          }) == "department 2 is listed twice, again at position 3");
}
