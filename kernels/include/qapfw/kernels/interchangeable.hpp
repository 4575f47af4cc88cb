// SPDX-License-Identifier: Apache-2.0
// Pairs whose swap never changes a cost, because the problem cannot distinguish their positions or their values. Tabu
// search leaves such pairs out, since they lead only to solutions of equal cost. A problem that knows such pairs
// defines one or both of these macros in its device text. Each macro is a list of class numbers, separated by commas:
//    QAPFW_POSITION_CLASSES  the class of each position, in the kernels' order of positions
//    QAPFW_VALUE_CLASSES     the class of each value
// A swap of two positions of one class, or of two values of one class, never changes a cost.
#pragma once

#include "qapfw/kernels/platform.hpp"

namespace qapfw::kernels {

/// The specifiers and the element type of the two arrays below. After the arrays, #undef removes this macro.
#if defined(__CUDACC__) || defined(__CUDACC_RTC__)
#define QAPFW_CLASSES __device__ constexpr uint16_t
#else
#define QAPFW_CLASSES inline constexpr uint16_t
#endif

#ifdef QAPFW_POSITION_CLASSES
QAPFW_CLASSES kPositionClasses[] = {QAPFW_POSITION_CLASSES};  ///< for each position, the number of its class
#endif
#ifdef QAPFW_VALUE_CLASSES
QAPFW_CLASSES kValueClasses[] = {QAPFW_VALUE_CLASSES};  ///< for each value, the number of its class
#endif
#undef QAPFW_CLASSES

/// True if positions i and j, or the values at them, are interchangeable. Always false if the problem defines no
/// classes.
QAPFW_HD bool are_interchangeable(int i, int value_i, int j, int value_j) {
    bool are = false;
#ifdef QAPFW_POSITION_CLASSES
    are |= kPositionClasses[i] == kPositionClasses[j];
#endif
#ifdef QAPFW_VALUE_CLASSES
    are |= kValueClasses[value_i] == kValueClasses[value_j];
#endif
    static_cast<void>(i), static_cast<void>(value_i), static_cast<void>(j), static_cast<void>(value_j);
    return are;
}

}  // namespace qapfw::kernels
