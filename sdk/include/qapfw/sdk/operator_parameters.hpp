// SPDX-License-Identifier: Apache-2.0
// Parameters that choose the operators of populations, and macros that compile these operators into a solver's kernels.
#pragma once

#include <string>
#include <vector>

#include "qapfw/kernels/operators/compiled_operators.hpp"
#include "qapfw/sdk/parameters.hpp"
#include "qapfw/sdk/problem_ref.hpp"

namespace qapfw::sdk {

/// The parameter `crossover`. The index of its choice is a kernels::Crossover. The default is `papers`: the crossover
/// in the paper of the solver.
consteval auto crossover_parameter(kernels::Crossover papers) {
    return choice("crossover", kernels::name_of(papers), kernels::kCrossoverChoices.text)
        .summary(
            "How two parents make a child. pmx: partially mapped crossover. ox: order crossover. mox: modified order "
            "crossover. uniform, cycle: the crossovers of these names. path_relinking: the child lies on a path of "
            "swaps from one parent to the other.");
}
/// The parameter `crossover` with PMX as its default.
consteval auto ga_crossover() {
    return crossover_parameter(kernels::Crossover::kPmx);
}
/// The parameter `cut_points`. Its choice's index is kernels::kGaCutsAny, kGaCutsDistinct or kGaCutsShared.
consteval auto ga_cut_points() {
    return choice("cut_points", "any", "any|distinct|shared")
        .summary(
            "How the two cut points of the crossovers pmx and ox are drawn. any: two points, which may be equal; the "
            "child is then a copy of a parent. distinct: two different points, as in Tsutsui and Fujimoto, CEC 2010. "
            "shared: two different points, the same for all children of a generation.");
}
/// The parameter `mutation`. Its choice's index is a kernels::Mutation. The choices are the four mutations that need no
/// bay bits; the default is exchange.
consteval auto ga_mutation() {
    return choice("mutation", kernels::name_of(kernels::Mutation::kExchange), kernels::kPermutationMutationChoices.text)
        .summary(
            "What a mutation does to the permutation. exchange: two positions swap their elements. insertion: an "
            "element moves to another position. reversal: a stretch of elements is reversed. transposition: like "
            "reversal, but the stretch may be a single element.");
}
/// The parameter `bay_moves`. The default is the fraction of moves of bays in FbsMutationWeights.
consteval auto bay_moves() {
    return real("bay_moves", 0.32)
        .range(0, 1)
        .summary(
            "For layouts in bays (strips of departments): fraction of the mutations that change the bays instead of "
            "the order. Such a mutation splits or joins bays, shifts a border or swaps two bays.");
}

/// The shape of the problem's solutions: the offset of the bay bits, 0 if there are none, and the stride.
inline kernels::SolutionShape solution_shape(const ProblemRef& problem) {
    const qapfw_encoding& encoding = problem.encoding();
    const auto stride = static_cast<std::uint32_t>(problem.solution_bytes() / sizeof(std::uint16_t));
    const bool has_bays = encoding.segment_count == 2 && encoding.segments[1].kind == QAPFW_SEGMENT_BAYS;
    return {has_bays ? encoding.segments[1].offset : 0, stride};
}

/// Macro definitions that compile this crossover and this mutation into a kernel. Empty if the default set `Papers` has
/// both operators and solutions have no bay bits.
template <class Papers>
std::vector<std::string> operator_defines(std::uint32_t crossover, std::uint32_t mutation,
                                          const kernels::SolutionShape& shape) {
    const bool papers = (Papers::kCrossovers >> crossover & 1u) != 0 && (Papers::kMutations >> mutation & 1u) != 0;
    if (papers && shape.bits_offset == 0) return {};
    return {"QAPFW_CROSSOVER=" + std::to_string(crossover), "QAPFW_MUTATION=" + std::to_string(mutation),
            "QAPFW_BITS_OFFSET=" + std::to_string(shape.bits_offset)};
}

}  // namespace qapfw::sdk
