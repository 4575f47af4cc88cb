// SPDX-License-Identifier: Apache-2.0
// Finds the bays that a move changes, and counts the departments in the changed bays that break their shape rules.
#include "problems/uaflp/neighbour_bounds.hpp"
#include "qapfw/kernels/fbs_decode.hpp"

namespace qapfw::uaflp {

void NeighbourBounds::change(const qapfw_bay_move& move) {
    new_count_ = 0;
    replaced_[0] = replaced_[1] = kNone;
    swapped_[0] = swapped_[1] = kNone;
    switch (move.kind) {
        case QAPFW_BAY_MOVE_SWAP:
            change_by_swap(move.first, move.second);
            break;
        case QAPFW_BAY_MOVE_INSERT:
            change_by_insertion(move);
            break;
        case QAPFW_BAY_MOVE_SHIFT_BORDER:
            change_by_shift(move);
            break;
        case QAPFW_BAY_MOVE_FLIP_BIT:
            change_by_flip(move.first);
            break;
        default:
            break;  // only the order of the bays changes
    }
    for (std::uint32_t m = 0; m < new_count_; ++m) new_bays_[m].area = area_of(new_bays_[m]);
}

void NeighbourBounds::change_by_swap(std::uint32_t first, std::uint32_t second) {
    const std::uint32_t a = bay_of_[first], b = bay_of_[second];
    replaced_[0] = a;
    if (a == b) {
        add_changed(a);
        swapped_[0] = first;
        swapped_[1] = second;
        return;
    }
    replaced_[1] = b;
    add_changed(a, perm_[first], perm_[second], first);
    add_changed(b, perm_[second], perm_[first], second);
}

/// Sets the bays that an insertion makes. `gap` is the number of other departments before the new place. The others
/// keep their order, so `left` and `right` are the present positions of the departments beside the new place.
void NeighbourBounds::change_by_insertion(const qapfw_bay_move& move) {
    const std::uint32_t out = move.first, gap = move.second, from = bay_of_[out];
    const std::uint32_t department = perm_[out];
    const std::uint32_t left = gap <= out ? gap - 1 : gap;  // position of the department before the gap, if any
    const std::uint32_t right = gap < out ? gap : gap + 1;
    replaced_[0] = from;
    if (move.variant == QAPFW_BAY_INSERT_ALONE) {
        add_changed(from, department);
        add_bay(gap == 0 ? 0 : 2 * bay_of_[left] + 2, out, out + 1);
        return;
    }
    const bool at_left = move.variant == QAPFW_BAY_INSERT_LEFT;
    const std::uint32_t to = at_left ? bay_of_[left] : bay_of_[right];
    const std::uint32_t before = at_left ? left + 1 : right;
    if (to == from) {
        add_changed(from, department, department, before);
        return;
    }
    replaced_[1] = to;
    add_changed(from, department);
    add_changed(to, kNone, department, before);
}

void NeighbourBounds::change_by_shift(const qapfw_bay_move& move) {
    const std::uint32_t bay = bay_of_[move.first] - (move.variant == 0 ? 0 : 1);
    replaced_[0] = bay;
    replaced_[1] = bay + 1;
    add_bay(2 * bay + 1, bays_[bay].begin, move.first + 1);
    add_bay(2 * bay + 3, move.first + 1, bays_[bay + 1].end);
}

void NeighbourBounds::change_by_flip(std::uint32_t position) {
    const std::uint32_t bay = bay_of_[position];
    replaced_[0] = bay;
    if (position + 1 == bays_[bay].end) {
        replaced_[1] = bay + 1;
        add_bay(2 * bay + 1, bays_[bay].begin, bays_[bay + 1].end);
    } else {
        add_bay(2 * bay + 1, bays_[bay].begin, position + 1);
        add_bay(2 * bay + 2, position + 1, bays_[bay].end);
    }
}

NeighbourBounds::NewBay& NeighbourBounds::add_bay(std::uint32_t place, std::uint32_t begin, std::uint32_t end) {
    return new_bays_[new_count_++] = {place, begin, end, kNone, kNone, kNone, kNone, 0};
}

NeighbourBounds::NewBay& NeighbourBounds::add_changed(std::uint32_t bay, std::uint32_t out, std::uint32_t in,
                                                      std::uint32_t before) {
    return new_bays_[new_count_++] = {2 * bay + 1, bays_[bay].begin, bays_[bay].end, bay, out, in, before, 0};
}

/// The area of a new bay. Sums of areas are exact in any order.
double NeighbourBounds::area_of(const NewBay& bay) const {
    double area = 0;
    if (bay.base != kNone) {
        area = bay_area_[bay.base];
    } else {
        for (std::uint32_t k = bay.begin; k < bay.end; ++k) area += view_.area[perm_[k]];
    }
    if (bay.out != kNone) area -= view_.area[bay.out];
    if (bay.in != kNone) area += view_.area[bay.in];
    return area;
}

void NeighbourBounds::count_violations() {
    for (int o = 0; o < 2; ++o) {
        if ((view_.orientations >> o & 1u) == 0) continue;
        new_violations_[o] = all_violations_[o];
        for (const std::uint32_t bay : replaced_) new_violations_[o] -= bay == kNone ? 0 : violations_[o][bay];
        for (std::uint32_t m = 0; m < new_count_; ++m) new_violations_[o] += violations_of(new_bays_[m], o);
    }
}

std::uint32_t NeighbourBounds::violations_of(const NewBay& bay, int o) const {
    if (bay.is_empty()) return 0;
    const auto violates = [&](std::uint32_t d) -> std::uint32_t {
        if (d == kNone) return 0;
        const kernels::FbsOrientation<double>& side = view_.orientation[o];
        return kernels::fbs_violates(bay.area, side.min_bay_area[d], side.max_bay_area[d]) ? 1 : 0;
    };
    if (bay.base != kNone &&
        !kernels::fbs_violates(bay.area, bay_least_area_[o][bay.base], bay_greatest_area_[o][bay.base])) {
        return violates(bay.in);
    }
    std::uint32_t count = violates(bay.in) - violates(bay.out);
    for (std::uint32_t k = bay.begin; k < bay.end; ++k) {
        count += kernels::fbs_violates(bay.area, least_area_[o][k], greatest_area_[o][k]) ? 1u : 0u;
    }
    return count;
}

}  // namespace qapfw::uaflp
