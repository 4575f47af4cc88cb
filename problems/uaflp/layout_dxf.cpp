// SPDX-License-Identifier: Apache-2.0
// Writes layout.dxf for CAD programs: rectangles as closed polylines, names and sides as texts, points as
// circles. DXF's y goes upwards, so y is inverted. Floors lie side by side.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "problems/uaflp/display_text.hpp"
#include "problems/uaflp/layout.hpp"

namespace qapfw::uaflp {
namespace {

constexpr double kPartBetweenFloors = 0.1;  // gap between two floors, as a fraction of the plant's width

class DxfWriter {
  public:
    DxfWriter(const UaflpInstance& instance, const Layout& layout) : instance_(instance), layout_(layout) {}

    std::string write() {
        out_ = "0\nSECTION\n2\nHEADER\n9\n$ACADVER\n1\nAC1009\n0\nENDSEC\n0\nSECTION\n2\nENTITIES\n";
        for (unsigned floor = 1; floor <= instance_.practice.floors; ++floor) {
            box({0, 0, instance_.width, instance_.height}, floor, "PLANT");
            for (const auto& [x, y] : instance_.practice.lifts) circle(x, y, floor, "LIFTS");
        }
        for (size_t d = 0; d < instance_.size(); ++d) department(d);
        for (const FixedPoint& point : instance_.practice.points) {
            circle(point.x, point.y, point.floor, "POINTS");
            text(point.name, point.x, point.y, point.floor, "POINTS", size() / 60);
        }
        return out_ + "0\nENDSEC\n0\nEOF\n";
    }

  private:
    double size() const { return std::max(instance_.width, instance_.height); }
    double across(double x, unsigned floor) const {
        return x + (floor - 1) * instance_.width * (1 + kPartBetweenFloors);
    }

    template <class... Arguments>
    void add(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
        fmt::format_to(std::back_inserter(out_), format, std::forward<Arguments>(arguments)...);
    }

    void department(size_t d) {
        const PlacedDepartment& placed = layout_.departments[d];
        const char* layer = instance_.departments[d].blocked ? "BLOCKED"
                            : instance_.is_empty_space(d)    ? "EMPTY"
                            : placed.feasible                ? "DEPARTMENTS"
                                                             : "INFEASIBLE";
        const Rectangle& b = placed.box;
        box(b, placed.floor, layer);
        const std::string name = printable(instance_.departments[d].name);
        const double letters = static_cast<double>(std::max<size_t>(4, display_width(name)));
        const double height = std::min({b.height / 5, b.width / (0.8 * letters), size() / 50});
        text(name, b.x + b.width / 2, b.y + b.height / 2, placed.floor, "NAMES", height);
        text(fmt::format("{:.4g} x {:.4g}", b.width, b.height), b.x + b.width / 2, b.y + b.height / 2 + 1.5 * height,
             placed.floor, "SIDES", 0.7 * height);
    }

    void box(const Rectangle& b, unsigned floor, const char* layer) {
        add("0\nPOLYLINE\n8\n{}\n66\n1\n70\n1\n10\n0\n20\n0\n30\n0\n", layer);
        const double x = across(b.x, floor), y = instance_.height - b.y;
        const double corners[4][2] = {{x, y}, {x + b.width, y}, {x + b.width, y - b.height}, {x, y - b.height}};
        for (const auto& corner : corners) {
            add("0\nVERTEX\n8\n{}\n10\n{:.9g}\n20\n{:.9g}\n30\n0\n", layer, corner[0], corner[1]);
        }
        add("0\nSEQEND\n8\n{}\n", layer);
    }

    void circle(double x, double y, unsigned floor, const char* layer) {
        add("0\nCIRCLE\n8\n{}\n10\n{:.9g}\n20\n{:.9g}\n30\n0\n40\n{:.9g}\n", layer, across(x, floor),
            instance_.height - y, size() / 120);
    }

    /// A text whose middle is at (x, y).
    void text(const std::string& words, double x, double y, unsigned floor, const char* layer, double height) {
        const double to = across(x, floor), up = instance_.height - y;
        add("0\nTEXT\n8\n{0}\n10\n{1:.9g}\n20\n{2:.9g}\n30\n0\n40\n{3:.9g}\n1\n{4}\n72\n1\n73\n2\n11\n{1:.9g}\n21\n{2:."
            "9g}\n"
            "31\n0\n",
            layer, to, up, height, words);
    }

    const UaflpInstance& instance_;
    const Layout& layout_;
    std::string out_;
};

}  // namespace

std::string write_layout_dxf(const UaflpInstance& instance, const Layout& layout) {
    return DxfWriter(instance, layout).write();
}

}  // namespace qapfw::uaflp
