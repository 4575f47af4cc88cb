// SPDX-License-Identifier: Apache-2.0
// Geometry of slicing trees' layouts: the rectangles of a code, the tree as text, and the tree of given rectangles.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "problems/uaflp/layout.hpp"
#include "problems/uaflp/slicing_evaluator.hpp"

namespace qapfw::uaflp {

/// Returns the layout that the slicing code (`perm`, `genes`) describes. Of `options`, only the orientations and the
/// tolerance are used. Throws qapfw::Error (kInput) if `perm` and `genes` do not form a valid code for the instance.
Layout make_slicing_layout(const UaflpInstance& instance, std::span<const std::uint16_t> perm,
                           std::span<const std::uint16_t> genes, EvaluationOptions options = {});

/// The tree as text for people. In "((1 | 2) / 3)", department 1 lies left of 2, and both lie above 3. Departments
/// count from 1.
std::string tree_text(const kernels::SlicingTree& tree);

/// Returns the departments in the order in which tree_text writes them.
std::vector<std::uint16_t> leaf_order(const kernels::SlicingTree& tree);

/// Returns the slicing code of a layout.json, which may have a tree, bays or rectangles. If the file has rectangles,
/// they decide: the file's own code is used only if it gives the same rectangles. Throws qapfw::Error (kInput) with
/// `file`:line:column if the text is no layout of the instance, if rectangles overlap, or if straight cuts cannot make
/// the rectangles. Wrong areas and gaps are errors too, unless the instance has practical rules.
SlicingCode read_slicing_json(const UaflpInstance& instance, std::string_view text, const std::string& file,
                              const EvaluationOptions& options = {});

/// A tree whose straight cuts make these rectangles, one for each department; nothing if there is none.
std::optional<OwnedTree> tree_of_rectangles(std::span<const Rectangle> boxes);

}  // namespace qapfw::uaflp
