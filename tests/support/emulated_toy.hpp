// SPDX-License-Identifier: Apache-2.0
// The toy ordering problem for kernels of the genetic algorithms on the emulated GPU. With QAPFW_MOVABLE_FIRST, kernels
// number the movable positions first. The problem maps these numbers back to the order of its positions.
#pragma once

#include "tests/support/emulated_device.hpp"
#include "tests/support/emulated_intrinsics.hpp"

namespace qapfw::device {

/// The cost of ToyOrdering: the sum of weights[p(i)][p(j)] over i < j.
struct Problem {
    using View = test::ToyView;
    using Cost = std::int64_t;
    template <class Group, class Solution>
    static Cost cost(Group group, const View& view, Solution solution) {
        return group.sum(part(group, view, solution));
    }
    /// Computes a child's cost as the parent's cost plus the change. So a test fails if a caller passes a wrong cost of
    /// the parent.
    struct ChildCosts {
        int loaded;  ///< kLoaded after `load`; at first arbitrary, like all shared memory
        void load(const View&) { loaded = kLoaded; }
        template <class Group, class Solution>
        Cost of(Group group, const View& view, Solution solution) {
            return loaded == kLoaded ? cost(group, view, solution) : 0;
        }
        template <class Group, class Solution>
        Cost after(Group group, const View& view, Solution parent, Cost of_parent, Solution child) {
            const Cost change = group.sum(part(group, view, child) - part(group, view, parent));
            return loaded == kLoaded ? of_parent + change : 0;
        }
        static constexpr int kLoaded = 1234;
    };

  private:
    static int place(const View& view, int position) {
#ifdef QAPFW_MOVABLE_FIRST
        return view.place[position];
#else
        return view.n > 0 ? position : 0;
#endif
    }
    template <class Group, class Solution>
    static Cost part(Group group, const View& view, Solution solution) {
        std::int64_t sum = 0;
        for (int i = 0; i < view.n; ++i) {
            for (int j = group.rank(); j < view.n; j += group.size()) {
                if (place(view, i) < place(view, j)) sum += view.weights[solution(i) * view.n + solution(j)];
            }
        }
        return sum;
    }
};

}  // namespace qapfw::device
