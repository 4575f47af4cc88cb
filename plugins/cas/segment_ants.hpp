// SPDX-License-Identifier: Apache-2.0
// The trail rows for solutions that are lists of segments (see device/segment_trails.hpp). The host makes the rows.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "plugins/cas/device/segment_trails.hpp"
#include "qapfw/sdk/host.hpp"
#include "qapfw/sdk/segments.hpp"

namespace qapfw::cas {

/// Holds the trail rows of the problem. Each free element of a solution has one row.
class SegmentRows {
  public:
    /// Makes the rows; none if solutions are permutations or layouts. Throws Error(kUnsupported) if there are too many
    /// rows or trails, or if an element has too many values.
    explicit SegmentRows(const sdk::ProblemRef& problem) {
        if (!sdk::has_segments(problem)) return;
        const qapfw_encoding& encoding = problem.encoding();
        const std::uint8_t* fixed = encoding.fixed;
        for (std::uint32_t s = 0; s < encoding.segment_count; ++s) {
            const qapfw_segment& segment = encoding.segments[s];
            for (std::uint32_t k = 0; k < segment.length; ++k) {
                if (fixed == nullptr || fixed[k] == 0) add(s, k, sdk::bound_at(segment, k));
            }
            if (fixed != nullptr) fixed += segment.length;
        }
        if (rows_.size() <= kMostRows && trail_size_ <= kMostTrails && most_values_ <= kMostValues) return;
        throw Error(ErrorKind::kUnsupported,
                    "cas: the instance is too large for a pheromone trail per free element and value; at most " +
                        std::to_string(kMostRows) + " free elements, " + std::to_string(kMostValues) +
                        " values of an element and " + std::to_string(kMostTrails) + " trails are supported, found " +
                        std::to_string(rows_.size()) + ", " + std::to_string(most_values_) + " and " +
                        std::to_string(trail_size_));
    }

    const std::vector<TrailRow>& rows() const { return rows_; }
    std::uint64_t trail_size() const { return trail_size_; }
    /// The largest number of values of any element.
    std::uint32_t most_values() const { return most_values_; }

  private:
    static constexpr std::uint64_t kMostRows = 65'535, kMostTrails = std::uint64_t{1} << 26;
    /// Limit on the number of values that an element may take. So the sum of an element's trails is at most 2^62.
    static constexpr std::uint32_t kMostValues = 1u << 16;

    void add(std::uint32_t segment, std::uint32_t position, std::uint32_t values) {
        rows_.push_back({trail_size_, segment, position, values, 0});
        trail_size_ += values;
        most_values_ = std::max(most_values_, values);
    }

    std::vector<TrailRow> rows_;
    std::uint64_t trail_size_ = 0;
    std::uint32_t most_values_ = 1;
};

}  // namespace qapfw::cas
