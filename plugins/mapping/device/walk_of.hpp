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
    Index* location_of;                       ///< of each position
    Index* vertex_at;                         ///< the position at each location
    typename CodeOf<Problem>::Type* code_of;  ///< of each position's location
};

}  // namespace qapfw::mapping
