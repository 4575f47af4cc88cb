// SPDX-License-Identifier: Apache-2.0
// Layouts by slicing trees as geometry: rectangles of a code, the tree as text, and the tree of given rectangles.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "problems/uaflp/layout.hpp"
#include "problems/uaflp/slicing_evaluator.hpp"

namespace qapfw::uaflp {

/// The geometry of a code. Of `options` the orientations and the tolerance count. Throws qapfw::Error (kInput) if it is
/// no code of the instance.
Layout make_slicing_layout(const UaflpInstance& instance, std::span<const std::uint16_t> perm,
                           std::span<const std::uint16_t> genes, EvaluationOptions options = {});

/// The tree as people read it: "((1 | 2) / 3)"; 1 lies left of 2, and both above 3. Departments count from 1.
std::string tree_text(const kernels::SlicingTree& tree);

/// Departments in the order in which tree_text names them.
std::vector<std::uint16_t> leaf_order(const kernels::SlicingTree& tree);

/// The code that a layout.json of any structure means. Where it has rectangles, these decide: the file's own code
/// counts only if it gives the same ones. Throws qapfw::Error (kInput) with `file`:line:column if the text is no layout
/// of the instance, if rectangles have wrong areas or overlap, or if no straight cuts make them.
SlicingCode read_slicing_json(const UaflpInstance& instance, std::string_view text, const std::string& file,
                              const EvaluationOptions& options = {});

/// A tree whose straight cuts make these rectangles, one for each department; nothing where there is none.
std::optional<OwnedTree> tree_of_rectangles(std::span<const Rectangle> boxes);

}  // namespace qapfw::uaflp
