// SPDX-License-Identifier: Apache-2.0
// A solution as geometry (rectangles, departments that break their rule, bays), and its forms: layout.json, layout.svg,
// layout.dxf and a drawing for the terminal. A layout is made of bays or of a slicing tree (slicing_layout.hpp).
// Coordinates: the origin is the plant's top left corner, x goes to the right, y downwards.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "problems/uaflp/document.hpp"
#include "problems/uaflp/evaluator.hpp"
#include "problems/uaflp/instance.hpp"

namespace qapfw::uaflp {

struct PlacedDepartment {
    size_t bay = 0;
    size_t position = 0;  ///< within its bay, from 0
    Rectangle box;
    double aspect_ratio = 1;  ///< longer side / shorter side
    bool feasible = true;     ///< true: the department keeps its shape rule and all other rules about it
    unsigned floor = 1;
};

/// A rule that a layout breaks.
struct BrokenRule {
    std::vector<size_t> departments;  ///< the one or two departments that the rule is about
    std::string rule;                 ///< "area", "shape", "place", "wall", "adjacent", "apart" or "floor"
    double amount = 0;                ///< amount by which the rule is missed
    std::string sentence;
};

struct PlacedBay {
    Rectangle box;
    std::vector<size_t> departments;  ///< departments in their order along the bay
};

struct Layout {
    std::vector<std::uint16_t> perm;
    std::vector<std::uint8_t> bits;    ///< layout in bays: n - 1 bits; bit k is 1 if a bay ends at position k
    std::vector<std::uint16_t> genes;  ///< slicing tree: its n - 1 genes, see kernels/slicing_tree.hpp
    std::string tree;                  ///< the slicing tree as text; empty for a layout in bays
    Evaluation evaluation{};           ///< result of the evaluation with Penalty::kFeasibleFirst
    double bay_height = 0;             ///< layout in bays: length of each bay, which equals a side of the plant
    std::vector<PlacedBay> bays;
    std::vector<PlacedDepartment> departments;  ///< place of each department
    std::vector<BrokenRule> broken;             ///< broken practical rules
    double moving_cost = 0;                     ///< what moving from the present layout adds to the cost

    bool is_slicing() const { return !tree.empty(); }
    bool across_width() const { return evaluation.orientation == 0; }
};

/// The geometry of a solution. Uses only the orientations and the tolerance of `options`. Throws qapfw::Error (kInput)
/// if perm and bits are no solution of the instance.
Layout make_layout(const UaflpInstance& instance, std::span<const std::uint16_t> perm,
                   std::span<const std::uint8_t> bits, EvaluationOptions options = {});

/// The text of layout.json: the encoding (departments counted from 1; a bay_break for each position, or genes), the
/// cost and the geometry.
std::string write_layout_json(const UaflpInstance& instance, const Layout& layout);

/// The solution that a layout.json of bays holds; the file needs only "permutation" and "bay_break".
struct LayoutSolution {
    std::vector<std::uint16_t> perm;
    std::vector<std::uint8_t> bits;
    std::optional<unsigned> orientation;  ///< from "bay_height", if given
    std::optional<double> cost;           ///< the cost that the file states, not checked
};

/// Reads a layout.json. Throws qapfw::Error (kInput) with `file`:line:column if the text is no layout in bays of the
/// instance.
LayoutSolution read_layout_json(const UaflpInstance& instance, std::string_view text, const std::string& file);

/// Contents of a layout.json of any structure, to be read as a slicing tree. At least one of three things is set:
/// `perm` with `genes`, `bays`, or `boxes`.
struct TreeFile {
    std::vector<std::uint16_t> perm, genes;  ///< set if the file has "genes" but no "bay_break"
    std::optional<LayoutSolution> bays;      ///< set if the file has "bay_break"
    /// The rectangle of each department, with the floors side by side (see floor_offset). Empty if the file has neither
    /// "departments" nor "rectangles".
    std::vector<Rectangle> boxes;
    Position boxes_position;  ///< position of the boxes in the file
};

/// Reads a layout.json with genes, bays or rectangles. Throws qapfw::Error (kInput) with `file`:line:column if the text
/// is no layout of the instance.
TreeFile read_tree_json(const UaflpInstance& instance, std::string_view text, const std::string& file);

struct SvgOptions {
    bool flows = false;  ///< lines between centroids, wider for more flow
    double size = 1000;  ///< longer side of the plant, with its floors side by side, in pixels
};
std::string write_layout_svg(const UaflpInstance& instance, const Layout& layout, const SvgOptions& options = {});

/// The text of layout.dxf (AutoCAD R12) in the plant's unit, y upwards. Departments, empty space, lifts and other kinds
/// of elements each have a DXF layer of their own.
std::string write_layout_dxf(const UaflpInstance& instance, const Layout& layout);

struct TerminalOptions {
    size_t columns = 100;
    bool ascii = false;   ///< true: uses no box-drawing characters
    bool colour = false;  ///< true: ANSI escapes colour the infeasible departments
};
/// A drawing for the terminal. The drawing is not to scale if a department is too thin for its label.
std::string draw_layout_terminal(const UaflpInstance& instance, const Layout& layout,
                                 const TerminalOptions& options = {});

/// One line for drawings and logs: the cost, the bays (number and height) or "slicing tree", and the broken rules.
std::string describe_layout(const Layout& layout);
/// The part of describe_layout() about broken rules; empty if the layout keeps all rules.
std::string describe_faults(const Layout& layout);

}  // namespace qapfw::uaflp
