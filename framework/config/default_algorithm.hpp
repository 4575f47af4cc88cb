// SPDX-License-Identifier: Apache-2.0
// The algorithm of a configuration that has no [algorithm].
#pragma once

#include "qapfw/abi/plugin.h"
#include "qapfw/abi/swap_neighbourhood.h"

namespace qapfw::framework {

/// The solver's id, with its defaults and without an improver.
inline const char* default_algorithm(const qapfw_component& problem) {
    const bool swaps =
        problem.get_capability != nullptr && problem.get_capability(QAPFW_PROBLEM_SWAP_NEIGHBOURHOOD) != nullptr;
    return swaps ? "tabu" : "imga";
}

}  // namespace qapfw::framework
