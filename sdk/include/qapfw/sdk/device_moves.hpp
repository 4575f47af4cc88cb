// SPDX-License-Identifier: Apache-2.0
// Data in a device's memory for kernels that make moves on any segments, or insertions: a kernels::SegmentMoves or a
// kernels::InsertionMoves.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "qapfw/sdk/device.hpp"
#include "qapfw/sdk/free_positions.hpp"
#include "qapfw/sdk/segments.hpp"

namespace qapfw::sdk {

/// Positions of an order as InsertionMoves needs them: all positions in the order of the device code, then for each
/// position the next free one, then for each position the previous free one. A fixed position refers to itself in both
/// lists. The last free position has no next one, and the first has no previous one: they refer to themselves there.
inline std::vector<std::uint16_t> insertion_positions(const ProblemRef& problem) {
    std::vector<std::uint16_t> positions = kernel_order(problem);
    for (int times = 0; times < 2; ++times) {
        for (std::uint32_t k = 0; k < problem.length(); ++k) positions.push_back(static_cast<std::uint16_t>(k));
    }
    std::uint16_t* const next = positions.data() + problem.length();
    std::uint16_t* const previous = next + problem.length();
    const std::vector<std::uint16_t> free = free_positions(problem);
    for (std::size_t k = 1; k < free.size(); ++k) {
        next[free[k - 1]] = free[k];
        previous[free[k]] = free[k - 1];
    }
    return positions;
}

/// Data to which a kernel's argument points, in the memory of one GPU: the segments of solutions, and a table. For
/// insertions the table is that of insertion_positions(); for other moves it has the largest bound of each segment.
class DeviceMoves {
  public:
    /// Copies the segments of `arrays` and the bounds of `encoding` to the GPU, and waits until both have arrived.
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
    /// Data for insertions of elements of the only segment. `arrays` was made by SegmentArrays::of_any.
    static DeviceMoves of_insertions(const qapfw_device& device, const ProblemRef& problem,
                                     const SegmentArrays& arrays) {
        DeviceMoves moves(device, problem.encoding(), arrays);
        const std::vector<std::uint16_t> positions = insertion_positions(problem);
        moves.positions_ = DeviceBuffer<std::uint16_t>(device, positions.size());
        Stream stream(device);
        moves.positions_.upload(stream, std::span<const std::uint16_t>(positions));
        stream.synchronize();
        return moves;
    }
    /// Appends a kernel's argument: an InsertionMoves if the moves are insertions, else a SegmentMoves.
    void append_to(ArgumentBytes& argument) const {
        argument.append(arrays_.list);
        argument.append(positions_.size() > 0 ? positions_.address() : radices_.address());
    }

  private:
    SegmentArrays::OnDevice arrays_;
    DeviceBuffer<std::uint32_t> radices_;    ///< the largest bound of each segment
    DeviceBuffer<std::uint16_t> positions_;  ///< the table of insertion_positions(); empty for other moves
};

}  // namespace qapfw::sdk
