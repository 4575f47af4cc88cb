// SPDX-License-Identifier: Apache-2.0
// Sums over the arcs of a vertex, one arc after the other, without vector instructions.
#pragma once

#include "problems/sparse_qap/targets/distance.hpp"
#include "problems/sparse_qap/walk/propose_body.hpp"

namespace qapfw::sparse {
namespace {

template <Metric kMetric, bool kWide>
class ScalarRows {
  public:
    explicit ScalarRows(const WalkView& view) : view_(view), distance_(*view.distance) {}

    /// Returns the change of the cost when u (at code a) and v (at code b) swap their locations. The edge between u and
    /// v keeps its length.
    std::int64_t delta(std::uint64_t u_begin, std::uint64_t u_end, std::uint32_t v, std::uint64_t v_begin,
                       std::uint64_t v_end, std::uint32_t u, std::uint64_t a, std::uint64_t b) const {
        return row(u_begin, u_end, v, a, b) + row(v_begin, v_end, u, b, a);
    }

  private:
    std::int64_t row(std::uint64_t begin, std::uint64_t end, std::uint32_t other, std::uint64_t from,
                     std::uint64_t to) const {
        std::int64_t sum = 0;
        for (std::uint64_t k = begin; k < end; ++k) {
            const std::uint32_t w = view_.arcs[k].to;
            const std::uint64_t code = view_.code_of[w];
            const std::int64_t change = distance_(to, code) - distance_(from, code);
            std::int64_t weight = 0;
            if constexpr (kWide) {
                weight = view_.wide[k];
            } else {
                weight = view_.arcs[k].weight;
            }
            sum += w == other ? 0 : weight * change;
        }
        return sum;
    }
    const WalkView& view_;
    Distance<kMetric> distance_;
};

/// Returns propose_blocks for `Rows` with this metric. `Rows`: a class template whose parameter is the metric.
template <template <Metric> class Rows>
Propose propose_of(Metric metric) {
    switch (metric) {
        case Metric::kGridBytes:
            return propose_blocks<Rows<Metric::kGridBytes>>;
        case Metric::kGridWords:
            return propose_blocks<Rows<Metric::kGridWords>>;
        case Metric::kTorusBytes:
            return propose_blocks<Rows<Metric::kTorusBytes>>;
        case Metric::kTorusWords:
            return propose_blocks<Rows<Metric::kTorusWords>>;
        case Metric::kHamming:
            return propose_blocks<Rows<Metric::kHamming>>;
        case Metric::kTree:
            return propose_blocks<Rows<Metric::kTree>>;
        case Metric::kManhattan:
            return propose_blocks<Rows<Metric::kManhattan>>;
        case Metric::kEuclid:
            return propose_blocks<Rows<Metric::kEuclid>>;
        default:
            return propose_blocks<Rows<Metric::kTable>>;
    }
}

template <Metric kMetric>
using NarrowRows = ScalarRows<kMetric, false>;
template <Metric kMetric>
using WideRows = ScalarRows<kMetric, true>;

}  // namespace
}  // namespace qapfw::sparse
