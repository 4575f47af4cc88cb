// SPDX-License-Identifier: Apache-2.0
// The toy ordering with deltas of insertions. ToyInsertions computes one delta at a time. ToyRows computes the deltas
// of an element for all positions at once.
#pragma once

#include <vector>

#include "tests/support/toy_problems.hpp"

namespace qapfw::test {

/// Computes the delta of an insertion in O(n).
struct ToyInsertions : ToyOrdering {
    using ToyOrdering::ToyOrdering;
    std::int64_t delta_insertion(const std::uint16_t* order, std::uint32_t from, std::uint32_t to) const {
        std::int64_t delta = 0;
        for (std::uint32_t k = from; k < to; ++k) delta += turned(order[from], order[k + 1]);
        for (std::uint32_t k = from; k > to; --k) delta += turned(order[k - 1], order[from]);
        return delta;
    }
    /// The change of the cost when `second` moves from behind `first` to before `first`.
    std::int64_t turned(std::uint16_t first, std::uint16_t second) const {
        return weight(second, first) - weight(first, second);
    }
};

/// Computes the deltas of inserting an element at every position; O(n) for all of them together.
struct ToyRows : ToyInsertions {
    using ToyInsertions::ToyInsertions;
    class Insertions {
      public:
        explicit Insertions(const ToyRows& problem) : problem_(problem) {}
        qapfw_cost reset(const void* solution) {
            const std::uint16_t* const order = sdk::permutation_of(solution);
            order_.assign(order, order + problem_.info().n);
            return {.i = problem_.cost(order)};
        }
        void deltas(std::uint32_t from, std::uint32_t first, std::uint32_t count, qapfw_cost* deltas) {
            std::vector<std::int64_t> all(order_.size(), 0);
            for (std::size_t k = from; k + 1 < order_.size(); ++k) {
                all[k + 1] = all[k] + problem_.turned(order_[from], order_[k + 1]);
            }
            for (std::size_t k = from; k > 0; --k) {
                all[k - 1] = all[k] + problem_.turned(order_[k - 1], order_[from]);
            }
            for (std::uint32_t k = 0; k < count; ++k) deltas[k].i = all[first + k];
        }
        void apply(std::uint32_t from, std::uint32_t to) {
            const std::uint16_t element = order_[from];
            order_.erase(order_.begin() + from);
            order_.insert(order_.begin() + to, element);
        }

      private:
        const ToyRows& problem_;
        std::vector<std::uint16_t> order_;
    };
};

/// True if no insertion of a free element lowers the cost of `order`.
template <class Problem>
bool is_insertion_optimum(const Problem& problem, const std::vector<std::uint16_t>& order, std::uint32_t first_free) {
    const std::int64_t cost = problem.cost(order.data());
    for (std::uint32_t from = first_free; from < problem.info().n; ++from) {
        for (std::uint32_t to = first_free; to < problem.info().n; ++to) {
            std::vector<std::uint16_t> changed = order;
            changed.erase(changed.begin() + from);
            changed.insert(changed.begin() + to, order[from]);
            if (problem.cost(changed.data()) < cost) return false;
        }
    }
    return true;
}

}  // namespace qapfw::test
