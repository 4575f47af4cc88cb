// SPDX-License-Identifier: Apache-2.0
// The toy ordering problem as the kernels of the genetic algorithms see it on the emulated GPU, and what these use of
// CUDA beyond the emulated GPU's own.
#pragma once

#include <cmath>
#include <cstring>
#include <stdexcept>
#include <string_view>

#include "tests/unit/plugins/cas/emulated_gpu.hpp"
#include "tests/unit/plugins/cas/emulated_kernels.hpp"

#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"

inline std::uint32_t atomicAdd(std::uint32_t* to, std::uint32_t value) {
    const std::uint32_t before = *to;
    *to += value;
    return before;
}
inline unsigned long long atomicMin(unsigned long long* to, unsigned long long value) {
    const unsigned long long before = *to;
    if (value < before) *to = value;
    return before;
}

namespace qapfw::device {

/// ToyOrdering: the sum of weights[p(i)][p(j)] over i < j.
struct Problem {
    using View = test::ToyView;
    using Cost = std::int64_t;
    template <class Group, class Solution>
    static Cost cost(Group group, const View& view, Solution solution) {
        return group.sum(part(group, view, solution));
    }
    /// Relies on the parent's cost, which must be right.
    template <class Group, class Solution>
    static Cost cost_after(Group group, const View& view, Solution parent, Cost of_parent, Solution child) {
        return of_parent + group.sum(part(group, view, child) - part(group, view, parent));
    }

  private:
    template <class Group, class Solution>
    static Cost part(Group group, const View& view, Solution solution) {
        std::int64_t sum = 0;
        for (int i = 0; i < view.n; ++i) {
            // The toy has its positions in their own order: undo the kernels' order (movable ones first).
            for (int j = group.rank(); j < view.n; j += group.size()) {
                if (view.place[i] < view.place[j]) sum += view.weights[solution(i) * view.n + solution(j)];
            }
        }
        return sum;
    }
};

}  // namespace qapfw::device

namespace qapfw::test {

/// A launch's shared memory, which starts with anything, in an array of the test's: throws where the kernel writes
/// beyond.
template <class T, std::size_t kSize, class Launch>
void with_shared_memory(T (&memory)[kSize], std::uint32_t bytes, const Launch& launch) {
    if (bytes > sizeof memory) throw std::runtime_error("too much shared memory");
    std::memset(memory, 0xA5, sizeof memory);
    launch();
    const auto* const first = reinterpret_cast<const unsigned char*>(memory);
    for (std::size_t k = bytes; k < sizeof memory; ++k) {
        if (first[k] != 0xA5) throw std::runtime_error("a kernel wrote beyond its shared memory");
    }
}

template <class T>
const T& argument(const qapfw_launch& launch, int k) {
    return *static_cast<const T*>(launch.arguments[k]);
}

}  // namespace qapfw::test
