// SPDX-License-Identifier: Apache-2.0
// A solution as device functions of problems read it.
#pragma once

#include "qapfw/kernels/platform.hpp"

namespace qapfw::mapping {

template <class Index>
struct WalkOf {
    Index* location_of;  ///< of each position
    Index* vertex_at;    ///< the position at each location
    uint64_t* code_of;   ///< of each position's location
};

}  // namespace qapfw::mapping
