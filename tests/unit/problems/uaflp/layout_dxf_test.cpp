// SPDX-License-Identifier: Apache-2.0
// Drawings of a layout with points and floors: corners in the CAD file, labels in the SVG file.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "problems/uaflp/slicing_layout.hpp"

using namespace qapfw::uaflp;

namespace {

UaflpInstance two_floors() {
    return parse_instance(
        "unit = \"m\"\nfloors = 2\nlifts = [[0, 0]]\nflows = [[\"Gate\", \"Hall\", 4], [\"Hall\", \"Shop\", 2]]\n"
        "blocked = [{name = \"Shaft\", place = [0, 0, 4, 5], floor = 2}]\n[plant]\nwidth = 10\nheight = 5\n"
        "[shape]\nmax_aspect_ratio = 5\n[[points]]\nname = \"Gate\"\nat = [10, 5]\n"
        "[[departments]]\nname = \"Hall\"\narea = 50\nfloor = 1\n[[departments]]\nname = \"Shop\"\narea = 30\n",
        "two.toml");
}

/// A layout with the hall on floor 1. On floor 2 the shop is to the right of the shaft.
Layout layout_of_two_floors(const UaflpInstance& instance) {
    return make_slicing_layout(instance, std::vector<std::uint16_t>{0, 2, 1}, std::vector<std::uint16_t>{1, 9});
}

/// The corners of all polylines of a layer, as pairs of x and y.
std::vector<std::pair<double, double>> corners_in(const std::string& dxf, const std::string& layer) {
    std::istringstream lines(dxf);
    std::vector<std::pair<double, double>> corners;
    std::string code, value, entity, on;
    double x = 0;
    while (std::getline(lines, code) && std::getline(lines, value)) {
        if (code == "0") entity = value;
        if (code == "8") on = value;
        if (entity != "VERTEX" || on != layer) continue;
        if (code == "10") x = std::stod(value);
        if (code == "20") corners.emplace_back(x, std::stod(value));
    }
    return corners;
}

}  // namespace

TEST_CASE("a CAD file has every rectangle at its place, y upwards, floors side by side") {
    const UaflpInstance instance = two_floors();
    const Layout layout = layout_of_two_floors(instance);
    REQUIRE(layout.evaluation.feasible());
    const std::string dxf = write_layout_dxf(instance, layout);
    using Corners = std::vector<std::pair<double, double>>;
    CHECK(corners_in(dxf, "BLOCKED") == Corners{{11, 5}, {15, 5}, {15, 0}, {11, 0}});
    CHECK(corners_in(dxf, "DEPARTMENTS") ==
          Corners{{0, 5}, {10, 5}, {10, 0}, {0, 0}, {15, 5}, {21, 5}, {21, 0}, {15, 0}});
    CHECK(corners_in(dxf, "PLANT").size() == 8);
    CHECK(dxf.ends_with("0\nEOF\n"));
}

TEST_CASE("a drawing states sides with the unit, floors, points and flows to them, in light and dark") {
    const UaflpInstance instance = two_floors();
    const std::string svg = write_layout_svg(instance, layout_of_two_floors(instance), {.flows = true});
    for (const char* part :
         {">10 x 5 m</text>", ">6 x 5 m</text>", ">30 m²</text>", "floor 2: 10 m", "class=\"blocked\"",
          "Hall and Gate: 4", "class=\"point\"", "class=\"lift\"", "prefers-color-scheme: dark"}) {
        CAPTURE(part);
        CHECK(svg.find(part) != std::string::npos);
    }
    UaflpInstance moved = instance;
    moved.departments[0].floor = 2;
    const Layout layout = layout_of_two_floors(moved);
    const std::string broken = write_layout_svg(moved, layout);
    CHECK(broken.find("Hall is on floor 1, but it must be on floor 2") != std::string::npos);
    CHECK(broken.find("class=\"infeasible\"") != std::string::npos);
    CHECK(describe_layout(layout).find("not kept: Hall is on floor 1, but it must be on floor 2") != std::string::npos);
}
