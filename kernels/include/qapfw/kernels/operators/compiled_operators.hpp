// SPDX-License-Identifier: Apache-2.0
// The operators that a program contains. The host has all operators. A kernel stays small, since it has only the
// operators that its run needs. The host chooses the kernel's operators by macros:
//   QAPFW_CROSSOVER   the number of the one crossover; if not defined, the solver's device text chooses the operators
//   QAPFW_MUTATION    the number of the one mutation; defined together with QAPFW_CROSSOVER
//   QAPFW_BITS_OFFSET bytes from a solution's start to its bay bits, 0: none; defined together with QAPFW_CROSSOVER
#pragma once

#include "qapfw/kernels/operators/crossover.hpp"
#include "qapfw/kernels/operators/mutation.hpp"

namespace qapfw::kernels {

/// Stands for an offset that is known only at run time, from the solution's shape.
constexpr uint32_t kBitsAnywhere = 0xFFFFFFFFu;

/// The set of crossovers and the set of mutations that a program contains. kBitsOffset: bytes from a solution's start
/// to its bay bits; 0: there are no bay bits.
template <uint32_t kCrossoverSet, uint32_t kMutationSet, uint32_t kBitsOffset>
struct CompiledOperators {
    /// @{
    /// The arguments of the template.
    static constexpr uint32_t kCrossovers = kCrossoverSet, kMutations = kMutationSet, kOffset = kBitsOffset;
    /// @}
    static constexpr bool kBits = kBitsOffset != 0;  ///< true if solutions may have bay bits
};
/// All operators, for solutions with or without bay bits. Only host code uses this set.
using AllOperators = CompiledOperators<kAllCrossovers, kAllMutations, kBitsAnywhere>;

/// True if solutions of this device code have bay bits.
#if defined(QAPFW_CROSSOVER)
#define QAPFW_HAS_BITS (QAPFW_BITS_OFFSET != 0)
template <class>
using OperatorsOfRun = CompiledOperators<1u << QAPFW_CROSSOVER, 1u << QAPFW_MUTATION, QAPFW_BITS_OFFSET>;
#else
#define QAPFW_HAS_BITS 0
/// The operators of a program: the one crossover and the one mutation that QAPFW_CROSSOVER and QAPFW_MUTATION name. If
/// these macros are not defined, the operators are `Papers`, those of the solver's paper.
template <class Papers>
using OperatorsOfRun = Papers;
#endif

/// The size of a solution, and the offset of its bay bits.
struct SolutionShape {
    uint32_t bits_offset;  ///< bytes from the solution's start to its bay bits; 0: no bay bits
    uint32_t stride;       ///< size of a whole solution in units of 16 bits, bay bits included
};

/// True if solutions of this shape have bay bits.
template <class Operators>
QAPFW_HD bool has_bits(const SolutionShape& shape) {
    return Operators::kOffset == kBitsAnywhere ? shape.bits_offset != 0 : Operators::kBits;
}
/// Number of elements to copy or compare for a whole solution with its bits.
template <class Operators>
QAPFW_HD uint32_t row_elements(const SolutionShape& shape, uint32_t values) {
    return has_bits<Operators>(shape) ? shape.stride : values;
}
/// @{
/// Address of a solution's bay bits, one byte for each bit. Call it only if has_bits is true.
template <class Operators>
QAPFW_HD uint8_t* bits_of(const SolutionShape& shape, void* solution) {
    return static_cast<uint8_t*>(solution) +
           (Operators::kOffset == kBitsAnywhere ? shape.bits_offset : Operators::kOffset);
}
template <class Operators>
QAPFW_HD const uint8_t* bits_of(const SolutionShape& shape, const void* solution) {
    return static_cast<const uint8_t*>(solution) +
           (Operators::kOffset == kBitsAnywhere ? shape.bits_offset : Operators::kOffset);
}
/// @}
/// A solution with its bits, in the form that operators take.
template <class Operators, class Element>
QAPFW_HD auto layout_view(const SolutionShape& shape, Element* solution) {
    return solution_view(solution, bits_of<Operators>(shape, solution));
}

}  // namespace qapfw::kernels
