// SPDX-License-Identifier: Apache-2.0
// Concepts for the parts that a problem's device text (its source code for the GPU) must have. The text defines a type
// `qapfw::device::Problem`; swap_neighbourhood.hpp explains the parts of this type. A text may end with
//
//     #include "qapfw/kernels/problem_concept.hpp"
//     static_assert(qapfw::kernels::check_device_text<qapfw::device::Problem>());
//
// The text then does not compile if a part is missing, and the message names the part. `qapfw plugin check`
// compiles the texts of a plugin with this check. Searches test for optional parts by `requires`.
#pragma once

#include "qapfw/kernels/swap_neighbourhood.hpp"

namespace qapfw::kernels {
namespace problem_parts {

/// @{
/// True if two types are the same.
template <class A, class B>
constexpr bool kSame = false;
template <class A>
constexpr bool kSame<A, A> = true;
/// @}

/// Stands for the solution that a search passes to `cost`.
struct AnySolution {
    QAPFW_DEVICE int operator()(int position) const { return position; }  ///< The identity.
    QAPFW_DEVICE int bit(int) const { return 0; }                         ///< No bit is set.
    QAPFW_DEVICE uint32_t element(int, int) const { return 0; }           ///< All elements are 0.
};

/// P has a trivially copyable type View.
template <class P>
concept View = requires {
    sizeof(typename P::View);
    requires __is_trivially_copyable(typename P::View);
};
/// P has a type Cost, which is int64_t or double.
template <class P>
concept Cost = requires {
    sizeof(typename P::Cost);
    requires kSame<typename P::Cost, int64_t> || kSame<typename P::Cost, double>;
};
/// P has kPositions, a number from 1 to 65535.
template <class P>
concept Positions = requires {
    requires P::kPositions >= 1 && P::kPositions <= 65535;
};
/// P has a function `cost` that the threads of a `Group` can call together.
template <class P, class Group>
concept CostBy = requires(Group group, const typename P::View& view, AnySolution solution) {
    requires kSame<decltype(P::cost(group, view, solution)), typename P::Cost>;
};
/// P has kBits, the number of a solution's bits, and kBitsOffset, the bits' offset in bytes. The bits come after the
/// permutation.
template <class P>
concept Bits = requires {
    requires P::kBits >= 1 && P::kBitsOffset >= 2 * P::kPositions;
};
/// P has kScratchBytes, and a function cost_in by which a warp computes the cost. The warp provides the scratch memory.
template <class P>
concept Scratch = requires(const typename P::View& view, AnySolution solution, void* memory) {
    requires P::kScratchBytes >= 1;
    requires kSame<decltype(P::cost_in(WarpGroup{}, view, solution, memory)), typename P::Cost>;
};
/// P has a type ChildCosts with the functions `load`, `of` and `after`: see PlainChildCosts in ga_block.hpp.
template <class P>
concept ChildCosts = requires(typename P::ChildCosts& costs, const typename P::View& view, AnySolution solution,
                              typename P::Cost cost) {
    costs.load(view);
    requires kSame<decltype(costs.of(WarpGroup{}, view, solution)), typename P::Cost>;
    requires kSame<decltype(costs.after(WarpGroup{}, view, solution, cost, solution)), typename P::Cost>;
};

/// A problem that defines kBits or kBitsOffset.
template <class P>
concept MentionsBits = requires {
    P::kBits;
}
|| requires {
    P::kBitsOffset;
};
/// A problem that defines kScratchBytes.
template <class P>
concept MentionsScratch = requires {
    P::kScratchBytes;
};
/// A problem that defines ChildCosts.
template <class P>
concept MentionsChildCosts = requires {
    sizeof(typename P::ChildCosts);
};

/// A neighbourhood must define these types.
template <class N>
concept NeighbourhoodTypes = requires {
    sizeof(typename N::Value);
    sizeof(typename N::Total);
    sizeof(typename N::View);
    sizeof(typename N::BlockShared);
    sizeof(typename N::TeamShared);
    sizeof(typename N::Group);
};
/// A neighbourhood must define these constants, with consistent values.
template <class N>
concept NeighbourhoodNumbers = requires {
    requires N::kThreads >= 1 && N::kGroups >= 1 && N::kGroupSize >= 1;
    requires N::kSlots == N::kGroups* N::kGroupSize;
    requires N::kPositions >= 1 && N::kMovable <= N::kPositions;
    requires N::kInRegisters || !N::kInRegisters;
    requires N::kWorkspaceBytes % 256 == 0;
};
/// A neighbourhood must have these members. They set the solution, return it and return its cost.
template <class N>
concept NeighbourhoodSolution = requires(N& n, const N& fixed, const uint16_t* from, uint16_t* to) {
    n.load(from);
    n.reset();
    n.cost();
    fixed.store(to);
    fixed.value_at(0);
};
/// A neighbourhood must have this member. It swaps the elements of two positions.
template <class N>
concept NeighbourhoodMoves = requires(N& n) {
    n.apply(0, 1, NoWords{});
};

/// A problem that defines SwapNeighbourhood.
template <class P>
concept MentionsNeighbourhood = requires {
    sizeof(typename P::SwapNeighbourhood);
};

}  // namespace problem_parts

/// Members that every problem with device code must have.
template <class P>
concept DeviceProblem = problem_parts::View<P> && problem_parts::Cost<P> && problem_parts::Positions<P> &&
    problem_parts::CostBy<P, ThreadGroup> && problem_parts::CostBy<P, WarpGroup>;

/// Members that a problem's own swap neighbourhood must have, whichever search uses it.
template <class N>
concept DeviceNeighbourhood = problem_parts::NeighbourhoodTypes<N> && problem_parts::NeighbourhoodNumbers<N> &&
    problem_parts::NeighbourhoodSolution<N> && problem_parts::NeighbourhoodMoves<N>;

/// Does not compile if a part is missing; the compiler's message names the first missing part. Otherwise returns true.
template <class P>
constexpr bool check_device_problem() {
    namespace parts = problem_parts;
    if constexpr (!parts::View<P>) {
        static_assert(parts::View<P>, "qapfw::device::Problem needs a type View that is trivially copyable");
    } else if constexpr (!parts::Cost<P>) {
        static_assert(parts::Cost<P>, "qapfw::device::Problem needs a type Cost, which is int64_t or double");
    } else if constexpr (!parts::Positions<P>) {
        static_assert(parts::Positions<P>, "qapfw::device::Problem needs a constant kPositions from 1 to 65535");
    } else if constexpr (!parts::CostBy<P, ThreadGroup> || !parts::CostBy<P, WarpGroup>) {
        static_assert(parts::CostBy<P, ThreadGroup> && parts::CostBy<P, WarpGroup>,
                      "qapfw::device::Problem needs static Cost cost(Group, const View&, Solution) for any Group and "
                      "Solution");
    } else if constexpr (parts::MentionsBits<P> && !parts::Bits<P>) {
        static_assert(parts::Bits<P>,
                      "qapfw::device::Problem needs both kBits and kBitsOffset, or neither; the bits "
                      "come after the permutation");
    } else if constexpr (parts::MentionsScratch<P> && !parts::Scratch<P>) {
        static_assert(parts::Scratch<P>,
                      "qapfw::device::Problem has kScratchBytes, so it also needs static Cost "
                      "cost_in(WarpGroup, const View&, Solution, void*)");
    } else if constexpr (parts::MentionsChildCosts<P> && !parts::ChildCosts<P>) {
        static_assert(parts::ChildCosts<P>,
                      "qapfw::device::Problem::ChildCosts needs load(const View&), "
                      "of(WarpGroup, const View&, Solution) and after(WarpGroup, const View&, "
                      "Solution, Cost, Solution)");
    }
    return true;
}

/// Does not compile if the swap neighbourhood lacks a part; the compiler's message names the first missing part.
/// Otherwise returns true.
template <class N>
constexpr bool check_device_neighbourhood() {
    namespace parts = problem_parts;
    if constexpr (!parts::NeighbourhoodTypes<N>) {
        static_assert(parts::NeighbourhoodTypes<N>,
                      "the swap neighbourhood needs the types Value, Total, View, BlockShared, TeamShared and Group");
    } else if constexpr (!parts::NeighbourhoodNumbers<N>) {
        static_assert(parts::NeighbourhoodNumbers<N>,
                      "the swap neighbourhood needs kThreads, kGroups, kGroupSize, kSlots = kGroups * kGroupSize, "
                      "kPositions, kMovable <= kPositions, kInRegisters and kWorkspaceBytes, a multiple of 256");
    } else if constexpr (!parts::NeighbourhoodSolution<N>) {
        static_assert(parts::NeighbourhoodSolution<N>,
                      "the swap neighbourhood needs load, reset, cost, store and value_at");
    } else if constexpr (!parts::NeighbourhoodMoves<N>) {
        static_assert(parts::NeighbourhoodMoves<N>, "the swap neighbourhood needs apply(int i, int j, const Search&)");
    }
    return true;
}

/// Checks the problem, and its swap neighbourhood if it has one. Returns true; a defect is a compile error.
template <class P>
constexpr bool check_device_text() {
    if constexpr (problem_parts::MentionsNeighbourhood<P>) {
        return check_device_problem<P>() && check_device_neighbourhood<typename P::SwapNeighbourhood>();
    } else {
        return check_device_problem<P>();
    }
}

}  // namespace qapfw::kernels
