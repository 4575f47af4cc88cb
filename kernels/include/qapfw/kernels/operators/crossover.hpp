// SPDX-License-Identifier: Apache-2.0
// All crossovers of permutations, alone or with bay bits, under one call for host and device. docs/guides/operators.md
// says what each keeps of the parents.
//   pmx      partially mapped (Goldberg and Lingle, "Alleles, loci, and the traveling salesman problem", ICGA 1985), in
//            the swap form of Fig. 7 of Tsutsui and Fujimoto (CEC 2010): the mother with the father's segment
//   ox       order (Davis, "Applying adaptive algorithms to epistatic domains", IJCAI 1985; as in Oliver, Smith and
//            Holland 1987): the mother's segment, the rest in the father's order from the segment's end on, cyclically
//   mox      modified order (thesis on PGAGrid, 2018, section 3.4): the mother left of a cut, the rest in the father's
//            order
//   uniform  Tate and Smith ("A genetic approach to the quadratic assignment problem", 1995): each position from either
//            parent
//   cycle    Oliver, Smith and Holland ("A study of permutation crossover operators on the traveling salesman problem",
//            ICGA 1987): the father along one cycle of positions, the mother at all other positions
//   path_relinking  Glover, Laguna and Marti (2000); James, Rego and Glover (2005): swaps lead from the mother towards
//            the father, but only a part of the way
#pragma once

#include "qapfw/kernels/fbs_crossover.hpp"
#include "qapfw/kernels/operators/cycle_crossover.hpp"
#include "qapfw/kernels/operators/operator_names.hpp"
#include "qapfw/kernels/operators/path_relinking.hpp"
#include "qapfw/kernels/operators/solution_view.hpp"
#include "qapfw/kernels/permutation_operators.hpp"
#include "qapfw/kernels/uniform_crossover.hpp"

namespace qapfw::kernels {

/// The crossovers, in the order of the list at the head of this file.
enum class Crossover : uint32_t {
    kPmx,      ///< partially mapped crossover
    kOx,       ///< order crossover
    kMox,      ///< modified order crossover
    kUniform,  ///< each position takes the element of either parent
    kCycle,    ///< the father's elements along one cycle, the mother's elements elsewhere
    kPath      ///< path relinking: the mother after a part of the swaps that lead to the father
};

constexpr uint32_t kCrossoverCount = 6;  ///< Number of crossovers.

#if !defined(__CUDACC_RTC__)
/// Names of the crossovers in configurations, by number. Only for the host.
inline constexpr const char* kCrossoverNames[kCrossoverCount] = {"pmx",     "ox",    "mox",
                                                                 "uniform", "cycle", "path_relinking"};
/// The choices of a parameter, in the order of Crossover: "pmx|ox|mox|uniform|cycle|path_relinking".
inline constexpr auto kCrossoverChoices = joined_names<kCrossoverNames>();

/// The name of a crossover in configurations. Only for the host.
constexpr const char* name_of(Crossover kind) {
    return kCrossoverNames[static_cast<uint32_t>(kind)];
}
#endif

/// The bit of a crossover in a set of crossovers: bit k stands for crossover number k.
constexpr uint32_t crossover_bit(Crossover kind) {
    return 1u << static_cast<uint32_t>(kind);
}
constexpr uint32_t kAllCrossovers = (1u << kCrossoverCount) - 1;  ///< The set of all crossovers.

/// The random stream for uniform crossover, if the solver's own crossover stream also has other uses.
constexpr uint32_t kUniformCrossoverStream = 118;

/// The sizes of the solutions that are crossed, and from which parent a child takes its bay bits.
struct CrossoverShape {
    uint32_t n;       ///< positions that may move
    uint32_t values;  ///< number of elements of a whole solution, fixed ones included
    /// Decides from which parent pmx, ox and mox take each bay bit; see fbs_crossover.hpp.
    FbsBitInheritance bits = kFbsBitsByPosition;
};

/// The random numbers of one crossover. Both children of a pair may use the same ones.
struct CrossoverDraws {
    uint64_t seed, generation;  ///< the seed and the iteration that draw4 gets
    uint32_t individual;        ///< number of the child in the run
    /// Number of a stream. Uniform crossover uses words 0 to n of this stream; path relinking uses word 2.
    uint32_t stream;
    /// pmx, ox: two cuts. mox: the first word gives the cut. cycle: the first word says where the cycle begins.
    /// path_relinking: the first word says where the walk begins, the second where it ends.
    uint32_t words[2];
};

/// Returns the draws of a crossover from a stream that has no other use. The stream's first two words become `words`.
QAPFW_HD CrossoverDraws draw_crossover(uint64_t seed, uint64_t generation, uint32_t individual, uint32_t stream) {
    const Philox4 words = draw4(seed, generation, individual, stream, 0);
    return {seed, generation, individual, stream, {words.word[0], words.word[1]}};
}

/// Makes the child of two parents by a crossover known at compile time. All three views come from solution_view, or all
/// from movable_view. The child must not overlap a parent. With movable_view, the child must already have the fixed
/// elements. `scratch`: shape.values numbers, each wide enough for a position. Called by one thread, or by a group of
/// threads with the same arguments. The child does not depend on the group. O(n + values).
template <Crossover kKind, class Child, class Mother, class Father, class Scratch, class Group = ThreadGroup>
QAPFW_HD void cross(Child child, const Mother& mother, const Father& father, Scratch scratch,
                    const CrossoverShape& shape, const CrossoverDraws& draws, Group group = {}) {
    constexpr bool kOneThreadWithoutBits = Group::size() == 1 && !HasBits<Child>::value;
    const uint32_t n = shape.n;
    if constexpr (kKind == Crossover::kPmx) {
        const Cuts cuts = draw_cuts(draws.words[0], draws.words[1], n);
        fbs_pmx(child, mother, father, scratch, n, {cuts.first, cuts.second}, shape.bits, group);
    } else if constexpr (kKind == Crossover::kOx && kOneThreadWithoutBits) {
        const Cuts cuts = draw_cuts(draws.words[0], draws.words[1], n);
        order_crossover(child.perm, mother.perm, father.perm, scratch, cuts, n, shape.values);
    } else if constexpr (kKind == Crossover::kOx) {
        const Cuts cuts = draw_cuts(draws.words[0], draws.words[1], n);
        fbs_ox(child, father, mother, scratch, n, {cuts.first, cuts.second}, shape.bits, group);
    } else if constexpr (kKind == Crossover::kMox && kOneThreadWithoutBits) {
        const uint32_t cut = below(draws.words[0], n);
        modified_order_crossover(child.perm, mother.perm, father.perm, scratch, cut, n, shape.values);
    } else if constexpr (kKind == Crossover::kMox) {
        fbs_mox(child, father, mother, scratch, n, below(draws.words[0], n), shape.bits, group);
    } else if constexpr (kKind == Crossover::kUniform) {
        const UniformDraws of_positions{draws.seed, draws.generation, draws.individual, draws.stream};
        uniform_crossover(child, mother, father, scratch, n, shape.values, of_positions, group);
    } else if constexpr (kKind == Crossover::kCycle) {
        cycle_crossover(child, mother, father, scratch, n, below(draws.words[0], n), group);
    } else {
        const uint32_t step = draw(draws.seed, draws.generation, draws.individual, draws.stream, 2);
        path_relinking(child, mother, father, scratch, n, {below(draws.words[0], n), step, draws.words[1]}, group);
    }
}

/// Makes the child by a crossover that a parameter names. The crossover must be in the set kKinds; only crossovers of
/// this set are compiled. Device code puts only the crossover that it needs in the set (crossover_bit).
template <uint32_t kKinds = kAllCrossovers, class Child, class Mother, class Father, class Scratch,
          class Group = ThreadGroup>
QAPFW_HD void cross(Crossover kind, Child child, const Mother& mother, const Father& father, Scratch scratch,
                    const CrossoverShape& shape, const CrossoverDraws& draws, Group group = {}) {
    static_assert(kKinds != 0 && kKinds <= kAllCrossovers, "a set of crossovers must have at least one crossover");
    constexpr uint32_t kOthers = kKinds & (kKinds - 1);
    constexpr auto kLeast = static_cast<Crossover>(lowest_bit(kKinds));
    if (kOthers == 0 || kind == kLeast) {
        cross<kLeast>(child, mother, father, scratch, shape, draws, group);
    } else if constexpr (kOthers != 0) {
        cross<kOthers>(kind, child, mother, father, scratch, shape, draws, group);
    }
}

}  // namespace qapfw::kernels
