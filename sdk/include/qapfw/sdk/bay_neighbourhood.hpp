// SPDX-License-Identifier: Apache-2.0
// Lower bounds of the costs of a solution's neighbours (abi/bay_neighbourhood.h). BayBounds uses a problem's bounds.
// BayNeighbourhoodTable offers the bounds that a C++ class computes. The class is constructed from the problem and has
//
//     void reset(const void* solution);
//     std::uint64_t first_promising(std::span<const qapfw_bay_move>, qapfw_cost limit);
#pragma once

#include <span>

#include "qapfw/abi/bay_neighbourhood.h"
#include "qapfw/sdk/problem_objects.hpp"

namespace qapfw::sdk {

/// A problem's bounds on costs of bay moves. The object is empty if the problem has no bounds. Use one object per
/// search; not thread-safe.
class BayBounds {
  public:
    /// The problem must outlive this object. Throws StatusError if the problem cannot make its neighbourhood.
    explicit BayBounds(const ProblemRef& problem)
        : object_(problem, QAPFW_PROBLEM_BAY_NEIGHBOURHOOD, "bay neighbourhood: create") {}

    /// True if the problem has bounds. Only then may the members below be called.
    explicit operator bool() const { return static_cast<bool>(object_); }
    /// Makes the bounds apply to the neighbours of `solution`, which is copied.
    void reset(const void* solution) { check(object_->reset(object_.get(), solution), "bay neighbourhood: reset"); }
    /// The index of the first move that may lead to a cost below `limit`; moves.size() if no move may. Each move must
    /// be a move of the solution that was given to `reset`.
    std::uint64_t first_promising(std::span<const qapfw_bay_move> moves, qapfw_cost limit) {
        std::uint64_t index = 0;
        check(object_->first_promising(object_.get(), moves.data(), moves.size(), limit, &index),
              "bay neighbourhood: bounds");
        return index;
    }

  private:
    ProblemObject<qapfw_bay_neighbourhood, qapfw_bay_bounds> object_;
};

/// Table of the capability QAPFW_PROBLEM_BAY_NEIGHBOURHOOD, for a problem class and a class of bounds.
template <class Handle, class Bounds>
struct BayNeighbourhoodTable {
    using Objects = ProblemObjects<qapfw_bay_bounds, Handle, Bounds>;
    static constexpr qapfw_bay_neighbourhood table = {
        sizeof(qapfw_bay_neighbourhood), Objects::create, Objects::destroy,
        [](qapfw_bay_bounds* h, const void* solution) -> qapfw_status {
            return Objects::call(h, [&](Bounds& bounds) { bounds.reset(solution); });
        },
        [](qapfw_bay_bounds* h, const qapfw_bay_move* moves, std::uint64_t count, qapfw_cost limit,
           std::uint64_t* index) -> qapfw_status {
            return Objects::call(h, [&](Bounds& bounds) { *index = bounds.first_promising({moves, count}, limit); });
        }};
};

}  // namespace qapfw::sdk
