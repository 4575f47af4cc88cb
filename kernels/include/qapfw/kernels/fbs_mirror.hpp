// SPDX-License-Identifier: Apache-2.0
// Mirror images of FBS layouts. A layout has four images of the same cost: bays from right to left, the departments of
// each bay upside down, both, or neither. Two parents that are images of similar layouts may have no position in
// common. So a crossover may use the image of one parent that is nearest to the other parent. Called by a group of
// threads, O(n) work.
#pragma once

#include "qapfw/kernels/fbs_crossover.hpp"

namespace qapfw::kernels {

enum FbsImage : uint32_t {
    kFbsSame = 0,
    kFbsUpsideDown = 1,  ///< each bay reversed
    kFbsLeftRight = 2,   ///< bays in reverse order
    kFbsTurned = 3       ///< bays in reverse order, and each bay reversed
};

/// The position to which the image moves the department at position k. `bay`: the positions of the bay that holds k.
QAPFW_HD uint32_t fbs_image_position(FbsImage image, uint32_t k, FbsSegment bay, uint32_t n) {
    switch (image) {
        case kFbsUpsideDown:
            return bay.begin + bay.end - 1 - k;
        case kFbsLeftRight:
            return n - bay.end + (k - bay.begin);
        case kFbsTurned:
            return n - 1 - k;
        default:
            return k;
    }
}

/// Calls body(position, department, bay) for all positions, bay by bay.
template <class Solution, class Body, class Group>
QAPFW_HD void fbs_for_each_place(const Solution& s, uint32_t n, const Body& body, Group group) {
    for (uint32_t begin = 0; begin < n;) {
        uint32_t end = n;
        for (uint32_t base = begin; end == n && base < n; base += static_cast<uint32_t>(group.size())) {
            const uint32_t k = base + static_cast<uint32_t>(group.rank());
            end = group.least(k < n && fbs_ends_bay(s.bits, k, n) ? k + 1 : n);
        }
        const FbsSegment bay{begin, end};
        share_out(group, begin, end, [&](uint32_t k) { body(k, s.perm[k], bay); });
        begin = end;
    }
}

template <class Image, class Solution, class Group = ThreadGroup>
QAPFW_HD void fbs_make_image(Image to, const Solution& s, uint32_t n, FbsImage image, Group group = {}) {
    const auto place = [&](uint32_t k, uint16_t department, FbsSegment bay) {
        const uint32_t at = fbs_image_position(image, k, bay, n);
        to.perm[at] = department;
        const bool last = image == kFbsUpsideDown || image == kFbsTurned ? k == bay.begin : k + 1 == bay.end;
        fbs_set_end(to.bits, at, n, last);
    };
    fbs_for_each_place(s, n, place, group);
    group.sync();
}

/// Makes `to` the image of `b` that is nearest to `a`. A department's distance is that between its positions in the
/// image and in `a`. The nearest image has the least sum of these distances. If the nearest image is `b` itself,
/// returns false and does not change `to`. `position`: scratch of n entries.
template <class Image, class SolutionA, class SolutionB, class Scratch, class Group = ThreadGroup>
QAPFW_HD bool fbs_align(Image to, const SolutionA& a, const SolutionB& b, Scratch position, uint32_t n,
                        Group group = {}) {
    share_out(group, 0, n, [&](uint32_t k) { position[a.perm[k]] = static_cast<uint16_t>(k); });
    group.sync();
    uint32_t distance[4] = {0, 0, 0, 0};
    const auto measure = [&](uint32_t k, uint16_t department, FbsSegment bay) {
        const uint32_t there = position[department];
        for (uint32_t image = 0; image < 4; ++image) {
            const uint32_t here = fbs_image_position(static_cast<FbsImage>(image), k, bay, n);
            distance[image] += here < there ? there - here : here - there;
        }
    };
    fbs_for_each_place(b, n, measure, group);
    group.sync();  // the scratch may be reused from here on
    uint32_t nearest = 0;
    for (uint32_t image = 0; image < 4; ++image) {
        distance[image] = group.sum(distance[image]);
        if (distance[image] < distance[nearest]) nearest = image;
    }
    if (nearest == kFbsSame) return false;
    fbs_make_image(to, b, n, static_cast<FbsImage>(nearest), group);
    return true;
}

}  // namespace qapfw::kernels
