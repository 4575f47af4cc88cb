// SPDX-License-Identifier: Apache-2.0
// Checks a layout.json against the demands of the plant's owner. The checker shares no code with the problem: it reads
// only rectangles, and computes areas, shapes, rules and costs from them.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace qapfw::testing {

/// A plant and the demands of its owner.
struct OwnersPlan {
    struct Part {
        std::string name;
        double area = 0, tolerance = 0, aspect = 0;
        std::optional<std::array<double, 4>> place;
        int floor = 0;  ///< counted from 1; 0: any floor
        std::set<std::string> walls;
        std::string door;
        bool empty = false;
    };
    struct Point {
        std::string name;
        double x = 0, y = 0;
        int floor = 1;
    };
    double width = 0, height = 0;
    int floors = 1;
    double floor_distance = 0;
    std::vector<std::array<double, 2>> lifts;
    std::vector<Part> parts;
    std::vector<Point> points;
    std::vector<std::tuple<std::string, std::string, double>> flows;
    /// Pairs of departments with their least common border, and pairs with their least gap.
    std::vector<std::tuple<std::string, std::string, double>> adjacent, apart;
};

class LayoutChecker {
  public:
    LayoutChecker(const OwnersPlan& plan, const nlohmann::json& layout)
        : plan_(plan), small_(2e-6 * std::max(plan.width, plan.height)) {
        for (const auto& item : layout["departments"]) {
            boxes_[item["name"].get<std::string>()] = {item["x"].get<double>(), item["y"].get<double>(),
                                                       item["width"].get<double>(), item["height"].get<double>(),
                                                       item.contains("floor") ? item["floor"].get<int>() : 1};
        }
    }

    /// True if all rectangles are inside the plant and no two on the same floor overlap.
    bool is_packed() const {
        for (auto one = boxes_.begin(); one != boxes_.end(); ++one) {
            const Box& a = one->second;
            if (a.x < -small_ || a.y < -small_ || a.x + a.w > plan_.width + small_ || a.y + a.h > plan_.height + small_)
                return false;
            for (auto other = std::next(one); other != boxes_.end(); ++other) {
                const Box& b = other->second;
                if (a.floor == b.floor && gap_x(a, b) < -small_ && gap_y(a, b) < -small_) return false;
            }
        }
        return true;
    }

    /// The demands that are not met, such as "area:Press" and "apart:Paint:Canteen".
    std::set<std::string> broken() const {
        std::set<std::string> all;
        for (const OwnersPlan::Part& part : plan_.parts) check_part(part, all);
        for (const auto& [a, b, border] : plan_.adjacent) {
            const Box &one = boxes_.at(a), &other = boxes_.at(b);
            const double x = gap_x(one, other), y = gap_y(one, other);
            const bool beside = x <= small_ && -y >= border - small_, below = y <= small_ && -x >= border - small_;
            if (one.floor != other.floor || !(beside || below)) all.insert("adjacent:" + a + ":" + b);
        }
        for (const auto& [a, b, gap] : plan_.apart) {
            const Box &one = boxes_.at(a), &other = boxes_.at(b);
            if (one.floor != other.floor) continue;
            const double x = gap_x(one, other), y = gap_y(one, other);
            const bool touch = x <= small_ && y <= small_ && std::min(x, y) < -small_;
            if (gap > 0 ? std::max(x, y) < gap - small_ : touch) all.insert("apart:" + a + ":" + b);
        }
        return all;
    }

    double cost() const {
        double sum = 0;
        for (const auto& [from, to, flow] : plan_.flows) {
            const At a = at(from), b = at(to);
            double way = std::abs(a.x - b.x) + std::abs(a.y - b.y);
            if (a.floor != b.floor) {
                way = std::numeric_limits<double>::infinity();
                for (const auto& lift : plan_.lifts) {
                    way = std::min(way, std::abs(a.x - lift[0]) + std::abs(a.y - lift[1]) + std::abs(b.x - lift[0]) +
                                            std::abs(b.y - lift[1]));
                }
                way += plan_.floor_distance * std::abs(a.floor - b.floor);
            }
            sum += flow * way;
        }
        return sum;
    }

  private:
    struct Box {
        double x = 0, y = 0, w = 0, h = 0;
        int floor = 1;
    };
    struct At {
        double x = 0, y = 0;
        int floor = 1;
    };

    static double gap_x(const Box& a, const Box& b) { return std::max(b.x - a.x - a.w, a.x - b.x - b.w); }
    static double gap_y(const Box& a, const Box& b) { return std::max(b.y - a.y - a.h, a.y - b.y - b.h); }

    At at(const std::string& name) const {
        for (const OwnersPlan::Point& point : plan_.points) {
            if (point.name == name) return {point.x, point.y, point.floor};
        }
        const Box& box = boxes_.at(name);
        At door{box.x + box.w / 2, box.y + box.h / 2, box.floor};
        for (const OwnersPlan::Part& part : plan_.parts) {
            if (part.name != name) continue;
            if (part.door == "left") door.x = box.x;
            if (part.door == "right") door.x = box.x + box.w;
            if (part.door == "top") door.y = box.y;
            if (part.door == "bottom") door.y = box.y + box.h;
        }
        return door;
    }

    void check_part(const OwnersPlan::Part& part, std::set<std::string>& all) const {
        const Box& box = boxes_.at(part.name);
        if (part.place) {
            const auto& [x, y, w, h] = *part.place;
            const double off = std::max({std::abs(box.x - x), std::abs(box.y - y), std::abs(box.x + box.w - x - w),
                                         std::abs(box.y + box.h - y - h)});
            if (off > small_ || box.floor != std::max(1, part.floor)) all.insert("place:" + part.name);
            return;
        }
        if (part.empty) return;
        if (std::abs(box.w * box.h - part.area) > part.area * (part.tolerance + 2e-6)) all.insert("area:" + part.name);
        const double longer = std::max(box.w, box.h), shorter = std::min(box.w, box.h);
        if (part.aspect > 0 && longer > part.aspect * shorter + 1e-5 * longer) all.insert("shape:" + part.name);
        if (part.floor > 0 && box.floor != part.floor) all.insert("floor:" + part.name);
        const std::map<std::string, double> away{{"left", box.x},
                                                 {"top", box.y},
                                                 {"right", plan_.width - box.x - box.w},
                                                 {"bottom", plan_.height - box.y - box.h}};
        for (const std::string& wall : part.walls) {
            if (std::abs(away.at(wall)) > small_) all.insert("wall:" + part.name);
        }
    }

    const OwnersPlan& plan_;
    double small_;
    std::map<std::string, Box> boxes_;
};

}  // namespace qapfw::testing
