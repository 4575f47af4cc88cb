// SPDX-License-Identifier: Apache-2.0
#include "problems/uaflp/practice_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace qapfw::uaflp {
namespace {

constexpr const char* kSideNames[] = {"left", "top", "right", "bottom"};
/// An area may miss its limits by this fraction of the department's area without breaking a rule.
constexpr double kSmallArea = 1e-6;

double distance(const UaflpInstance& instance, double dx, double dy) {
    return instance.metric == Metric::kEuclidean ? std::sqrt(dx * dx + dy * dy) : std::abs(dx) + std::abs(dy);
}

/// The point where flows of a department begin, as fractions of its width and height.
std::pair<double, double> anchor_of(const Department& own) {
    constexpr std::pair<double, double> kDoors[] = {{0, 0.5}, {0.5, 0}, {1, 0.5}, {0.5, 1}};
    return own.door ? kDoors[static_cast<unsigned>(*own.door)] : std::pair(0.5, 0.5);
}

/// The point of a department in this box where its flows begin: its door, or its centre if it has none.
std::pair<double, double> start_in(const Rectangle& box, const Department& own) {
    const auto [across, along] = anchor_of(own);
    return {box.x + across * box.width, box.y + along * box.height};
}

}  // namespace

double floor_offset(const UaflpInstance& instance, unsigned floor) {
    return floor > 1 ? 2 * instance.width * (floor - 1) : 0.0;
}

PracticeRules::PracticeRules(const UaflpInstance& instance, const EvaluationOptions& options)
    : instance_(instance), small_(1e-6 * std::max(instance.width, instance.height)), root_width_(instance.width) {
    view_.floors = 1;
    if (!instance.is_practical()) return;
    set_floors();
    set_areas();
    for (std::size_t d = 0; d < instance.size(); ++d) add_rules(d, options.tolerance);
    add_pairs();
    add_points();
    view_.rules = static_cast<std::uint32_t>(rules_.size());
    view_.points = static_cast<std::uint32_t>(points_.size() / 2);
    view_.places = static_cast<std::uint32_t>(places_.size() / 4);
    view_.rule = rules_.data();
    view_.point = points_.data();
    view_.place = places_.data();
    view_.flexible = flexible_.data();
    view_.anchor = anchors_.data();
    view_.lift = lifts_.data();
}

void PracticeRules::set_floors() {
    const Practice& practice = instance_.practice;
    view_.floors = practice.floors;
    view_.floor_width = instance_.width;
    view_.floor_pitch = 2 * instance_.width;
    view_.floor_travel = practice.floor_distance;
    root_width_ = floor_offset(instance_, practice.floors) + instance_.width;
    for (const auto& [x, y] : practice.lifts) lifts_.insert(lifts_.end(), {x, y});
    view_.lifts = static_cast<std::uint32_t>(practice.lifts.size());
}

/// Sets the areas of the departments. If their sum exceeds the area of all floors, departments without a fixed place
/// shrink. Each of these loses the same fraction of what its tolerance allows; a dummy may lose its whole area.
void PracticeRules::set_areas() {
    double all = 0, loose = 0;
    for (const Department& d : instance_.departments) {
        all += d.area;
        loose += d.place ? 0 : d.area * (d.dummy ? 1 : d.area_tolerance);
    }
    const double over = all - instance_.width * instance_.height * instance_.practice.floors;
    const double part = over > 0 && loose > 0 ? std::min(1.0, over / loose) : 0.0;
    for (const Department& d : instance_.departments) {
        const double give = d.place ? 0 : part * d.area * (d.dummy ? 1 : d.area_tolerance);
        areas_.push_back(d.place ? d.place->width * d.place->height : d.area - give);
    }
}

void PracticeRules::add(kernels::SlicingRuleKind kind, std::size_t first, std::size_t second,
                        std::vector<double> numbers, double tolerance, double scale) {
    numbers.resize(4, 0.0);
    rules_.push_back({kind,
                      static_cast<std::uint32_t>(first),
                      static_cast<std::uint32_t>(second),
                      0,
                      {numbers[0], numbers[1], numbers[2], numbers[3]},
                      tolerance,
                      scale});
}

void PracticeRules::add_rules(std::size_t d, double tolerance) {
    const Department& own = instance_.departments[d];
    const double side = std::sqrt(own.area);
    flexible_.push_back(instance_.is_empty_space(d) ? areas_[d] : 0.0);
    const auto [across, along] = anchor_of(own);
    anchors_.insert(anchors_.end(), {across, along});
    if (own.place) {
        const Rectangle& box = *own.place;
        const double left = box.x + floor_offset(instance_, own.floor);
        places_.insert(places_.end(), {left, box.y, box.width, box.height});
        add(kernels::kSlicingPlaceRule, d, d, {left, box.y, box.width, box.height}, small_, 1 / side);
        return;
    }
    if (!own.dummy) {
        add(kernels::kSlicingAreaRule, d, d, {own.area * (1 - own.area_tolerance), own.area * (1 + own.area_tolerance)},
            kSmallArea * own.area, 1 / own.area);
    }
    if (own.rule.any()) {
        add(kernels::kSlicingShapeRule, d, d, {own.rule.max_aspect_ratio, own.rule.min_side}, tolerance * side,
            1 / side);
    }
    for (unsigned wall = 0; wall < 4; ++wall) {
        if ((own.walls >> wall & 1U) == 0) continue;
        const double at = wall == 2 ? instance_.width : wall == 3 ? instance_.height : 0.0;
        add(kernels::kSlicingWallRule, d, d, {static_cast<double>(wall), at}, small_, 1 / side);
    }
    if (own.floor > 0 && instance_.practice.floors > 1) {
        add(kernels::kSlicingFloorRule, d, d, {static_cast<double>(own.floor - 1)}, 0.5, 1);
    }
}

void PracticeRules::add_pairs() {
    for (const PairRule& pair : instance_.practice.pairs) {
        const double side =
            std::sqrt(std::min(instance_.departments[pair.first].area, instance_.departments[pair.second].area));
        add(pair.apart ? kernels::kSlicingApartRule : kernels::kSlicingAdjacentRule, pair.first, pair.second,
            {pair.length}, small_, 1 / side);
    }
}

/// Adds the doors and docks as points, with their flows. For each department with a move cost, also adds a point: its
/// door in its present place, or the centre of this place if it has no door, with the move cost as flow.
void PracticeRules::add_points() {
    for (const FixedPoint& point : instance_.practice.points) {
        points_.insert(points_.end(), {point.x + floor_offset(instance_, point.floor), point.y});
    }
    for (const PointFlow& flow : instance_.practice.point_flows) {
        flows_.push_back({flow.department, flow.point, flow.flow});
    }
    for (std::size_t d = 0; d < instance_.size(); ++d) {
        const Department& own = instance_.departments[d];
        if (!(own.move_cost > 0)) continue;
        const auto [x, y] = start_in(*own.present, own);
        flows_.push_back({d, points_.size() / 2, own.move_cost});
        points_.insert(points_.end(), {x + floor_offset(instance_, own.floor), y});
    }
}

std::vector<ViewArray> PracticeRules::arrays() const {
    std::vector<ViewArray> all;
    const auto add_array = [&](const auto& from, const auto& pointer) {
        const auto offset = reinterpret_cast<const std::byte*>(&pointer) - reinterpret_cast<const std::byte*>(&view_);
        if (!from.empty())
            all.push_back({from.data(), from.size() * sizeof(from[0]), static_cast<std::size_t>(offset)});
    };
    add_array(rules_, view_.rule);
    add_array(points_, view_.point);
    add_array(places_, view_.place);
    add_array(flexible_, view_.flexible);
    add_array(anchors_, view_.anchor);
    add_array(lifts_, view_.lift);
    return all;
}

std::vector<BrokenRule> PracticeRules::broken(const std::vector<double>& boxes) const {
    std::vector<BrokenRule> all;
    for (const kernels::SlicingRule& rule : rules_) {
        const double amount = kernels::slicing_deviation(view_, rule, boxes.data());
        if (amount > rule.tolerance) all.push_back(sentence(rule, amount, boxes.data() + std::size_t{4} * rule.first));
    }
    return all;
}

BrokenRule PracticeRules::sentence(const kernels::SlicingRule& rule, double amount, const double* box) const {
    const Department& own = instance_.departments[rule.first];
    const std::string& other = instance_.departments[rule.second].name;
    const std::string unit = instance_.practice.unit.empty() ? "" : " " + instance_.practice.unit;
    const auto made = [&](const char* name, std::string text) {
        std::vector<std::size_t> who{rule.first};
        if (rule.second != rule.first) who.push_back(rule.second);
        return BrokenRule{std::move(who), name, amount, std::move(text)};
    };
    switch (rule.kind) {
        case kernels::kSlicingAreaRule: {
            const double area = box[2] * box[3];
            return made("area", fmt::format("{} has area {:.4g}, but it must have {:.4g} to {:.4g}", own.name, area,
                                            rule.number[0], rule.number[1]));
        }
        case kernels::kSlicingShapeRule: {  // `amount` is the larger of two deviations: too long, too narrow
            const bool narrow = amount <= rule.number[1] - std::min(box[2], box[3]);
            return made("shape", fmt::format("{} is {:.4g} x {:.4g}{}, {:.3g}{} too {}", own.name, box[2], box[3], unit,
                                             amount, unit, narrow ? "narrow" : "long"));
        }
        case kernels::kSlicingPlaceRule:
            return made("place", fmt::format("{} is up to {:.3g}{} off its place", own.name, amount, unit));
        case kernels::kSlicingWallRule:
            return made("wall", fmt::format("{} is {:.3g}{} away from the {} wall", own.name, amount, unit,
                                            kSideNames[static_cast<unsigned>(rule.number[0])]));
        case kernels::kSlicingAdjacentRule:
            return made("adjacent", fmt::format("{} and {} must share a border of at least {:.3g}{}; they miss this by "
                                                "{:.3g}{}",
                                                own.name, other, rule.number[0], unit, amount, unit));
        case kernels::kSlicingApartRule:
            return made("apart", rule.number[0] > 0
                                     ? fmt::format("{} and {} are {:.3g}{} too near; they must be {:.3g}{} apart",
                                                   own.name, other, amount, unit, rule.number[0], unit)
                                     : fmt::format("{} and {} share a border of {:.3g}{}, but they must share none",
                                                   own.name, other, amount, unit));
        default:
            return made("floor", fmt::format("{} is on floor {}, but it must be on floor {}", own.name,
                                             kernels::slicing_floor_of(view_, box[0]) + 1, own.floor));
    }
}

double moving_cost(const UaflpInstance& instance, const std::vector<PlacedDepartment>& placed) {
    double cost = 0;
    for (std::size_t d = 0; d < instance.size(); ++d) {
        const Department& own = instance.departments[d];
        if (!(own.move_cost > 0)) continue;
        const auto [x, y] = start_in(*own.present, own);
        const auto [new_x, new_y] = start_in(placed[d].box, own);
        cost += own.move_cost * distance(instance, x - new_x, y - new_y);
    }
    return cost;
}

std::optional<double> present_cost(const UaflpInstance& instance) {
    if (instance.practice.floors > 1) return std::nullopt;  // `present` does not say on which floor a place is
    bool any = false;
    std::vector<std::optional<std::pair<double, double>>> at;
    for (const Department& d : instance.departments) {
        const std::optional<Rectangle>& box = d.present ? d.present : d.place;
        at.push_back(box ? std::optional(start_in(*box, d)) : std::nullopt);
        any = any || d.present;
    }
    if (!any) return std::nullopt;
    double cost = 0;
    for (std::size_t i = 0; i < instance.size(); ++i) {
        for (std::size_t j = i + 1; j < instance.size(); ++j) {
            const double flow = instance.flow_between(i, j);
            if (flow == 0) continue;
            if (!at[i] || !at[j]) return std::nullopt;
            cost += flow * distance(instance, at[i]->first - at[j]->first, at[i]->second - at[j]->second);
        }
    }
    for (const PointFlow& flow : instance.practice.point_flows) {
        const FixedPoint& point = instance.practice.points[flow.point];
        if (!at[flow.department]) return std::nullopt;
        cost +=
            flow.flow * distance(instance, at[flow.department]->first - point.x, at[flow.department]->second - point.y);
    }
    return cost;
}

}  // namespace qapfw::uaflp
