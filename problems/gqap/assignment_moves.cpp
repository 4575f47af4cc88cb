// SPDX-License-Identifier: Apache-2.0
#include "problems/gqap/assignment_moves.hpp"

#include <algorithm>

namespace qapfw::gqap {

AssignmentMoves::AssignmentMoves(const AssignmentCost& cost)
    : cost_(cost),
      m_(cost.instance().locations),
      factor_(cost.factor()),
      weight_(cost.instance().weight.data()),
      capacity_(cost.instance().capacity.data()),
      from_(m_),
      to_(m_) {}

std::int64_t AssignmentMoves::reset(std::vector<std::uint32_t> location_of) {
    const Instance& instance = cost_.instance();
    location_of_ = std::move(location_of);
    load_ = loads(instance, location_of_);
    table_ = instance.linear;
    for (std::uint32_t i = 0; i < instance.items; ++i) {
        std::int64_t* const row = table_.data() + std::size_t{i} * m_;
        for (std::uint64_t f = cost_.first()[i]; f < cost_.first()[i + 1]; ++f) {
            const Flow& flow = cost_.flows()[f];
            const std::size_t other = std::size_t{location_of_[flow.other]} * m_;
            for (std::uint32_t k = 0; k < m_; ++k) {
                row[k] += flow.out * cost_.distance_to()[other + k] + flow.in * instance.distance[other + k];
            }
        }
    }
    return cost_(location_of_.data());
}

void AssignmentMoves::set(std::uint32_t item, std::uint32_t to) {
    const Instance& instance = cost_.instance();
    const std::uint32_t from = location_of_[item];
    const std::size_t old_row = std::size_t{from} * m_, new_row = std::size_t{to} * m_;
    for (std::uint32_t k = 0; k < m_; ++k) {
        to_[k] = cost_.distance_to()[new_row + k] - cost_.distance_to()[old_row + k];
        from_[k] = instance.distance[new_row + k] - instance.distance[old_row + k];
    }
    for (std::uint64_t f = cost_.first()[item]; f < cost_.first()[item + 1]; ++f) {
        // The flow as seen from the item. Seen from the other item, `out` and `in` are swapped.
        const Flow& flow = cost_.flows()[f];
        std::int64_t* const row = table_.data() + std::size_t{flow.other} * m_;
        if (cost_.is_symmetric()) {
            for (std::uint32_t k = 0; k < m_; ++k) row[k] += flow.out * to_[k];
        } else {
            for (std::uint32_t k = 0; k < m_; ++k) row[k] += flow.in * to_[k] + flow.out * from_[k];
        }
    }
    load_[from] -= w(item, from);
    load_[to] += w(item, to);
    location_of_[item] = to;
}

void AssignmentMoves::exchange(std::uint32_t i, std::uint32_t j) {
    const std::uint32_t a = location_of_[i];
    set(i, location_of_[j]);
    set(j, a);
}

Flow AssignmentMoves::flow_of(std::uint32_t i, std::uint32_t j) const {
    const std::size_t n = cost_.instance().items;
    if (!cost_.dense().empty()) {
        return {j, cost_.dense()[i * n + j], cost_.is_symmetric() ? 0 : cost_.dense()[j * n + i]};
    }
    const auto begin = cost_.flows().begin() + static_cast<std::ptrdiff_t>(cost_.first()[i]);
    const auto end = cost_.flows().begin() + static_cast<std::ptrdiff_t>(cost_.first()[i + 1]);
    const auto found =
        std::lower_bound(begin, end, j, [](const Flow& flow, std::uint32_t other) { return flow.other < other; });
    return found != end && found->other == j ? *found : Flow{j, 0, 0};
}

}  // namespace qapfw::gqap
