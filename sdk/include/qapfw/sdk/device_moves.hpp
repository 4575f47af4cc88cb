// SPDX-License-Identifier: Apache-2.0
// Data of kernels over the moves of any segments, in a device's memory: a kernels::SegmentMoves.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "qapfw/sdk/device.hpp"
#include "qapfw/sdk/segments.hpp"

namespace qapfw::sdk {

/// The segments of solutions and the largest bound of each, on one GPU: an argument of kernels.
class DeviceMoves {
  public:
    /// Copies the segments of `arrays`, of which `encoding` says the bounds; waits.
    DeviceMoves(const qapfw_device& device, const qapfw_encoding& encoding, const SegmentArrays& arrays)
        : arrays_(arrays.upload(device)), radices_(device, encoding.segment_count) {
        std::vector<std::uint32_t> radices;
        for (std::uint32_t s = 0; s < encoding.segment_count; ++s) {
            std::uint32_t largest = 1;
            for (std::uint32_t k = 0; k < encoding.segments[s].length; ++k) {
                largest = std::max(largest, bound_at(encoding.segments[s], k));
            }
            radices.push_back(largest);
        }
        Stream stream(device);
        radices_.upload(stream, std::span<const std::uint32_t>(radices));
        stream.synchronize();
    }
    /// The kernel's SegmentMoves comes next.
    void append_to(ArgumentBytes& argument) const {
        argument.append(arrays_.list);
        argument.append(radices_);
    }

  private:
    SegmentArrays::OnDevice arrays_;
    DeviceBuffer<std::uint32_t> radices_;  ///< the largest bound of each segment
};

}  // namespace qapfw::sdk
