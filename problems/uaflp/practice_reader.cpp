// SPDX-License-Identifier: Apache-2.0
#include "problems/uaflp/practice_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "problems/uaflp/nearest_name.hpp"

namespace qapfw::uaflp {
namespace {

using Names = DocumentChecks::Names;

const Names kSides{"left", "top", "right", "bottom"};
const Names kRatings{"A", "E", "I", "O", "U", "X"};
/// Flows for the closeness ratings A to X, as in ALDEP (Seehof and Evans 1967); X keeps departments apart.
constexpr double kRatingFlows[] = {64, 16, 4, 1, 0, 0};
constexpr size_t kRatingApart = 5;
constexpr unsigned kMostFloors = 64;
/// Largest relative error of areas and lengths that is ignored.
constexpr double kTolerance = 1e-9;
/// Number of departments that stand for the empty space of a floor; see add_empty_space().
constexpr unsigned kSpacesOfFloor = 4;

bool overlap(const Rectangle& a, const Rectangle& b, double small) {
    return std::min(a.x + a.width, b.x + b.width) - std::max(a.x, b.x) > small &&
           std::min(a.y + a.height, b.y + b.height) - std::max(a.y, b.y) > small;
}

}  // namespace

const Names& PracticeReader::instance_keys() {
    static const Names kKeys{"unit",  "points", "blocked",        "ratings", "rating_flows",  "adjacent",
                             "apart", "floors", "floor_distance", "lifts",   "area_tolerance"};
    return kKeys;
}

const Names& PracticeReader::department_keys() {
    static const Names kKeys{"area_tolerance", "floor", "walls", "place", "door", "present", "move_cost", "blocked"};
    return kKeys;
}

Rectangle PracticeReader::rectangle(const Node& node, const std::string& what) const {
    checks_.list_of(node, 4, what + " [x, y, width, height]");
    return {checks_.finite(node.items[0], "x of " + what), checks_.finite(node.items[1], "y of " + what),
            checks_.positive(node.items[2], "the width of " + what),
            checks_.positive(node.items[3], "the height of " + what)};
}

std::pair<double, double> PracticeReader::coordinates(const Node& node, const std::string& what) const {
    checks_.list_of(node, 2, what + " [x, y]");
    const double x = checks_.finite(node.items[0], "x of " + what), y = checks_.finite(node.items[1], "y of " + what);
    if (x < 0 || y < 0 || x > out_.width || y > out_.height) {
        checks_.fail(node.position, fmt::format("{} lies at ({}, {}), outside the plant of {} x {}", what, x, y,
                                                out_.width, out_.height));
    }
    return {x, y};
}

unsigned PracticeReader::floor(const Node& node, const std::string& what) const {
    const double floor = checks_.finite(node, "the floor of " + what);
    if (!(floor >= 1 && floor <= out_.practice.floors && floor == std::floor(floor))) {
        checks_.fail(node.position,
                     fmt::format("the floor of {} is {}, but it must be a whole number from 1 to {} (\"floors\")", what,
                                 floor, out_.practice.floors));
    }
    return static_cast<unsigned>(floor);
}

Side PracticeReader::side(const Node& node, const std::string& what) const {
    const std::string& word = checks_.text(node, what);
    const auto found = std::find(kSides.begin(), kSides.end(), word);
    if (found == kSides.end()) {
        checks_.fail(node.position, fmt::format("{} is \"{}\", but it must be left, top, right or bottom{}", what, word,
                                                did_you_mean(word, kSides)));
    }
    return static_cast<Side>(found - kSides.begin());
}

void PracticeReader::read_plant() {
    Practice& practice = out_.practice;
    if (const Node* unit = root_.find("unit")) practice.unit = checks_.text(*unit, "unit");
    if (const Node* floors = root_.find("floors")) {
        practice.floors = static_cast<unsigned>(checks_.number_up_to(*floors, kMostFloors, "floors"));
    }
    if (const Node* way = root_.find("floor_distance")) {
        practice.floor_distance = checks_.not_negative(*way, "floor_distance");
    }
    if (const Node* lifts = root_.find("lifts")) {
        checks_.of_kind(*lifts, Node::Kind::kList, "lifts");
        for (const Node& lift : lifts->items) practice.lifts.push_back(coordinates(lift, "a lift"));
    }
    if (practice.floors > 1 && practice.lifts.empty()) {
        checks_.fail(root_.find("floors")->position, "with several floors give \"lifts\", a list of positions [x, y]");
    }
    const Node* points = root_.find("points");
    if (!points) return;
    checks_.of_kind(*points, Node::Kind::kList, "points");
    for (const Node& item : points->items) {
        const std::string what = fmt::format("point {}", practice.points.size() + 1);
        checks_.of_kind(item, Node::Kind::kTable, what);
        checks_.only_keys(item, {"name", "at", "floor"}, what);
        FixedPoint point;
        point.name = checks_.text(checks_.required(item, "name", what), "the name of " + what);
        const auto at = coordinates(checks_.required(item, "at", what), "point \"" + point.name + "\"");
        point.x = at.first;
        point.y = at.second;
        if (const Node* node = item.find("floor")) point.floor = floor(*node, "point \"" + point.name + "\"");
        practice.points.push_back(std::move(point));
    }
}

void PracticeReader::read_department(const Node& table) {
    Department& d = out_.departments.back();
    const std::string whose = fmt::format("department \"{}\"", d.name);
    const Node* tolerance = table.find("area_tolerance");
    if (!tolerance) tolerance = root_.find("area_tolerance");
    if (tolerance) {
        d.area_tolerance = checks_.not_negative(*tolerance, "area_tolerance");
        if (d.area_tolerance > 0.9) {
            checks_.fail(
                tolerance->position,
                fmt::format("area_tolerance is {}, but it must be at most 0.9 (0.1 is 10 %)", d.area_tolerance));
        }
    }
    if (const Node* node = table.find("floor")) d.floor = floor(*node, whose);
    if (const Node* walls = table.find("walls")) {
        const bool is_list = walls->kind == Node::Kind::kList;
        const auto add = [&](const Node& item) {
            d.walls |= 1U << static_cast<unsigned>(side(item, "a wall of " + whose));
        };
        if (is_list) {
            for (const Node& item : walls->items) add(item);
        } else {
            add(*walls);
        }
    }
    if (const Node* blocked = table.find("blocked")) {
        d.blocked = checks_.of_kind(*blocked, Node::Kind::kBoolean, "blocked").boolean;
        if (d.blocked) (void)checks_.required(table, "place", whose + ", which is blocked,");
    }
    if (const Node* place = table.find("place")) d.place = rectangle(*place, "the place of " + whose);
    if (const Node* door = table.find("door")) d.door = side(*door, "the door of " + whose);
    if (const Node* present = table.find("present")) d.present = rectangle(*present, "the present place of " + whose);
    if (const Node* cost = table.find("move_cost")) {
        d.move_cost = checks_.not_negative(*cost, "move_cost of " + whose);
        if (!d.present)
            checks_.fail(
                cost->position,
                fmt::format("{} has a move_cost but no \"present\" place; add \"present\" or remove move_cost", whose));
    }
}

void PracticeReader::add_pair(size_t first, size_t second, bool apart, double length, Position at) {
    if (first == second) {
        checks_.fail(at, fmt::format("\"{}\" cannot be {} itself", out_.departments[first].name,
                                     apart ? "apart from" : "adjacent to"));
    }
    const std::pair<size_t, size_t> pair = std::minmax(first, second);
    const auto& others = apart ? adjacent_ : apart_;
    if (const auto other = others.find(pair); other != others.end()) {
        checks_.fail(at,
                     fmt::format("\"{}\" and \"{}\" cannot be both adjacent and apart; the other demand is in line {}",
                                 out_.departments[first].name, out_.departments[second].name, other->second.line));
    }
    if (!(apart ? apart_ : adjacent_).emplace(pair, at).second) {
        checks_.fail(at, fmt::format("the pair of \"{}\" and \"{}\" is listed twice", out_.departments[first].name,
                                     out_.departments[second].name));
    }
    out_.practice.pairs.push_back({first, second, apart, length});
}

void PracticeReader::read_pairs(const char* key, bool apart,
                                const std::function<size_t(const Node&, const std::string&)>& department_of) {
    const Node* list = root_.find(key);
    if (!list) return;
    checks_.of_kind(*list, Node::Kind::kList, key);
    for (const Node& item : list->items) {
        checks_.of_kind(item, Node::Kind::kList, fmt::format("a pair of \"{}\"", key));
        if (item.items.size() != 3) {
            checks_.list_of(item, 2,
                            fmt::format("a pair of \"{}\" (two departments; a third entry may give a length)", key));
        }
        const std::string what = fmt::format("a member of \"{}\"", key);
        const size_t first = department_of(item.items[0], what), second = department_of(item.items[1], what);
        const double smaller = std::min(out_.departments[first].area, out_.departments[second].area);
        double length = apart ? 0 : 0.1 * std::sqrt(smaller);
        if (item.items.size() == 3)
            length = checks_.not_negative(item.items[2], fmt::format("a length of \"{}\"", key));
        add_pair(first, second, apart, length, item.position);
    }
}

void PracticeReader::read_ratings(const std::function<size_t(const Node&, const std::string&)>& department_of) {
    const Node* list = root_.find("ratings");
    const Node* flows = root_.find("rating_flows");
    std::vector<double> amounts(std::begin(kRatingFlows), std::end(kRatingFlows));
    if (flows) {
        checks_.of_kind(*flows, Node::Kind::kTable, "rating_flows");
        checks_.only_keys(*flows, {"A", "E", "I", "O", "U"}, "rating_flows");
        for (size_t k = 0; k < kRatingApart; ++k) {
            const Node* amount = flows->find(kRatings[k]);
            if (amount) amounts[k] = checks_.not_negative(*amount, fmt::format("rating_flows.{}", kRatings[k]));
        }
    }
    if (!list) return;
    checks_.of_kind(*list, Node::Kind::kList, "ratings");
    for (const Node& item : list->items) {
        checks_.list_of(item, 3, "a rating [department, department, letter]");
        const size_t first = department_of(item.items[0], "a rated department"),
                     second = department_of(item.items[1], "a rated department");
        const std::string& letter = checks_.text(item.items[2], "a rating");
        const auto found = std::find(kRatings.begin(), kRatings.end(), letter);
        if (found == kRatings.end()) {
            checks_.fail(item.items[2].position,
                         fmt::format("the rating is \"{}\", but it must be A, E, I, O, U or X", letter));
        }
        const auto [before, is_new] = rated_.emplace(std::minmax(first, second), item.position);
        if (!is_new) {
            checks_.fail(item.position,
                         fmt::format("\"{}\" and \"{}\" are rated twice, first in line {}",
                                     out_.departments[first].name, out_.departments[second].name, before->second.line));
        }
        const auto which = static_cast<size_t>(found - kRatings.begin());
        if (which == kRatingApart || first == second) add_pair(first, second, true, 0, item.position);
        if (which == 0 && apart_.count(std::minmax(first, second)) > 0) {
            checks_.fail(item.position,
                         fmt::format("\"{}\" and \"{}\" are rated A (close), but \"apart\" lists this pair",
                                     out_.departments[first].name, out_.departments[second].name));
        }
        out_.flow[first * out_.size() + second] += amounts[which];
    }
}

void PracticeReader::add_department(Department department) {
    const size_t n = out_.size();
    std::vector<double> flow((n + 1) * (n + 1), 0.0);
    for (size_t i = 0; i < n; ++i) {
        std::copy_n(out_.flow.begin() + static_cast<std::ptrdiff_t>(i * n), n,
                    flow.begin() + static_cast<std::ptrdiff_t>(i * (n + 1)));
    }
    out_.flow = std::move(flow);
    out_.departments.push_back(std::move(department));
}

void PracticeReader::add_blocked() {
    const Node* list = root_.find("blocked");
    if (!list) return;
    checks_.of_kind(*list, Node::Kind::kList, "blocked");
    for (const Node& item : list->items) {
        Department blocked;
        blocked.name = fmt::format("blocked {}", blocked_at_.size() + 1);
        blocked.blocked = true;
        const Node* place = &item;
        if (item.kind == Node::Kind::kTable) {
            checks_.only_keys(item, {"name", "place", "floor"}, "a blocked area");
            if (const Node* name = item.find("name")) blocked.name = checks_.text(*name, "the name of a blocked area");
            if (const Node* node = item.find("floor")) blocked.floor = floor(*node, "\"" + blocked.name + "\"");
            place = &checks_.required(item, "place", "a blocked area");
        }
        blocked.place = rectangle(*place, "\"" + blocked.name + "\"");
        blocked.area = blocked.place->width * blocked.place->height;
        for (const Department& d : out_.departments) {
            if (d.name == blocked.name) {
                checks_.fail(item.position, fmt::format("two departments or blocked areas are named \"{}\"", d.name));
            }
        }
        blocked_at_.push_back(item.position);
        add_department(std::move(blocked));
    }
}

void PracticeReader::check_places(const std::vector<Position>& at) const {
    const double small = kTolerance * std::max(out_.width, out_.height);
    const auto position = [&](size_t d) { return d < at.size() ? at[d] : blocked_at_[d - at.size()]; };
    for (size_t d = 0; d < out_.size(); ++d) {
        const Department& one = out_.departments[d];
        if (!one.place) continue;
        const Rectangle& box = *one.place;
        if (box.x < -small || box.y < -small || box.x + box.width > out_.width + small ||
            box.y + box.height > out_.height + small) {
            checks_.fail(position(d),
                         fmt::format("the place of \"{}\", {} x {} at ({}, {}), is not wholly inside the plant "
                                     "of {} x {}",
                                     one.name, box.width, box.height, box.x, box.y, out_.width, out_.height));
        }
        const double area = box.width * box.height;
        if (std::abs(area - one.area) > (one.area_tolerance + 1e-6) * one.area) {
            checks_.fail(position(d), fmt::format("\"{}\" has area {}, but its place of {} x {} has {}", one.name,
                                                  one.area, box.width, box.height, area));
        }
        for (size_t before = 0; before < d; ++before) {
            const Department& other = out_.departments[before];
            if (!other.place || std::max(1U, other.floor) != std::max(1U, one.floor)) continue;
            if (!overlap(*other.place, box, small)) continue;
            checks_.fail(position(d), fmt::format("the places of \"{}\" and \"{}\" overlap", other.name, one.name));
        }
    }
}

void PracticeReader::check_areas(const std::vector<Position>& at) const {
    const double plant = out_.width * out_.height;
    double all = 0;
    std::vector<double> of_floor(out_.practice.floors + 1, 0.0);
    for (const Department& d : out_.departments) {
        const double least = d.dummy ? 0 : d.area * (1 - d.area_tolerance);
        all += least;
        of_floor[d.place ? std::max(1U, d.floor) : d.floor] += least;
    }
    const Position where = at.empty() ? root_.position : at.front();
    for (unsigned floor = 1; floor <= out_.practice.floors; ++floor) {
        if (of_floor[floor] <= plant * (1 + kTolerance)) continue;
        checks_.fail(where, fmt::format("the areas of the departments on floor {} sum to at least {:.10g}, but the "
                                        "floor has area {:.10g}",
                                        floor, of_floor[floor], plant));
    }
    if (all <= plant * out_.practice.floors * (1 + kTolerance)) return;
    checks_.fail(where, fmt::format("the areas sum to at least {:.10g}, but the plant of {} x {}{} has area {:.10g}",
                                    all, out_.width, out_.height,
                                    out_.practice.floors > 1 ? fmt::format(" on {} floors", out_.practice.floors) : "",
                                    plant * out_.practice.floors));
}

/// Adds departments that stand for the empty space of the plant, unless the file has dummy departments.
void PracticeReader::add_empty_space() {
    double left = out_.width * out_.height * out_.practice.floors;
    bool has_space = false;
    for (const Department& d : out_.departments) {
        left -= d.area;
        has_space = has_space || d.dummy;
    }
    if (has_space || left <= kTolerance * out_.width * out_.height) return;
    const unsigned count = kSpacesOfFloor * out_.practice.floors;
    for (unsigned k = 1; k <= count; ++k) {
        Department space;
        space.name = fmt::format("empty {}", k);
        space.area = left / count;
        space.dummy = true;
        add_department(std::move(space));
    }
}

void PracticeReader::finish(const std::function<size_t(const Node&, const std::string&)>& department_of,
                            const std::vector<Position>& at) {
    read_pairs("adjacent", false, department_of);
    read_pairs("apart", true, department_of);
    read_ratings(department_of);
    add_blocked();
    if (!out_.is_practical()) return;
    for (Department& d : out_.departments) {
        if (d.place && d.floor == 0) d.floor = 1;
    }
    check_places(at);
    check_areas(at);
    add_empty_space();
}

}  // namespace qapfw::uaflp
