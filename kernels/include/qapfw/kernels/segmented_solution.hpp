// SPDX-License-Identifier: Apache-2.0
// A solution of any segments on the device, in the form that a problem's cost function reads. If solutions are neither
// one permutation of 16-bit elements nor a layout of bays, the framework defines
//   QAPFW_SEGMENTS  list with one entry {length, element_bytes, offset} for each segment
#pragma once

#include "qapfw/kernels/device_team.hpp"
#include "qapfw/kernels/digest.hpp"
#include "qapfw/kernels/population.hpp"

#ifdef QAPFW_SEGMENTS
namespace qapfw::kernels {

/// Size of a segment, and its offset within a solution.
struct SegmentPlace {
    uint32_t length, element_bytes, offset;  ///< as in qapfw_segment
};
/// Table of the segments, known at compile time. `get<s>()` returns segment s.
struct SegmentTable {
    static constexpr SegmentPlace kAll[] = {QAPFW_SEGMENTS};                     ///< all segments in order
    static constexpr int kCount = static_cast<int>(sizeof kAll / sizeof *kAll);  ///< number of segments
    /// Segment s.
    template <int kSegment>
    static constexpr SegmentPlace get() {
        return kAll[kSegment];
    }
};

/// Element `position` of segment `segment`. Fastest if `segment` is a constant.
template <int kSegment = 0>
QAPFW_DEVICE uint32_t segmented_element(const uint8_t* solution, int segment, int position) {
    constexpr SegmentPlace kPlace = SegmentTable::get<kSegment>();
    if constexpr (kSegment + 1 < SegmentTable::kCount) {
        if (segment != kSegment) return segmented_element<kSegment + 1>(solution, segment, position);
    }
    const uint8_t* const at = solution + kPlace.offset;
    if constexpr (kPlace.element_bytes == 1) {
        return at[position];
    } else if constexpr (kPlace.element_bytes == 2) {
        return reinterpret_cast<const uint16_t*>(at)[position];
    } else {
        return reinterpret_cast<const uint32_t*>(at)[position];
    }
}

/// This lane's summand in the digest of the segments from kSegment on. `first`: number of elements before them.
template <int kSegment = 0>
QAPFW_DEVICE uint64_t segments_digest_of_lane(const uint8_t* solution, uint32_t first) {
    constexpr SegmentPlace kPlace = SegmentTable::get<kSegment>();
    uint64_t sum = 0;
    for (uint32_t k = lane_number(); k < kPlace.length; k += 32) {
        sum += digest_element(first + k, segmented_element(solution, kSegment, static_cast<int>(k)));
    }
    if constexpr (kSegment + 1 < SegmentTable::kCount) {
        sum += segments_digest_of_lane<kSegment + 1>(solution, first + kPlace.length);
    }
    return sum;
}
/// The digest of a solution, computed by a warp. PopulationSettings::digest_of gives the same on the host.
QAPFW_DEVICE uint64_t segments_digest_by_warp(const uint8_t* solution) {
    return WarpGroup{}.sum(segments_digest_of_lane(solution, 0));
}

}  // namespace qapfw::kernels
#endif
