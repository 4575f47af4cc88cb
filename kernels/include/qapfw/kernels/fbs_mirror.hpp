// SPDX-License-Identifier: Apache-2.0
// The four mirror images of an FBS layout cost the same: bays from right to left, departments of each bay upside down,
// both. Parents that are images of like layouts have nothing in common position by position, so the crossover takes the
// image of one parent that lies nearest to the other. One thread, O(n).
#pragma once

#include "qapfw/kernels/fbs_crossover.hpp"

namespace qapfw::kernels {

enum FbsImage : uint32_t {
    kFbsSame = 0,
    kFbsUpsideDown = 1,  ///< each bay reversed
    kFbsLeftRight = 2,   ///< bays in reverse order
    kFbsTurned = 3       ///< both: everything reversed
};

/// Where position k of a layout, in the bay at `bay`, goes in its image.
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

/// Calls body(position, department, bay) for all positions.
template <class Solution, class Body>
QAPFW_HD void fbs_for_each_place(const Solution& s, uint32_t n, const Body& body) {
    for (uint32_t begin = 0; begin < n;) {
        uint32_t end = begin;
        while (!fbs_ends_bay(s.bits, end, n)) ++end;
        const FbsSegment bay{begin, end + 1};
        for (uint32_t k = begin; k < bay.end; ++k) body(k, s.perm[k], bay);
        begin = bay.end;
    }
}

template <class Image, class Solution>
QAPFW_HD void fbs_make_image(Image to, const Solution& s, uint32_t n, FbsImage image) {
    fbs_for_each_place(s, n, [&](uint32_t k, uint16_t department, FbsSegment bay) {
        const uint32_t at = fbs_image_position(image, k, bay, n);
        to.perm[at] = department;
        const bool last = image == kFbsUpsideDown || image == kFbsTurned ? k == bay.begin : k + 1 == bay.end;
        fbs_set_end(to.bits, at, n, last);
    });
}

/// Makes `to` the image of `b` whose departments stand nearest to their positions in `a`, summed over all; false, and
/// `to` untouched, where that is `b` itself. `position`: scratch of n entries.
template <class Image, class SolutionA, class SolutionB, class Scratch>
QAPFW_HD bool fbs_align(Image to, const SolutionA& a, const SolutionB& b, Scratch position, uint32_t n) {
    for (uint32_t k = 0; k < n; ++k) position[a.perm[k]] = static_cast<uint16_t>(k);
    uint32_t distance[4] = {0, 0, 0, 0};
    fbs_for_each_place(b, n, [&](uint32_t k, uint16_t department, FbsSegment bay) {
        const uint32_t there = position[department];
        for (uint32_t image = 0; image < 4; ++image) {
            const uint32_t here = fbs_image_position(static_cast<FbsImage>(image), k, bay, n);
            distance[image] += here < there ? there - here : here - there;
        }
    });
    uint32_t nearest = 0;
    for (uint32_t image = 1; image < 4; ++image) {
        if (distance[image] < distance[nearest]) nearest = image;
    }
    if (nearest == kFbsSame) return false;
    fbs_make_image(to, b, n, static_cast<FbsImage>(nearest));
    return true;
}

}  // namespace qapfw::kernels
