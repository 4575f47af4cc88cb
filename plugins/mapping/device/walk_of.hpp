// SPDX-License-Identifier: Apache-2.0
// A solution as device functions of problems read it.
#pragma once

#include "qapfw/kernels/platform.hpp"

namespace qapfw::mapping {

/// The type of a code: `Problem::Code` where there is one, else 64 bits.
template <class Problem>
class CodeOf {
    template <class Any>
    static typename Any::Code of(typename Any::Code*);
    template <class Any>
    static uint64_t of(...);

  public:
    using Type = decltype(of<Problem>(nullptr));
};

template <class Index, class Problem>
struct WalkOf {
    Index* location_of;                       ///< of each number
    Index* vertex_at;                         ///< the number at each location
    typename CodeOf<Problem>::Type* code_of;  ///< of each number's location
};

/// Positions have numbers of their own in walks, where the problem says so; else they are the numbers.
template <class Problem>
constexpr bool is_ordered() {
    if constexpr (requires { Problem::kOrdered; }) {
        return Problem::kOrdered;
    } else {
        return false;
    }
}

/// Where number u is; exchanges may leave `location_of` alone, where the problem can tell without it.
template <class Problem, class Walk>
QAPFW_DEVICE uint32_t location_in(const typename Problem::View& view, const Walk& walk, uint32_t u) {
    if constexpr (requires { Problem::location_of(view, walk, u); }) {
        return Problem::location_of(view, walk, u);
    } else {
        return walk.location_of[u];
    }
}

template <class Problem>
QAPFW_DEVICE uint32_t position_of(const typename Problem::View& view, uint32_t number) {
    if constexpr (is_ordered<Problem>()) {
        return Problem::position_of(view, number);
    } else {
        return number;
    }
}

}  // namespace qapfw::mapping
