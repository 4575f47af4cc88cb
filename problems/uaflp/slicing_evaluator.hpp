// SPDX-License-Identifier: Apache-2.0
// Evaluation of layouts that are slicing trees: an instance prepared for the kernels (kernels/slicing_*.hpp), and trees
// made from codes and from bays.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "problems/uaflp/evaluator.hpp"
#include "problems/uaflp/practice_rules.hpp"
#include "problems/uaflp/slicing_flow.hpp"

namespace qapfw::uaflp {

/// The code of a tree: a permutation of n departments and n - 1 genes, see kernels/slicing_tree.hpp.
struct SlicingCode {
    std::vector<std::uint16_t> perm;
    std::vector<std::uint16_t> genes;
};

/// A slicing tree that owns its memory.
class OwnedTree {
  public:
    /// Makes the memory for a tree of n departments (1 to kernels::kSlicingMost). It holds no valid tree yet.
    explicit OwnedTree(std::size_t n)
        : words_(kernels::slicing_tree_words(static_cast<std::uint32_t>(n))), n_(static_cast<std::uint32_t>(n)) {}
    kernels::SlicingTree view() { return {words_.data(), n_}; }

  private:
    std::vector<std::uint16_t> words_;
    std::uint32_t n_;
};

/// Throws qapfw::Error (kInput) unless `perm` is a permutation of 0..n-1 and there are n - 1 genes, each below its
/// number of values (kernels::slicing_gene_values).
void check_code(std::size_t n, std::span<const std::uint16_t> perm, std::span<const std::uint16_t> genes);

/// The tree that a valid code stands for.
OwnedTree tree_of(std::span<const std::uint16_t> perm, std::span<const std::uint16_t> genes);

/// The code of `tree` with the permutation `perm`. `perm` may be any order of the departments.
SlicingCode code_of(OwnedTree tree, std::span<const std::uint16_t> perm);

/// The tree of a layout in bays. `across_width`: true if the bays lie side by side along the plant's width; false if
/// they lie along its height.
OwnedTree tree_of_bays(std::span<const std::uint16_t> perm, std::span<const std::uint8_t> bits, bool across_width);

/// Scratch memory of an evaluation. Evaluations on several threads need one workspace each.
class SlicingWorkspace {
  public:
    explicit SlicingWorkspace(const kernels::SlicingView& view);
    SlicingWorkspace(const SlicingWorkspace&) = delete;
    SlicingWorkspace& operator=(const SlicingWorkspace&) = delete;
    const kernels::SlicingScratch& scratch() const { return scratch_; }
    kernels::SlicingTree tree() { return tree_.view(); }

  private:
    std::vector<double> numbers_;
    std::vector<std::uint16_t> indices_;
    OwnedTree tree_;
    kernels::SlicingScratch scratch_;
};

class SlicingEvaluator {
  public:
    /// Keeps a reference to `instance`, which must outlive this object. Throws qapfw::Error (kInput) if an option is
    /// out of range or costs could overflow.
    explicit SlicingEvaluator(const UaflpInstance& instance, const EvaluationOptions& options = {});
    SlicingEvaluator(const SlicingEvaluator&) = delete;
    SlicingEvaluator& operator=(const SlicingEvaluator&) = delete;

    std::size_t size() const { return view_.departments; }
    /// The view for host code, valid as long as the evaluator.
    const kernels::SlicingView& view() const { return view_; }
    /// The arrays behind view(), for copying to a device.
    std::vector<ViewArray> view_arrays() const;
    /// The departments that are empty space, in ascending order: they have no shape rule, no fixed place and no flow.
    std::span<const std::uint16_t> spaces() const { return spaces_; }
    SlicingFlowFunction flow_function() const { return flow_function_; }

    const PracticeRules& practice() const { return practice_; }

    /// Sets V_feas - V_all of the adaptive penalty, see AdaptivePenalty. No other thread may be evaluating.
    void set_adaptive_gap(double gap);

    /// [thread-safe] Evaluates a code, which is not checked (see check_code). O(n + rows^2).
    Evaluation evaluate(std::span<const std::uint16_t> perm, std::span<const std::uint16_t> genes,
                        SlicingWorkspace& workspace) const;
    Evaluation evaluate(std::span<const std::uint16_t> perm, std::span<const std::uint16_t> genes) const;
    Evaluation evaluate(const kernels::SlicingTree& tree, SlicingWorkspace& workspace) const;

  private:
    void set_areas(const UaflpInstance& instance);
    void set_roots(const UaflpInstance& instance, const EvaluationOptions& options);
    void set_rows(const UaflpInstance& instance);
    void set_flows(const UaflpInstance& instance);
    void set_penalty(const UaflpInstance& instance, const EvaluationOptions& options);

    PracticeRules practice_;
    std::vector<double> area_, longest_, inverse_longest_, flow_, penalty_weight_;
    std::vector<std::uint32_t> row_;
    std::vector<std::uint16_t> spaces_;
    kernels::SlicingView view_{};
    SlicingFlowFunction flow_function_;
};

}  // namespace qapfw::uaflp
