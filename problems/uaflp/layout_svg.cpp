// SPDX-License-Identifier: Apache-2.0
// Writes layout.svg: departments and bays to scale, labels where they fit, the other labels in a list below.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "problems/uaflp/display_text.hpp"
#include "problems/uaflp/layout.hpp"
#include "problems/uaflp/practice_rules.hpp"

namespace qapfw::uaflp {
namespace {

constexpr double kMargin = 20;     // pixels around the drawing
constexpr double kFloorGap = 30;   // pixels between floors
constexpr double kHeader = 74;     // height of the three lines above the drawing
constexpr double kMinWidth = 640;  // least width, so that the header fits
constexpr double kSmallest = 8.5;  // smallest readable font size
constexpr double kLargest = 17;
constexpr double kLetter = 0.62;  // width of a letter / font size, rounded up for sans-serif fonts
constexpr double kNote = 13;      // font size of the notes

std::string escaped(std::string_view text) {
    std::string out;
    for (const char c : printable(text)) {
        switch (c) {
            case '<':
                out += "&lt;";
                break;
            case '>':
                out += "&gt;";
                break;
            case '&':
                out += "&amp;";
                break;
            case '"':
                out += "&quot;";
                break;
            default:
                out += c;
        }
    }
    return out;
}

double text_width(std::string_view text, double font) {
    return kLetter * font * static_cast<double>(display_width(text));
}

/// How a label fits into a box: its font size (0 if it does not fit), and whether it runs upwards.
struct Fit {
    double font = 0;
    bool rotated = false;
};

double fitting_font(std::string_view text, double width, double height) {
    const double columns = static_cast<double>(std::max<size_t>(1, display_width(text)));
    const double font = std::min({kLargest, 0.94 * (width - 3) / (kLetter * columns), 0.8 * (height - 2)});
    return font >= kSmallest ? font : 0;
}

Fit fit(std::string_view text, const Rectangle& box) {
    const double flat = fitting_font(text, box.width, box.height);
    if (flat > 0) return {flat, false};
    return {fitting_font(text, box.height, box.width), true};
}

class SvgWriter {
  public:
    SvgWriter(const UaflpInstance& instance, const Layout& layout, const SvgOptions& options)
        : instance_(instance),
          layout_(layout),
          scale_(options.size / std::max(instance.width * instance.practice.floors, instance.height)) {
        for (size_t d = 0; d < instance_.size(); ++d) choose_label(d);
        write_notes();
        const double floors = instance_.practice.floors;
        plant_ = {kMargin, kHeader, floors * instance_.width * scale_ + (floors - 1) * kFloorGap,
                  instance_.height * scale_};
        width_ = std::max(plant_.width, kMinWidth) + 2 * kMargin;
    }

    std::string write(bool flows) {
        const std::vector<std::string> note_lines = wrapped_notes();
        const double below = plant_.y + plant_.height;
        const double height = below + kMargin + static_cast<double>(note_lines.size()) * 1.5 * kNote + kMargin / 2;
        write_head(height);
        for (const PlacedBay& bay : layout_.bays) {
            for (const size_t d : bay.departments) write_department(d, bay_style(layout_.departments[d].bay));
        }
        if (layout_.is_slicing()) {
            for (size_t d = 0; d < instance_.size(); ++d) write_department(d, "even");
        }
        for (const PlacedBay& bay : layout_.bays) write_box(bay.box, "bay");
        write_infeasible_frames();
        for (unsigned floor = 1; floor <= instance_.practice.floors; ++floor) write_floor(floor);
        if (flows) write_flows();
        write_points();
        for (size_t d = 0; d < instance_.size(); ++d) write_label(d);
        for (size_t i = 0; i < note_lines.size(); ++i) {
            add("<text class=\"note\" x=\"{:.2f}\" y=\"{:.2f}\">{}</text>\n", kMargin,
                below + kMargin + (static_cast<double>(i) + 0.6) * 1.5 * kNote, escaped(note_lines[i]));
        }
        out_ += "</svg>\n";
        return std::move(out_);
    }

  private:
    struct Label {
        std::string text;
        Fit fit;
    };

    template <class... Arguments>
    void add(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
        fmt::format_to(std::back_inserter(out_), format, std::forward<Arguments>(arguments)...);
    }

    Rectangle scaled(const Rectangle& box, unsigned floor = 1) const {
        return {kMargin + (floor - 1) * (instance_.width * scale_ + kFloorGap) + box.x * scale_,
                kHeader + box.y * scale_, box.width * scale_, box.height * scale_};
    }
    Rectangle scaled(const PlacedDepartment& placed) const { return scaled(placed.box, placed.floor); }

    std::string unit(const char* power = "") const {
        const std::string& unit = instance_.practice.unit;
        return unit.empty() ? "" : " " + unit + power;
    }

    /// Writes a floor's frame, and its side lengths above it and along its left side.
    void write_floor(unsigned floor) {
        const Rectangle r = scaled(Rectangle{0, 0, instance_.width, instance_.height}, floor);
        add("<rect class=\"plant\" x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\"/>\n", r.x, r.y, r.width,
            r.height);
        const std::string name = instance_.practice.floors > 1 ? fmt::format("floor {}: ", floor) : "";
        add("<text class=\"side\" x=\"{:.2f}\" y=\"{:.2f}\">{}{:.6g}{}</text>\n", r.x + r.width / 2, r.y - 6, name,
            instance_.width, escaped(unit()));
        add("<text class=\"side\" transform=\"translate({:.2f} {:.2f}) rotate(-90)\">{:.6g}{}</text>\n", r.x - 6,
            r.y + r.height / 2, instance_.height, escaped(unit()));
    }

    /// Writes doors and docks as dots with their names, lifts as squares on every floor.
    void write_points() {
        for (const FixedPoint& point : instance_.practice.points) {
            const Rectangle r = scaled(Rectangle{point.x, point.y, 0, 0}, point.floor);
            add("<circle class=\"point\" cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"6\"><title>{}</title></circle>\n", r.x, r.y,
                escaped(point.name));
            const bool is_right = point.x > instance_.width / 2;
            const double y = point.y > instance_.height / 2 ? r.y - 10 : r.y + 18;
            for (const char* layer : {" halo", ""}) {
                add("<text class=\"named{}\" text-anchor=\"{}\" x=\"{:.2f}\" y=\"{:.2f}\">{}</text>\n", layer,
                    is_right ? "end" : "start", is_right ? r.x - 4 : r.x + 4, y, escaped(point.name));
            }
        }
        for (unsigned floor = 1; floor <= instance_.practice.floors; ++floor) {
            for (const auto& [x, y] : instance_.practice.lifts) {
                const Rectangle r = scaled(Rectangle{x, y, 0, 0}, floor);
                add("<rect class=\"lift\" x=\"{:.2f}\" y=\"{:.2f}\" width=\"14\" "
                    "height=\"14\"><title>lift</title></rect>\n",
                    r.x - 7, r.y - 7);
            }
        }
    }

    /// The frame of an infeasible department lies inside its rectangle, so that neighbours are not covered. In a thin
    /// rectangle the frame is nearer to the border.
    static Rectangle frame_of(const Rectangle& r) {
        const double inset = std::min({2.5, r.width / 4, r.height / 4});
        return {r.x + inset, r.y + inset, r.width - 2 * inset, r.height - 2 * inset};
    }

    /// The rectangle in which a department's label must fit. For an infeasible department it is the frame;
    /// fitting_font() leaves room for the frame's line, which is 3 pixels wide.
    Rectangle label_space(size_t d) const {
        const PlacedDepartment& placed = layout_.departments[d];
        return placed.feasible ? scaled(placed) : frame_of(scaled(placed));
    }

    /// Chooses the whole name as the label if it fits, else the number, else nothing (font size 0).
    void choose_label(size_t d) {
        const Rectangle box = label_space(d);
        const std::string& name = instance_.departments[d].name;
        const std::string number = std::to_string(d + 1);
        Label label{name, fit(name, box)};
        if (label.fit.font == 0) label = {number, fit(number, box)};
        if (label.fit.font > 0 && !label.fit.rotated) turn_for_sides(d, box, label);
        labels_.push_back(label);
    }

    /// Lets a department's label run upwards if this makes room for the line with the department's sides. Does nothing
    /// if this line already fits below the horizontal label.
    void turn_for_sides(size_t d, const Rectangle& box, Label& label) const {
        double small = size_below(label.fit.font);
        if (!lines_below(d, box, label.fit.font, small).empty()) return;
        const Rectangle turned{box.x, box.y, box.height, box.width};
        // The largest font size of the label with which the line of sides still fits. This line is three quarters as
        // high as the label.
        const double with_sides = (turned.height - 4.5) / 2.3;
        const double font = std::min(fitting_font(label.text, turned.width, turned.height), with_sides);
        small = size_below(font);
        if (font >= kSmallest && !lines_below(d, turned, font, small).empty()) label.fit = {font, true};
    }
    static double size_below(double font) { return std::max(kSmallest, 0.75 * font); }

    void write_notes() {
        std::vector<std::string> numbered;
        std::vector<std::string> unlabelled;
        for (size_t d = 0; d < instance_.size(); ++d) {
            const std::string& name = instance_.departments[d].name;
            const PlacedDepartment& placed = layout_.departments[d];
            if (labels_[d].fit.font == 0) {
                unlabelled.push_back(
                    layout_.is_slicing()
                        ? fmt::format("{} (at {:.4g}, {:.4g})", name, placed.box.x, placed.box.y)
                        : fmt::format("{} (bay {}, place {})", name, placed.bay + 1, placed.position + 1));
            } else if (labels_[d].text != name) {
                numbered.push_back(fmt::format("{} = {}", d + 1, name));
            }
        }
        if (!layout_.broken.empty()) {
            notes_.push_back({"Hatched red:", {}});
            for (const BrokenRule& rule : layout_.broken) notes_.back().items.push_back(rule.sentence);
        } else if (layout_.evaluation.violations > 0) {
            notes_.push_back({"Hatched red, since the shape rule is broken:", {}});
            for (size_t d = 0; d < instance_.size(); ++d) {
                if (layout_.departments[d].feasible) continue;
                notes_.back().items.push_back(fmt::format("{} ({:.3g} x {:.3g})", instance_.departments[d].name,
                                                          layout_.departments[d].box.width,
                                                          layout_.departments[d].box.height));
            }
        }
        if (has_empty_space()) notes_.push_back({"Grey: empty space (dummies).", {}});
        if (const auto present = present_cost(instance_)) {
            notes_.push_back(
                {fmt::format("Present layout: cost {:.10g}. The new cost contains {:.10g} for moving departments.",
                             *present, layout_.moving_cost),
                 {}});
        }
        if (!numbered.empty()) notes_.push_back({"By number:", numbered});
        if (!unlabelled.empty()) notes_.push_back({"Too thin for a label:", unlabelled});
    }

    bool has_empty_space() const {
        for (size_t d = 0; d < instance_.size(); ++d) {
            if (instance_.is_empty_space(d)) return true;
        }
        return false;
    }

    /// Returns the notes as lines that fit the drawing's width.
    std::vector<std::string> wrapped_notes() const {
        std::vector<std::string> lines;
        for (const Note& note : notes_) {
            lines.push_back(note.title);
            for (size_t i = 0; i < note.items.size(); ++i) {
                const std::string item =
                    shortened(printable(note.items[i]), 60) + (i + 1 < note.items.size() ? "," : "");
                if (text_width(lines.back() + " " + item, kNote) > width_ - 2 * kMargin) lines.push_back("   ");
                lines.back() += " " + item;
            }
        }
        return lines;
    }

    void write_head(double height) {
        add("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} "
            "{1:.0f}\" font-family=\"DejaVu Sans, Arial, sans-serif\">\n",
            width_, height);
        out_ +=
            "<style>\n"
            ".paper { fill: #fff }\n"
            ".plant { fill: none; stroke: #222; stroke-width: 2.5 }\n"
            ".bay { fill: none; stroke: #222; stroke-width: 2 }\n"
            ".even { fill: #dce9f7; stroke: #667; stroke-width: 0.8 }\n"
            ".odd { fill: #eef4ea; stroke: #667; stroke-width: 0.8 }\n"
            ".dummy { fill: #f4f4f4; stroke: #aaa; stroke-width: 0.8; stroke-dasharray: 4 3 }\n"
            ".blocked { fill: #8b8f96; stroke: #444; stroke-width: 0.8 }\n"
            ".stands { fill: #f6e7c8; stroke: #667; stroke-width: 0.8 }\n"
            ".point { fill: #6a3fb5; stroke: #fff; stroke-width: 1.5 }\n"
            ".lift { fill: #2f8f5b; stroke: #fff; stroke-width: 1.5 }\n"
            ".named { font-size: 12px; fill: #4a2a86 }\n"
            ".side { font-size: 12px; text-anchor: middle; fill: #222 }\n"
            ".infeasible { fill: url(#hatch); stroke: #c01818; stroke-width: 1 }\n"
            ".frame { fill: none; stroke: #c01818; stroke-width: 3 }\n"
            ".flow { stroke: #b35c00; stroke-linecap: round }\n"
            ".label { text-anchor: middle; fill: #111 }\n"
            ".small { fill: #445 }\n"
            ".halo { stroke: #fff; stroke-width: 3; stroke-opacity: 0.85; stroke-linejoin: round; fill: #fff }\n"
            ".title { font-size: 19px; font-weight: bold; fill: #111 }\n"
            ".note { font-size: 13px; fill: #222 }\n"
            ".hatch { fill: #ffe3e0 }\n.stripe { fill: #f3a79f }\n"
            "@media (prefers-color-scheme: dark) {\n"
            ".paper { fill: #16181d }\n.plant, .bay { stroke: #d8dbe2 }\n.even { fill: #24405f; stroke: #8894a8 }\n"
            ".odd { fill: #2f4a35; stroke: #8894a8 }\n.dummy { fill: #2a2c31; stroke: #777 }\n"
            ".blocked { fill: #5b5f66; stroke: #bbb }\n.stands { fill: #5a4a23; stroke: #8894a8 }\n"
            ".frame { stroke: #ff6b61 }\n.hatch { fill: #4a1f1d }\n.stripe { fill: #8a3a34 }\n"
            ".flow { stroke: #ffb366 }\n.label, .title { fill: #f2f3f5 }\n.small { fill: #c3cad6 }\n"
            ".halo { fill: #16181d; stroke: #16181d }\n.note, .side { fill: #d8dbe2 }\n.named { fill: #cbb2ff }\n"
            "}\n"
            "</style>\n"
            "<defs><pattern id=\"hatch\" width=\"9\" height=\"9\" patternUnits=\"userSpaceOnUse\" "
            "patternTransform=\"rotate(45)\"><rect class=\"hatch\" width=\"9\" height=\"9\"/><rect class=\"stripe\" "
            "width=\"2.5\" height=\"9\"/></pattern></defs>\n";
        add("<rect class=\"paper\" width=\"{:.0f}\" height=\"{:.0f}\"/>\n", width_, height);
        add("<text class=\"title\" x=\"{:.0f}\" y=\"24\">{}</text>\n", kMargin,
            escaped(shortened(printable(instance_.name), 45)));
        add("<text class=\"note\" x=\"{:.0f}\" y=\"46\">{}</text>\n", kMargin,
            escaped(shortened(printable(describe_layout(layout_)),
                              static_cast<size_t>((width_ - 2 * kMargin) / (kLetter * kNote)))));
    }

    void write_box(const Rectangle& box, std::string_view style) {
        const Rectangle r = scaled(box);
        add("<rect class=\"{}\" x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\"/>\n", style, r.x, r.y,
            r.width, r.height);
    }

    static const char* bay_style(size_t bay) { return bay % 2 == 0 ? "even" : "odd"; }

    void write_department(size_t d, const char* usual_style) {
        const PlacedDepartment& placed = layout_.departments[d];
        const Department& department = instance_.departments[d];
        const Rectangle r = scaled(placed);
        const char* style = !placed.feasible              ? "infeasible"
                            : department.blocked          ? "blocked"
                            : instance_.is_empty_space(d) ? "dummy"
                            : department.place            ? "stands"
                                                          : usual_style;
        add("<rect class=\"{}\" x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\"><title>{}: {}, area "
            "{:.6g}, {:.6g} x {:.6g}, aspect ratio {:.4g}{}</title></rect>\n",
            style, r.x, r.y, r.width, r.height, d + 1, escaped(department.name), department.area, placed.box.width,
            placed.box.height, placed.aspect_ratio, placed.feasible ? "" : ", breaks a rule");
    }

    void write_infeasible_frames() {
        for (const PlacedDepartment& placed : layout_.departments) {
            if (placed.feasible) continue;
            const Rectangle r = frame_of(scaled(placed));
            add("<rect class=\"frame\" x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\"/>\n", r.x, r.y,
                r.width, r.height);
        }
    }

    struct FlowLine {
        double flow;
        double x1, y1, x2, y2;
        std::string title;
    };

    std::pair<double, double> middle(size_t d) const {
        const Rectangle r = scaled(layout_.departments[d]);
        return {r.x + r.width / 2, r.y + r.height / 2};
    }

    /// Writes a line for each flow, between two departments or to a fixed point. A greater flow has a wider line.
    void write_flows() {
        std::vector<FlowLine> lines;
        const auto name = [&](size_t d) { return instance_.departments[d].name; };
        for (size_t i = 0; i < instance_.size(); ++i) {
            for (size_t j = i + 1; j < instance_.size(); ++j) {
                const double flow = instance_.flow_between(i, j);
                if (!(flow > 0)) continue;
                const auto [x1, y1] = middle(i);
                const auto [x2, y2] = middle(j);
                lines.push_back({flow, x1, y1, x2, y2, name(i) + " and " + name(j)});
            }
        }
        for (const PointFlow& flow : instance_.practice.point_flows) {
            const FixedPoint& point = instance_.practice.points[flow.point];
            const Rectangle r = scaled(Rectangle{point.x, point.y, 0, 0}, point.floor);
            const auto [x, y] = middle(flow.department);
            lines.push_back({flow.flow, x, y, r.x, r.y, name(flow.department) + " and " + point.name});
        }
        std::stable_sort(lines.begin(), lines.end(),
                         [](const FlowLine& a, const FlowLine& b) { return a.flow < b.flow; });
        for (const FlowLine& line : lines) {
            const double share =
                line.flow / lines.back().flow;  // small flows stay faint; otherwise many of them would hide the others
            add("<line class=\"flow\" x1=\"{:.2f}\" y1=\"{:.2f}\" x2=\"{:.2f}\" y2=\"{:.2f}\" "
                "stroke-width=\"{:.2f}\" stroke-opacity=\"{:.3f}\"><title>{}: {:.6g}</title></line>\n",
                line.x1, line.y1, line.x2, line.y2, 0.4 + 5.1 * share, 0.06 + 0.54 * share, escaped(line.title),
                line.flow);
        }
    }

    /// The lines below a label, as many as fit: the sides, then the area. `small` is the lines' font size, which may be
    /// reduced.
    std::vector<std::string> lines_below(size_t d, const Rectangle& room, double font, double& small) const {
        const Rectangle& box = layout_.departments[d].box;
        std::vector<std::string> lines{fmt::format("{:.4g} x {:.4g}{}", box.width, box.height, unit()),
                                       fmt::format("{:.5g}{}", box.width * box.height, unit("²"))};
        small = std::min(small, (room.width - 5) / text_width(lines.front(), 1));
        if (small < kSmallest) return {};
        while (!lines.empty() && room.height <= 1.25 * font + 1.35 * small * static_cast<double>(lines.size()) + 4) {
            lines.pop_back();
        }
        return lines;
    }

    void write_label(size_t d) {
        const Label& label = labels_[d];
        if (label.fit.font == 0) return;
        Rectangle r = label_space(d);
        const double x = r.x + r.width / 2;
        const double y = r.y + r.height / 2;
        if (label.fit.rotated) std::swap(r.width, r.height);
        double small = size_below(label.fit.font);
        const std::vector<std::string> below = lines_below(d, r, label.fit.font, small);
        const double baseline = y + 0.35 * label.fit.font - 0.6 * small * static_cast<double>(below.size());
        if (label.fit.rotated) {
            add("<g transform=\"rotate(-90 {:.2f} {:.2f})\">", x, y);
        } else {
            out_ += "<g>";
        }
        write_text("label", x, baseline, label.fit.font, label.text);
        for (size_t k = 0; k < below.size(); ++k) {
            write_text("label small", x, baseline + 1.2 * small * static_cast<double>(k + 1), small, below[k]);
        }
        out_ += "</g>\n";
    }

    /// Writes a text with a halo of the paper's colour behind it, so that it is readable over flow lines and hatching.
    void write_text(std::string_view style, double x, double y, double font, std::string_view text) {
        for (const char* layer : {" halo", ""}) {
            add("<text class=\"{}{}\" x=\"{:.2f}\" y=\"{:.2f}\" font-size=\"{:.1f}\">{}</text>", style, layer, x, y,
                font, escaped(text));
        }
    }

    struct Note {
        std::string title;
        std::vector<std::string> items;
    };

    const UaflpInstance& instance_;
    const Layout& layout_;
    double scale_;  ///< pixels per unit of length
    Rectangle plant_;
    double width_ = 0;
    std::vector<Label> labels_;
    std::vector<Note> notes_;
    std::string out_;
};

}  // namespace

std::string write_layout_svg(const UaflpInstance& instance, const Layout& layout, const SvgOptions& options) {
    return SvgWriter(instance, layout, options).write(options.flows);
}

}  // namespace qapfw::uaflp
