// SPDX-License-Identifier: Apache-2.0
// A walk: a solution in the form that device functions of problems read. A walk gives each position a number, see
// is_ordered.
#pragma once

#include "qapfw/kernels/platform.hpp"

namespace qapfw::mapping {

/// The type of a location's code: `Problem::Code` if there is one, else 64 bits.
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
    Index* location_of;                       ///< location of each position; the index is the position's number
    Index* vertex_at;                         ///< number of the position at each location
    typename CodeOf<Problem>::Type* code_of;  ///< the problem's code of the location of each position
};

/// True if the problem numbers the positions of walks in an order of its own. Otherwise the number of a position is the
/// position itself.
template <class Problem>
constexpr bool is_ordered() {
    if constexpr (requires { Problem::kOrdered; }) {
        return Problem::kOrdered;
    } else {
        return false;
    }
}

/// Returns the location of the position with number u. If the problem has a function location_of, which computes the
/// location from `code_of`, exchanges need not update the walk's array `location_of`.
template <class Problem, class Walk>
QAPFW_DEVICE uint32_t location_in(const typename Problem::View& view, const Walk& walk, uint32_t u) {
    if constexpr (requires { Problem::location_of(view, walk, u); }) {
        return Problem::location_of(view, walk, u);
    } else {
        return walk.location_of[u];
    }
}

/// Returns the swap partner that `draw` chooses for u, or u itself if there is no partner. Writes the delta of the
/// swap to `change`.
template <class Problem, class Walk>
QAPFW_DEVICE uint32_t proposal_of(const typename Problem::View& view, const Walk& walk, uint32_t u, uint64_t draw,
                                  int64_t& change) {
    if constexpr (requires { Problem::proposal(view, walk, u, draw, change); }) {
        return Problem::proposal(view, walk, u, draw, change);
    } else {
        const uint32_t v = Problem::partner(view, walk, u, draw);
        change = v == u ? 0 : Problem::delta(view, walk, u, v);
        return v;
    }
}

/// Swaps the elements of u and v if holds() returns true. The problem's own function, if it has one, may load data
/// before it calls holds().
template <class Problem, class Walk, class Holds>
QAPFW_DEVICE void exchange_if(const typename Problem::View& view, const Walk& walk, uint32_t u, uint32_t v,
                              Holds holds) {
    if constexpr (requires { Problem::exchange_if(view, walk, u, v, holds); }) {
        Problem::exchange_if(view, walk, u, v, holds);
    } else {
        if (holds()) Problem::exchange(view, walk, u, v);
    }
}

/// Returns the position that has this number in the problem's own order of positions. If the problem has no such order,
/// the position is the number itself.
template <class Problem>
QAPFW_DEVICE uint32_t position_of(const typename Problem::View& view, uint32_t number) {
    if constexpr (is_ordered<Problem>()) {
        return Problem::position_of(view, number);
    } else {
        return number;
    }
}

}  // namespace qapfw::mapping
