// SPDX-License-Identifier: Apache-2.0
// Cunning ants over any segments, on the host: the construction of device/ant_trails.hpp with a trail for each free
// element of all segments and each value that it can have. Sampled elements of a permutation or a counted segment share
// out their donor's values again; those of values and bits take any value below their bound.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "plugins/cas/device/ant_trails.hpp"
#include "qapfw/sdk/host.hpp"
#include "qapfw/sdk/segments.hpp"

namespace qapfw::cas {

/// The rows of trails: one for each free element.
class SegmentRows {
  public:
    /// No rows where solutions are permutations or layouts. Throws Error(kUsage) where there are too many.
    explicit SegmentRows(const sdk::ProblemRef& problem) : encoding_(&problem.encoding()) {
        if (!sdk::has_segments(problem)) return;
        const std::uint8_t* fixed = encoding_->fixed;
        for (std::uint32_t s = 0; s < encoding_->segment_count; ++s) {
            const qapfw_segment& segment = encoding_->segments[s];
            for (std::uint32_t k = 0; k < segment.length; ++k) {
                if (fixed != nullptr && fixed[k] != 0) continue;
                rows_.push_back({s, k, trail_size_, sdk::bound_at(segment, k)});
                trail_size_ += sdk::bound_at(segment, k);
            }
            if (fixed != nullptr) fixed += segment.length;
        }
        if (rows_.size() <= kMostRows && trail_size_ <= kMostTrails) return;
        throw Error(ErrorKind::kUsage, "cas: has a trail for each element and value: at most " +
                                           std::to_string(kMostRows) + " free elements and " +
                                           std::to_string(kMostTrails) + " trails, found " +
                                           std::to_string(rows_.size()) + " and " + std::to_string(trail_size_));
    }

    /// A free element.
    struct Row {
        std::uint32_t segment, position;
        std::uint64_t begin;   ///< of its trails
        std::uint32_t values;  ///< how many it has
    };
    const std::vector<Row>& rows() const { return rows_; }
    std::uint64_t trail_size() const { return trail_size_; }
    /// Value in the element of a row.
    std::uint32_t value(const Row& row, const void* solution) const {
        return sdk::element_at(encoding_->segments[row.segment], solution, row.position);
    }

    /// The child of a donor, of which it is a copy. `order` and `with` are scratch for an entry of each row.
    void construct(const kernels::CunningTables& tables, const std::uint64_t* trail, void* child, std::uint16_t* order,
                   std::uint16_t* with, const kernels::AntDraws& at) const {
        const std::uint32_t count =
            kernels::sampled_count(tables, kernels::draw(at.seed, at.iteration, at.ant, kernels::kCunningStream, 0));
        kernels::choose_positions(order, with, count, tables.free_count, at);
        std::vector<std::vector<std::uint32_t>> pools(encoding_->segment_count);
        for (std::uint32_t k = 0; k < count; ++k) {
            const Row& row = rows_[order[k]];
            if (shares_out(row.segment)) pools[row.segment].push_back(value(row, child));
        }
        for (std::uint32_t k = 0; k < count; ++k) {
            const Row& row = rows_[order[k]];
            const std::uint32_t word = kernels::draw(at.seed, at.iteration, at.ant, kernels::kRouletteStream, k);
            const std::uint64_t* const trails = trail + row.begin;
            const std::uint32_t chosen =
                shares_out(row.segment) ? taken(trails, pools[row.segment], word) : any_value(trails, row.values, word);
            sdk::set_element(encoding_->segments[row.segment], child, row.position, chosen);
        }
    }

  private:
    static constexpr std::uint64_t kMostRows = 65'535, kMostTrails = std::uint64_t{1} << 26;

    bool shares_out(std::uint32_t segment) const {
        const qapfw_segment& of = encoding_->segments[segment];
        return of.kind == QAPFW_SEGMENT_PERMUTATION || of.counts != nullptr;
    }
    /// Takes a value out of the pool, each with a probability proportional to its trail.
    static std::uint32_t taken(const std::uint64_t* trails, std::vector<std::uint32_t>& pool, std::uint32_t word) {
        std::uint64_t total = 0;
        for (const std::uint32_t v : pool) total += trails[v];
        const std::uint64_t target = kernels::portion(total, word);
        std::size_t k = 0;
        for (std::uint64_t sum = trails[pool[0]]; sum <= target; sum += trails[pool[k]]) ++k;
        const std::uint32_t chosen = pool[k];
        pool[k] = pool.back();
        pool.pop_back();
        return chosen;
    }
    static std::uint32_t any_value(const std::uint64_t* trails, std::uint32_t values, std::uint32_t word) {
        std::uint64_t total = 0;
        for (std::uint32_t v = 0; v < values; ++v) total += trails[v];
        const std::uint64_t target = kernels::portion(total, word);
        std::uint32_t v = 0;
        for (std::uint64_t sum = trails[0]; sum <= target; sum += trails[v]) ++v;
        return v;
    }

    const qapfw_encoding* encoding_;
    std::vector<Row> rows_;
    std::uint64_t trail_size_ = 0;
};

}  // namespace qapfw::cas
