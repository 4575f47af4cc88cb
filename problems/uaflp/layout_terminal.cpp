// SPDX-License-Identifier: Apache-2.0
// Draws a layout with characters. Sizes are proportional, except that every department gets room for its number.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "problems/uaflp/display_text.hpp"
#include "problems/uaflp/layout.hpp"
#include "problems/uaflp/slicing_evaluator.hpp"

namespace qapfw::uaflp {
namespace {

constexpr double kCharacterShape = 2.0;  // a character is about twice as high as wide
constexpr size_t kMostRows = 32;         // largest number of rows of a drawing, unless labels need more
constexpr size_t kMinRows = 2;           // least number of rows of a department: for its upper border and its label

/// Splits a row of `total` cells into consecutive parts, and returns the borders of the parts. Each part gets `least`
/// cells. The other cells go to the parts in proportion to their lengths.
std::vector<size_t> borders(const std::vector<double>& lengths, size_t total, size_t least) {
    double sum = 0;
    for (const double length : lengths) sum += length;
    const size_t spare = total > least * lengths.size() ? total - least * lengths.size() : 0;
    std::vector<size_t> at{0};
    double before = 0;
    for (size_t i = 0; i < lengths.size(); ++i) {
        before += lengths[i];
        at.push_back((i + 1) * least + static_cast<size_t>(std::lround(static_cast<double>(spare) * before / sum)));
    }
    return at;
}

/// A grid of character cells. Each cell knows which border lines meet in it. A label occupies cells and may have more
/// bytes than cells.
class Canvas {
  public:
    Canvas(size_t rows, size_t columns) : columns_(columns), cells_(rows * columns) {}

    void box(size_t top, size_t left, size_t bottom, size_t right) {
        for (size_t c = left; c < right; ++c) {
            line(top, c, kRight, c + 1, kLeft);
            line(bottom, c, kRight, c + 1, kLeft);
        }
        for (size_t r = top; r < bottom; ++r) {
            at(r, left).lines |= kDown;
            at(r + 1, left).lines |= kUp;
            at(r, right).lines |= kDown;
            at(r + 1, right).lines |= kUp;
        }
    }

    /// Writes `text`, which takes `width` columns, from (row, column) on.
    void label(size_t row, size_t column, const std::string& text, size_t width) {
        at(row, column).text = text;
        for (size_t c = column + 1; c < column + width; ++c) at(row, c).covered = true;
    }

    std::string print(bool ascii) const {
        static constexpr const char* kBox[16] = {" ", "│", "│", "│", "─", "┘", "┐", "┤",
                                                 "─", "└", "┌", "├", "─", "┴", "┬", "┼"};
        static constexpr const char* kPlain[16] = {" ", "|", "|", "|", "-", "+", "+", "+",
                                                   "-", "+", "+", "+", "-", "+", "+", "+"};
        std::string out;
        for (size_t i = 0; i < cells_.size(); ++i) {
            const Cell& cell = cells_[i];
            if (!cell.text.empty())
                out += cell.text;
            else if (!cell.covered)
                out += (ascii ? kPlain : kBox)[cell.lines];
            if ((i + 1) % columns_ == 0) out += '\n';
        }
        return out;
    }

  private:
    enum : unsigned { kUp = 1, kDown = 2, kLeft = 4, kRight = 8 };
    struct Cell {
        unsigned lines = 0;
        bool covered = false;
        std::string text;
    };
    Cell& at(size_t row, size_t column) { return cells_[row * columns_ + column]; }
    void line(size_t row, size_t c1, unsigned lines1, size_t c2, unsigned lines2) {
        at(row, c1).lines |= lines1;
        at(row, c2).lines |= lines2;
    }

    size_t columns_;
    std::vector<Cell> cells_;
};

class TerminalDrawing {
  public:
    TerminalDrawing(const UaflpInstance& instance, const Layout& layout, const TerminalOptions& options)
        : instance_(instance), layout_(layout), options_(options) {
        label_columns_ = std::to_string(instance.size()).size() + 1;  // width of the number and "!"
        for (const PlacedBay& bay : layout.bays) most_ = std::max(most_, bay.departments.size());
    }

    std::string draw() {
        if (layout_.is_slicing()) return draw_tree();
        const size_t least = label_columns_ + 1;
        const size_t across_columns = layout_.bays.size() * least;
        const size_t along_columns = most_ * least;
        bool bays_are_columns = layout_.across_width();
        const size_t wanted = bays_are_columns ? across_columns : along_columns;
        const bool turned = wanted >= options_.columns && std::min(across_columns, along_columns) < wanted;
        if (turned) bays_are_columns = !bays_are_columns;
        set_sizes(bays_are_columns, turned);
        Canvas canvas(rows_ + 1, columns_ + 1);
        bays_are_columns ? draw_columns(canvas) : draw_rows(canvas);
        std::string out = printable(instance_.name) + ": " + printable(describe_layout(layout_)) + "\n" +
                          canvas.print(options_.ascii);
        if (layout_.evaluation.violations > 0) out += "! marks a department that breaks its shape rule\n";
        if (turned) out += "(drawn with width and height exchanged, to fit the screen)\n";
        return out;
    }

  private:
    /// The room on the screen that a subtree needs, in columns and rows of characters.
    struct Room {
        size_t columns = 0, rows = 0;
    };

    std::string draw_tree() {
        OwnedTree owned = tree_of(layout_.perm, layout_.genes);
        const kernels::SlicingTree tree = owned.view();
        const std::vector<std::uint32_t> order = nodes_from_above(tree);
        std::vector<Room> least(tree.nodes(), Room{label_columns_ + 1, kMinRows});
        std::vector<double> area(tree.nodes());
        for (size_t d = 0; d < instance_.size(); ++d) {
            const Rectangle& box = layout_.departments[d].box;
            area[d] = instance_.is_practical() ? std::max(1e-9, box.width * box.height) : instance_.departments[d].area;
        }
        const std::vector<bool> is_across = cuts_across(tree, order);
        for (auto node = order.rbegin(); node != order.rend(); ++node) {
            const std::uint32_t a = tree.child(*node, 0), b = tree.child(*node, 1);
            const bool beside = is_across[*node];
            area[*node] = area[a] + area[b];
            least[*node] = beside ? Room{least[a].columns + least[b].columns, std::max(least[a].rows, least[b].rows)}
                                  : Room{std::max(least[a].columns, least[b].columns), least[a].rows + least[b].rows};
        }
        const Room all = least[tree.root()];
        choose_sizes(instance_.width * instance_.practice.floors, instance_.height, all.columns, all.rows);
        Canvas canvas(rows_ + 1, columns_ + 1);
        struct Cells {
            size_t top = 0, left = 0, bottom = 0, right = 0;
        };
        std::vector<Cells> cells(tree.nodes());
        cells[tree.root()] = {0, 0, rows_, columns_};
        for (const std::uint32_t node : order) {
            const std::uint32_t a = tree.child(node, 0), b = tree.child(node, 1);
            const Cells own = cells[node];
            cells[a] = cells[b] = own;
            const double part = area[a] / area[node];
            if (is_across[node]) {
                cells[a].right = cells[b].left =
                    own.left + split(own.right - own.left, part, least[a].columns, least[b].columns);
            } else {
                cells[a].bottom = cells[b].top =
                    own.top + split(own.bottom - own.top, part, least[a].rows, least[b].rows);
            }
        }
        for (size_t d = 0; d < instance_.size(); ++d) {
            draw_department(canvas, d, cells[d].top, cells[d].left, cells[d].bottom, cells[d].right);
        }
        std::string out = printable(instance_.name) + ": " + printable(describe_layout(layout_)) + "\n" +
                          canvas.print(options_.ascii);
        return out + practice_notes();
    }

    std::string practice_notes() const {
        if (!instance_.is_practical()) {
            return layout_.evaluation.violations > 0 ? "! marks a department that breaks its shape rule\n" : "";
        }
        std::string out;
        for (size_t k = 0; layout_.broken.size() > 1 && k < layout_.broken.size(); ++k) {
            out += "! " + printable(layout_.broken[k].sentence) + "\n";
        }
        if (const auto present = present_cost(instance_))
            out += fmt::format("present layout: cost {:.10g}\n", *present);
        if (layout_.moving_cost > 0)
            out += fmt::format("the cost contains {:.10g} for moving departments\n", layout_.moving_cost);
        return out;
    }

    /// Returns for each inner node whether its two children are drawn side by side. They always are if the departments
    /// below the node are on several floors.
    std::vector<bool> cuts_across(const kernels::SlicingTree& tree, const std::vector<std::uint32_t>& order) const {
        std::vector<unsigned> lowest(tree.nodes()), highest(tree.nodes());
        std::vector<bool> across(tree.nodes(), false);
        for (size_t d = 0; d < instance_.size(); ++d) lowest[d] = highest[d] = layout_.departments[d].floor;
        for (auto node = order.rbegin(); node != order.rend(); ++node) {
            const std::uint32_t a = tree.child(*node, 0), b = tree.child(*node, 1);
            lowest[*node] = std::min(lowest[a], lowest[b]);
            highest[*node] = std::max(highest[a], highest[b]);
            across[*node] = lowest[*node] != highest[*node] || tree.cut(*node) == kernels::kSlicingCutWidth;
        }
        return across;
    }

    /// The inner nodes, each before those below it.
    static std::vector<std::uint32_t> nodes_from_above(const kernels::SlicingTree& tree) {
        std::vector<std::uint32_t> order;
        if (!tree.is_leaf(tree.root())) order.push_back(tree.root());
        for (size_t k = 0; k < order.size(); ++k) {
            for (const std::uint32_t which : {0u, 1u}) {
                const std::uint32_t below = tree.child(order[k], which);
                if (!tree.is_leaf(below)) order.push_back(below);
            }
        }
        return order;
    }

    /// Number of `cells` for the first of two parts: in proportion to the areas, but both get at least what they need.
    static size_t split(size_t cells, double part, size_t least, size_t least_of_other) {
        const auto wanted = static_cast<size_t>(std::lround(part * static_cast<double>(cells)));
        return std::clamp(wanted, least, std::max(least, cells - std::min(cells, least_of_other)));
    }

    /// Chooses the drawing's width by the options and its height by the plant's shape. Both leave enough room for the
    /// labels.
    void set_sizes(bool bays_are_columns, bool turned) {
        const double width = turned ? instance_.height : instance_.width;
        const double height = turned ? instance_.width : instance_.height;
        choose_sizes(width, height, (bays_are_columns ? layout_.bays.size() : most_) * (label_columns_ + 1),
                     (bays_are_columns ? most_ : layout_.bays.size()) * kMinRows);
    }

    void choose_sizes(double width, double height, size_t least_columns, size_t least_rows) {
        const size_t room = std::max<size_t>(options_.columns, 2) - 1;
        columns_ = std::max(room, least_columns);
        const double rows = static_cast<double>(columns_) * height / width / kCharacterShape;
        const double most_rows = static_cast<double>(std::max<size_t>(least_rows, kMostRows));
        rows_ = std::max(least_rows, static_cast<size_t>(std::min(rows, most_rows)));
        if (rows > most_rows) {  // the picture of a tall plant gets fewer columns, not more rows
            const double narrower = most_rows * kCharacterShape * width / height;
            columns_ = std::clamp(static_cast<size_t>(narrower), least_columns, columns_);
        }
    }

    /// Splits a line of `cells` character cells across the plant into the bays, and returns the bays' borders. Each bay
    /// gets at least `least` cells.
    std::vector<size_t> bay_borders(size_t cells, size_t least) const {
        std::vector<double> widths;
        for (const PlacedBay& bay : layout_.bays)
            widths.push_back(layout_.across_width() ? bay.box.width : bay.box.height);
        return borders(widths, cells, least);
    }

    std::vector<size_t> department_borders(const PlacedBay& bay, size_t cells, size_t least) const {
        std::vector<double> heights;
        for (const size_t d : bay.departments) {
            const Rectangle& box = layout_.departments[d].box;
            heights.push_back(layout_.across_width() ? box.height : box.width);
        }
        return borders(heights, cells, least);
    }

    void draw_columns(Canvas& canvas) {
        const std::vector<size_t> across = bay_borders(columns_, label_columns_ + 1);
        for (size_t b = 0; b < layout_.bays.size(); ++b) {
            const PlacedBay& bay = layout_.bays[b];
            const std::vector<size_t> along = department_borders(bay, rows_, kMinRows);
            for (size_t k = 0; k < bay.departments.size(); ++k) {
                draw_department(canvas, bay.departments[k], along[k], across[b], along[k + 1], across[b + 1]);
            }
        }
    }

    void draw_rows(Canvas& canvas) {
        const std::vector<size_t> across = bay_borders(rows_, kMinRows);
        for (size_t b = 0; b < layout_.bays.size(); ++b) {
            const PlacedBay& bay = layout_.bays[b];
            const std::vector<size_t> along = department_borders(bay, columns_, label_columns_ + 1);
            for (size_t k = 0; k < bay.departments.size(); ++k) {
                draw_department(canvas, bay.departments[k], across[b], along[k], across[b + 1], along[k + 1]);
            }
        }
    }

    void draw_department(Canvas& canvas, size_t d, size_t top, size_t left, size_t bottom, size_t right) const {
        canvas.box(top, left, bottom, right);
        const bool bad = !layout_.departments[d].feasible;
        const size_t room = right - left - 1;
        std::string text = printable(instance_.departments[d].name) + (bad ? "!" : "");
        if (display_width(text) > room) text = std::to_string(d + 1) + (bad ? "!" : "");
        const size_t width = display_width(text);
        const std::string shown = bad && options_.colour ? "\x1b[1;31m" + text + "\x1b[0m" : text;
        canvas.label((top + bottom) / 2, left + 1 + (room - width) / 2, shown, width);
    }

    const UaflpInstance& instance_;
    const Layout& layout_;
    const TerminalOptions& options_;
    size_t label_columns_ = 0;
    size_t most_ = 1;  ///< number of departments in the fullest bay
    size_t rows_ = 0;
    size_t columns_ = 0;
};

}  // namespace

std::string draw_layout_terminal(const UaflpInstance& instance, const Layout& layout, const TerminalOptions& options) {
    return TerminalDrawing(instance, layout, options).draw();
}

}  // namespace qapfw::uaflp
