// SPDX-License-Identifier: Apache-2.0
// Further data of a plant, besides areas and flows, for host and device: fixed points; rules about places, walls,
// neighbours, areas and floors; several floors with lifts. An instance without all this is computed as if this file did
// not exist.
//
// Several floors are one long plant: floor f begins at x = f * pitch, and the pitch is twice a floor's width.
#pragma once

#include "qapfw/kernels/fbs_cost.hpp"
#include "qapfw/kernels/slicing_tree.hpp"

namespace qapfw::kernels {

enum SlicingRuleKind : uint32_t {
    kSlicingAreaRule = 0,  ///< the area of `first` lies between number[0] and number[1]
    kSlicingShapeRule,     ///< `first`: longer side <= number[0] * shorter side (0: any), shorter side >= number[1]
    kSlicingPlaceRule,     ///< left, top, width and height of `first` are number[0..3]
    kSlicingWallRule,      ///< left, top, right, bottom side (number[0]: 0..3) of `first` lies at coordinate number[1]
    kSlicingAdjacentRule,  ///< `first` shares a border of at least length number[0] with `second`
    kSlicingApartRule,     ///< `first` and `second` have a gap >= number[0] in x or y; number[0] = 0: no common border
    kSlicingFloorRule      ///< `first` lies on floor number[0], counted from 0
};

/// A rule about the boxes of one or two departments.
struct SlicingRule {
    uint32_t kind, first, second, reserved;
    double number[4];
    double tolerance;  ///< the rule is kept if slicing_deviation() is at most this
    double scale;      ///< a broken rule's excess is 0.1 + min(scale * deviation, 2)
};

/// All rules of a plant, and its fixed points, places, floors and lifts. The caller owns the arrays.
struct SlicingPractice {
    uint32_t rules;   ///< number of rules; 0: the instance has none of the data below
    uint32_t points;  ///< number of fixed points; their flows are the last rows of the flow matrix
    uint32_t places;  ///< number of places; a place is a box that is prescribed for a department
    uint32_t floors;  ///< number of floors, at least 1
    uint32_t lifts;   ///< number of lifts, at least 1 if there are several floors
    uint32_t reserved;
    double floor_width, floor_pitch;
    double floor_travel;      ///< distance by lift from one floor to the next
    const SlicingRule* rule;  ///< array of `rules` rules
    const double* point;      ///< x, y of each point
    const double* place;      ///< left, top, width, height of each of the `places` boxes
    /// For each department: its area if it is empty space, else 0. A layout may give empty space another area.
    const double* flexible;
    const double* anchor;  ///< for each department: where its flows begin and end, as fractions of its width and height
    const double* lift;    ///< x, y of each lift, the same on every floor
};

/// The number of rules of an instance. Device text compiled for instances without rules defines
/// QAPFW_SLICING_WITHOUT_RULES, so that no code for rules is compiled.
QAPFW_HD uint32_t slicing_rules_of(const SlicingPractice& practice) {
#if defined(QAPFW_SLICING_WITHOUT_RULES)
    (void)practice;
    return 0;
#else
    return practice.rules;
#endif
}

QAPFW_HD double slicing_least(double a, double b) {
    return a < b ? a : b;
}
QAPFW_HD double slicing_most(double a, double b) {
    return a > b ? a : b;
}
QAPFW_HD uint32_t slicing_floor_of(const SlicingPractice& practice, double x) {
    if (practice.floors < 2 || x < 0.0) return 0;
    const uint32_t floor = static_cast<uint32_t>(x / practice.floor_pitch);
    return floor < practice.floors ? floor : practice.floors - 1;
}

/// The distance by which the boxes miss a rule, in the unit of lengths (areas for an area rule, floors for a floor
/// rule). The rule is kept if the distance is at most rule.tolerance.
QAPFW_HD double slicing_deviation(const SlicingPractice& practice, const SlicingRule& rule, const double* boxes) {
    const double* a = boxes + 4 * rule.first;
    const double* b = boxes + 4 * rule.second;
    const double* number = rule.number;
    switch (rule.kind) {
        case kSlicingAreaRule: {
            const double area = fbs_product(a[2], a[3]);
            return slicing_most(number[0] - area, area - number[1]);
        }
        case kSlicingShapeRule: {
            const double shorter = slicing_least(a[2], a[3]), longer = slicing_most(a[2], a[3]);
            const double over = number[0] > 0.0 ? longer - fbs_product(number[0], shorter) : 0.0;
            return slicing_most(over, number[1] - shorter);
        }
        case kSlicingPlaceRule: {
            const double left = fbs_distance(a[0], number[0]), top = fbs_distance(a[1], number[1]);
            const double right = fbs_distance(a[0] + a[2], number[0] + number[2]);
            const double bottom = fbs_distance(a[1] + a[3], number[1] + number[3]);
            return slicing_most(slicing_most(left, right), slicing_most(top, bottom));
        }
        case kSlicingWallRule: {
            const uint32_t side = static_cast<uint32_t>(number[0]);
            double at = a[side & 1u] + (side > 1 ? a[2 + (side & 1u)] : 0.0);
            if ((side & 1u) == 0) at -= fbs_product(practice.floor_pitch, slicing_floor_of(practice, a[0]));
            return fbs_distance(at, number[1]);
        }
        case kSlicingAdjacentRule:
        case kSlicingApartRule: {  // a negative gap is an overlap of the sides
            const double across = slicing_most(b[0] - (a[0] + a[2]), a[0] - (b[0] + b[2]));
            const double along = slicing_most(b[1] - (a[1] + a[3]), a[1] - (b[1] + b[3]));
            if (rule.kind == kSlicingAdjacentRule) {
                const double beside = slicing_most(across, 0.0) + slicing_most(number[0] + along, 0.0);
                const double below = slicing_most(along, 0.0) + slicing_most(number[0] + across, 0.0);
                return slicing_least(beside, below);
            }
            const double gap = slicing_most(across, along);
            if (number[0] > 0.0) return number[0] - gap;
            return gap > rule.tolerance ? 0.0 : -slicing_least(across, along);
        }
        default:
            return fbs_distance(slicing_floor_of(practice, a[0]), number[0]);
    }
}

QAPFW_HD double slicing_excess(const SlicingPractice& practice, const SlicingRule& rule, const double* boxes) {
    const double deviation = slicing_deviation(practice, rule, boxes);
    return deviation > rule.tolerance ? 0.1 + slicing_least(fbs_product(deviation, rule.scale), 2.0) : 0.0;
}

/// The number of floors that a box spans; sets `first` to the first one.
QAPFW_HD uint32_t slicing_floors_of(const SlicingPractice& practice, const double* box, uint32_t& first) {
    first = slicing_floor_of(practice, box[0]);
    return practice.floors < 2 ? 1 : 1 + static_cast<uint32_t>(box[2] / practice.floor_pitch);
}

/// Makes the box span `count` floors from `first` on.
QAPFW_HD void slicing_set_floors(const SlicingPractice& practice, double* box, uint32_t first, uint32_t count) {
    box[0] = fbs_product(practice.floor_pitch, first);
    box[2] = fbs_product(practice.floor_pitch, count - 1) + practice.floor_width;
}

/// Moves a cut to the nearest side of a place inside the box, if the cut would go through the place or close to that
/// side. `part`: length of the first child along the axis. Returns the new length, or `part` if the cut does not move.
QAPFW_HD double slicing_snapped(const SlicingPractice& practice, const double* box, uint32_t axis, double part) {
    const double size = box[2 + axis], small = fbs_product(size, 1e-6);
    const double near = fbs_product(slicing_least(part, size - part), 0.1);
    double best = part, away = size;
    for (uint32_t k = 0; k < practice.places; ++k) {
        const double* place = practice.place + 4 * k;
        bool inside = true;
        for (uint32_t side = 0; side < 2; ++side) {
            inside = inside && place[side] > box[side] - small &&
                     place[side] + place[2 + side] < box[side] + box[2 + side] + small;
        }
        if (!inside) continue;
        const double low = place[axis] - box[axis], high = low + place[2 + axis];
        const bool through = part > low && part < high;
        for (uint32_t end = 0; end < 2; ++end) {
            const double at = end == 0 ? low : high, off = fbs_distance(part, at);
            if (at <= small || at >= size - small || off >= away || !(through || off <= near)) continue;
            best = at;
            away = off;
        }
    }
    return best;
}

/// Computes the boxes of both children of a node from its own box. A box of several floors is divided by floors. A box
/// on one floor is cut by areas, and empty space gets the rest of the area. Then the cut may move to the side of a
/// place. `area` and `flexible`: sums over the departments below each node, see SlicingScratch.
QAPFW_HD void slicing_split_by_rules(const SlicingPractice& practice, const SlicingTree& tree, const double* area,
                                     const double* flexible, double* boxes, uint32_t node) {
    const uint32_t first = tree.child(node, 0), second = tree.child(node, 1);
    const double* own = boxes + 4 * node;
    double* one = boxes + 4 * first;
    double* other = boxes + 4 * second;
    for (uint32_t k = 0; k < 4; ++k) one[k] = other[k] = own[k];
    uint32_t floor = 0;
    const uint32_t floors = slicing_floors_of(practice, own, floor);
    const double share = area[first] / area[node];
    if (floors > 1) {
        uint32_t lower = static_cast<uint32_t>(fbs_product(share, floors) + 0.5);
        lower = lower < 1 || tree.is_leaf(first) ? 1 : lower >= floors ? floors - 1 : lower;
        slicing_set_floors(practice, one, floor, lower);
        slicing_set_floors(practice, other, floor + lower, tree.is_leaf(second) ? 1 : floors - lower);
        return;
    }
    const uint32_t axis = 1u - tree.cut(node);
    const double size = own[2 + axis], whole = fbs_product(own[2], own[3]);
    double part = fbs_product(size, share);
    const double loose = flexible[first] + flexible[second];
    if (loose > 0.0 && whole > 0.0) {
        const double left = fbs_product(whole - area[node], flexible[first] / loose);
        const double wanted = area[first] + left;
        if (wanted > 0.0 && wanted < whole) part = fbs_product(size, wanted / whole);
    }
    if (practice.places > 0) part = slicing_snapped(practice, own, axis, part);
    one[2 + axis] = part;
    other[axis] = own[axis] + part;
    other[2 + axis] = size - part;
}

/// The distance between two points. If they lie on different floors, the way leads through the lift that makes it
/// shortest.
QAPFW_HD double slicing_way(const SlicingPractice& practice, double ax, double ay, double bx, double by,
                            uint32_t euclidean) {
    const auto length = [euclidean](double dx, double dy) {
        return euclidean ? fbs_square_root(fbs_product(dx, dx) + fbs_product(dy, dy)) : dx + dy;
    };
    const uint32_t a = slicing_floor_of(practice, ax), b = slicing_floor_of(practice, bx);
    if (a == b) return length(fbs_distance(ax, bx), fbs_distance(ay, by));
    const double from = ax - fbs_product(practice.floor_pitch, a), to = bx - fbs_product(practice.floor_pitch, b);
    double best = 0.0;
    for (uint32_t k = 0; k < practice.lifts; ++k) {
        const double x = practice.lift[2 * k], y = practice.lift[2 * k + 1];
        const double way =
            length(fbs_distance(from, x), fbs_distance(ay, y)) + length(fbs_distance(to, x), fbs_distance(by, y));
        best = k == 0 ? way : slicing_least(best, way);
    }
    return best + fbs_product(practice.floor_travel, a > b ? a - b : b - a);
}

}  // namespace qapfw::kernels
