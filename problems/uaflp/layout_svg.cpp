// SPDX-License-Identifier: Apache-2.0
// Writes layout.svg: departments and bays to scale, labels where they fit, the other labels in a list below.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "problems/uaflp/display_text.hpp"
#include "problems/uaflp/layout.hpp"

namespace qapfw::uaflp {
namespace {

constexpr double kMargin = 20;     // pixels around the drawing
constexpr double kHeader = 58;     // height of the two lines above it
constexpr double kMinWidth = 640;  // so that the header fits narrow plants
constexpr double kSmallest = 8.5;  // least font size that is still read easily
constexpr double kLargest = 17;
constexpr double kLetter = 0.62;  // width of a letter / font size, on the safe side for sans-serif fonts
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
        : instance_(instance), layout_(layout), scale_(options.size / std::max(instance.width, instance.height)) {
        for (size_t d = 0; d < instance_.size(); ++d) choose_label(d);
        write_notes();
        plant_ = {kMargin, kHeader, instance_.width * scale_, instance_.height * scale_};
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
        write_box({0, 0, instance_.width, instance_.height}, "plant");
        if (flows) write_flows();
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

    Rectangle scaled(const Rectangle& box) const {
        return {kMargin + box.x * scale_, kHeader + box.y * scale_, box.width * scale_, box.height * scale_};
    }

    /// The frame of an infeasible department lies inside its rectangle, so that neighbours stay clear. Slivers are
    /// framed as they are.
    static Rectangle frame_of(const Rectangle& r) {
        const double inset = std::min({2.5, r.width / 4, r.height / 4});
        return {r.x + inset, r.y + inset, r.width - 2 * inset, r.height - 2 * inset};
    }

    /// The space that a label may cover, without a margin of 1.5, which is half of the frame's line.
    Rectangle label_space(size_t d) const {
        const PlacedDepartment& placed = layout_.departments[d];
        return placed.feasible ? scaled(placed.box) : frame_of(scaled(placed.box));
    }

    /// Chooses the whole name if it fits, else the number, else a beginning of the name, else nothing.
    void choose_label(size_t d) {
        const Rectangle box = label_space(d);
        const std::string& name = instance_.departments[d].name;
        const std::string number = std::to_string(d + 1);
        Label label{name, fit(name, box)};
        if (label.fit.font == 0) label = {number, fit(number, box)};
        labels_.push_back(label);
    }

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
        if (layout_.evaluation.violations > 0) {
            notes_.push_back({"Hatched red: breaks its shape rule:", {}});
            for (size_t d = 0; d < instance_.size(); ++d) {
                if (layout_.departments[d].feasible) continue;
                notes_.back().items.push_back(fmt::format("{} ({:.3g} x {:.3g})", instance_.departments[d].name,
                                                          layout_.departments[d].box.width,
                                                          layout_.departments[d].box.height));
            }
        }
        if (has_empty_space()) notes_.push_back({"Grey: empty space (dummies).", {}});
        if (!numbered.empty()) notes_.push_back({"By number:", numbered});
        if (!unlabelled.empty()) notes_.push_back({"Too thin for a label:", unlabelled});
    }

    bool has_empty_space() const {
        for (size_t d = 0; d < instance_.size(); ++d) {
            if (instance_.is_empty_space(d)) return true;
        }
        return false;
    }

    /// Notes as lines that fit the drawing's width.
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
            ".plant { fill: none; stroke: #222; stroke-width: 2.5 }\n"
            ".bay { fill: none; stroke: #222; stroke-width: 2 }\n"
            ".even { fill: #dce9f7; stroke: #667; stroke-width: 0.8 }\n"
            ".odd { fill: #eef4ea; stroke: #667; stroke-width: 0.8 }\n"
            ".dummy { fill: #f4f4f4; stroke: #aaa; stroke-width: 0.8; stroke-dasharray: 4 3 }\n"
            ".infeasible { fill: url(#hatch); stroke: #c01818; stroke-width: 1 }\n"
            ".frame { fill: none; stroke: #c01818; stroke-width: 3 }\n"
            ".flow { stroke: #b35c00; stroke-linecap: round }\n"
            ".label { text-anchor: middle; fill: #111 }\n"
            ".small { fill: #445 }\n"
            ".halo { stroke: #fff; stroke-width: 3; stroke-opacity: 0.85; stroke-linejoin: round; fill: #fff }\n"
            ".title { font-size: 19px; font-weight: bold; fill: #111 }\n"
            ".note { font-size: 13px; fill: #222 }\n"
            "</style>\n"
            "<defs><pattern id=\"hatch\" width=\"9\" height=\"9\" patternUnits=\"userSpaceOnUse\" "
            "patternTransform=\"rotate(45)\"><rect width=\"9\" height=\"9\" fill=\"#ffe3e0\"/><rect width=\"2.5\" "
            "height=\"9\" fill=\"#f3a79f\"/></pattern></defs>\n";
        add("<rect width=\"{:.0f}\" height=\"{:.0f}\" fill=\"#fff\"/>\n", width_, height);
        add("<text class=\"title\" x=\"{:.0f}\" y=\"24\">{}</text>\n", kMargin,
            escaped(shortened(printable(instance_.name), 45)));
        add("<text class=\"note\" x=\"{:.0f}\" y=\"46\">{}</text>\n", kMargin, escaped(describe_layout(layout_)));
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
        const Rectangle r = scaled(placed.box);
        const char* style = !placed.feasible ? "infeasible" : instance_.is_empty_space(d) ? "dummy" : usual_style;
        add("<rect class=\"{}\" x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\"><title>{}: {}, area "
            "{:.6g}, {:.6g} x {:.6g}, aspect ratio {:.4g}{}</title></rect>\n",
            style, r.x, r.y, r.width, r.height, d + 1, escaped(department.name), department.area, placed.box.width,
            placed.box.height, placed.aspect_ratio, placed.feasible ? "" : ", breaks its shape rule");
    }

    void write_infeasible_frames() {
        for (const PlacedDepartment& placed : layout_.departments) {
            if (placed.feasible) continue;
            const Rectangle r = frame_of(scaled(placed.box));
            add("<rect class=\"frame\" x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\"/>\n", r.x, r.y,
                r.width, r.height);
        }
    }

    void write_flows() {
        struct Line {
            double flow;
            size_t i, j;
        };
        std::vector<Line> lines;
        for (size_t i = 0; i < instance_.size(); ++i) {
            for (size_t j = i + 1; j < instance_.size(); ++j) {
                if (const double flow = instance_.flow_between(i, j); flow > 0) lines.push_back({flow, i, j});
            }
        }
        std::stable_sort(lines.begin(), lines.end(), [](const Line& a, const Line& b) { return a.flow < b.flow; });
        for (const Line& line : lines) {
            const Rectangle a = scaled(layout_.departments[line.i].box);
            const Rectangle b = scaled(layout_.departments[line.j].box);
            const double share =
                line.flow / lines.back().flow;  // small flows stay faint, else many of them would hide all others
            add("<line class=\"flow\" x1=\"{:.2f}\" y1=\"{:.2f}\" x2=\"{:.2f}\" y2=\"{:.2f}\" "
                "stroke-width=\"{:.2f}\" stroke-opacity=\"{:.3f}\"><title>{} and {}: {:.6g}</title></line>\n",
                a.x + a.width / 2, a.y + a.height / 2, b.x + b.width / 2, b.y + b.height / 2, 0.4 + 5.1 * share,
                0.06 + 0.54 * share, escaped(instance_.departments[line.i].name),
                escaped(instance_.departments[line.j].name), line.flow);
        }
    }

    void write_label(size_t d) {
        const Label& label = labels_[d];
        if (label.fit.font == 0) return;
        Rectangle r = label_space(d);
        const double x = r.x + r.width / 2;
        const double y = r.y + r.height / 2;
        if (label.fit.rotated) std::swap(r.width, r.height);
        const std::string area = fmt::format("{:.5g}", instance_.departments[d].area);
        const double area_font = std::max(kSmallest, 0.75 * label.fit.font);
        const bool two_lines =
            r.height > 1.25 * label.fit.font + 1.35 * area_font + 4 && text_width(area, area_font) < r.width - 4;
        const double baseline = two_lines ? y - 0.1 * label.fit.font : y + 0.35 * label.fit.font;
        if (label.fit.rotated) {
            add("<g transform=\"rotate(-90 {:.2f} {:.2f})\">", x, y);
        } else {
            out_ += "<g>";
        }
        write_text("label", x, baseline, label.fit.font, label.text);
        if (two_lines) write_text("label small", x, baseline + 1.2 * area_font, area_font, area);
        out_ += "</g>\n";
    }

    /// Writes a text with a white halo behind it, over flow lines and hatching.
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
