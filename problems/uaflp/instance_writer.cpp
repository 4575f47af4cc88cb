// SPDX-License-Identifier: Apache-2.0
// Instances as text. Numbers are written in the shortest form that reads back to the same bits.
#include <fmt/format.h>

#include <iterator>
#include <nlohmann/json.hpp>

#include "problems/uaflp/instance.hpp"

namespace qapfw::uaflp {
namespace {

const char* metric_name(Metric metric) {
    return metric == Metric::kEuclidean ? "euclidean" : "rectilinear";
}

/// The text as a basic string of TOML. TOML accepts JSON's escapes, but also demands that DEL is escaped.
std::string quoted(const std::string& text) {
    std::string out;
    for (const char c : nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)) {
        if (c == '\x7f') {
            out += "\\u007f";
        } else {
            out += c;
        }
    }
    return out;
}

const char* side_name(unsigned side) {
    constexpr const char* kNames[] = {"left", "top", "right", "bottom"};
    return kNames[side];
}

void append_box(const char* key, const Rectangle& box, std::string& out) {
    fmt::format_to(std::back_inserter(out), "{} = [{}, {}, {}, {}]\n", key, box.x, box.y, box.width, box.height);
}

void append_practice(const Department& d, std::string& out) {
    auto to = std::back_inserter(out);
    if (d.blocked) out += "blocked = true\n";
    if (d.area_tolerance > 0) fmt::format_to(to, "area_tolerance = {}\n", d.area_tolerance);
    if (d.floor > 0) fmt::format_to(to, "floor = {}\n", d.floor);
    if (d.place) append_box("place", *d.place, out);
    if (d.door) fmt::format_to(to, "door = \"{}\"\n", side_name(static_cast<unsigned>(*d.door)));
    if (d.present) append_box("present", *d.present, out);
    if (d.move_cost > 0) fmt::format_to(to, "move_cost = {}\n", d.move_cost);
    if (d.walls == 0) return;
    out += "walls = [";
    for (unsigned side = 0; side < 4; ++side) {
        if ((d.walls >> side & 1U) != 0) fmt::format_to(to, "\"{}\", ", side_name(side));
    }
    out += "]\n";
}

/// Writes the keys of a Practice that must come before all tables: those of the unit, the pairs and the floors.
void append_practice(const UaflpInstance& instance, std::string& out) {
    auto to = std::back_inserter(out);
    const Practice& practice = instance.practice;
    if (!practice.unit.empty()) fmt::format_to(to, "unit = {}\n", quoted(practice.unit));
    for (const bool apart : {false, true}) {
        fmt::format_to(to, "{} = [\n", apart ? "apart" : "adjacent");
        for (const PairRule& pair : practice.pairs) {
            if (pair.apart != apart) continue;
            fmt::format_to(to, "  [{}, {}, {}],\n", quoted(instance.departments[pair.first].name),
                           quoted(instance.departments[pair.second].name), pair.length);
        }
        out += "]\n";
    }
    if (practice.floors > 1) {
        fmt::format_to(to, "floors = {}\nfloor_distance = {}\nlifts = [", practice.floors, practice.floor_distance);
        for (const auto& [x, y] : practice.lifts) fmt::format_to(to, "[{}, {}], ", x, y);
        out += "]\n";
    }
}

void append_points(const Practice& practice, std::string& out) {
    for (const FixedPoint& point : practice.points) {
        fmt::format_to(std::back_inserter(out), "\n[[points]]\nname = {}\nat = [{}, {}]\n", quoted(point.name), point.x,
                       point.y);
        if (practice.floors > 1) fmt::format_to(std::back_inserter(out), "floor = {}\n", point.floor);
    }
}

void append_department(const Department& d, const ShapeRule& shared, std::string& out) {
    auto to = std::back_inserter(out);
    fmt::format_to(to, "\n[[departments]]\nname = {}\narea = {}\n", quoted(d.name), d.area);
    append_practice(d, out);
    if (d.dummy) {
        out += "dummy = true\n";
        return;
    }
    if (d.rule.max_aspect_ratio == shared.max_aspect_ratio && d.rule.min_side == shared.min_side) return;
    if (d.rule.max_aspect_ratio > 0) fmt::format_to(to, "max_aspect_ratio = {}\n", d.rule.max_aspect_ratio);
    if (d.rule.min_side > 0) fmt::format_to(to, "min_side = {}\n", d.rule.min_side);
}

ShapeRule first_rule(const UaflpInstance& instance) {
    for (const Department& d : instance.departments) {
        if (!d.dummy && !d.blocked) return d.rule;
    }
    return {};
}

}  // namespace

std::string instance_to_toml(const UaflpInstance& instance) {
    std::string out;
    auto to = std::back_inserter(out);
    const ShapeRule shared = first_rule(instance);
    fmt::format_to(to, "format = \"uaflp-1\"\nname = {}\nmetric = \"{}\"\n\n", quoted(instance.name),
                   metric_name(instance.metric));
    out += "# One line per direction: [from, to, flow]\nflows = [\n";
    for (size_t i = 0; i < instance.size(); ++i) {
        for (size_t j = 0; j < instance.size(); ++j) {
            const double flow = instance.flow[i * instance.size() + j];
            if (flow == 0 || i == j) continue;
            fmt::format_to(to, "  [{}, {}, {}],\n", quoted(instance.departments[i].name),
                           quoted(instance.departments[j].name), flow);
        }
    }
    for (const PointFlow& flow : instance.practice.point_flows) {
        fmt::format_to(to, "  [{}, {}, {}],\n", quoted(instance.departments[flow.department].name),
                       quoted(instance.practice.points[flow.point].name), flow.flow);
    }
    out += "]\n";
    if (instance.is_practical()) append_practice(instance, out);
    fmt::format_to(to, "\n[plant]\nwidth = {}\nheight = {}\n", instance.width, instance.height);
    if (shared.any()) out += "\n# The rule of all departments without a rule of their own\n[shape]\n";
    if (shared.max_aspect_ratio > 0) fmt::format_to(to, "max_aspect_ratio = {}\n", shared.max_aspect_ratio);
    if (shared.min_side > 0) fmt::format_to(to, "min_side = {}\n", shared.min_side);
    append_points(instance.practice, out);
    for (const Department& d : instance.departments) append_department(d, shared, out);
    return out;
}

}  // namespace qapfw::uaflp
