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

template <class Problem>
QAPFW_DEVICE uint32_t position_of(const typename Problem::View& view, uint32_t number) {
    if constexpr (is_ordered<Problem>()) {
        return Problem::position_of(view, number);
    } else {
        return number;
    }
}

}  // namespace qapfw::mapping
