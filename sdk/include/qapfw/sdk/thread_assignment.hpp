// SPDX-License-Identifier: Apache-2.0
// A solver or improver may choose how a problem's swap neighbourhood distributes its pairs of positions to the threads
// of a GPU, see qapfw/kernels/swap_neighbourhood.hpp. A problem with only one way ignores the choice. The choice
// changes the speed, but no trajectory.
#pragma once

#include <cstdint>
#include <string>

#include "qapfw/sdk/device.hpp"
#include "qapfw/sdk/parameters.hpp"

namespace qapfw::sdk {

/// A way to deal pairs of positions to threads: the problem's own way, or one of the two ways of a paper (Tsutsui and
/// Fujimoto, MEDAL 2011005, section 5.2).
struct ThreadAssignment {
    /// The ways to deal pairs. They have the order of the choices in kAssignment.
    enum Kind : std::uint8_t {
        kTiled,  ///< the problem's own way
        kMata,   ///< the paper's MATA
        kPlain   ///< the paper's other way, without MATA
    };
    Kind kind = kTiled;                  ///< way in which threads get pairs
    std::uint64_t pairs_per_thread = 0;  ///< the paper's N_S; 0: n/4 for n positions, rounded up. Not for kTiled.
};

/// The parameter `assignment`. Solvers and improvers put it into their tables of parameters.
inline constexpr ParameterDeclaration kAssignment =
    choice("assignment", "tiled", "tiled|mata|plain")
        .summary(
            "How a GPU distributes pairs of positions to its threads. It changes the speed, not the result. tiled: "
            "this project's way. mata, plain: the two ways of the paper (Tsutsui and Fujimoto 2011).");
/// The parameter `pairs_per_thread`. Put it into every table of parameters that has kAssignment.
inline constexpr ParameterDeclaration kPairsPerThread =
    size("pairs_per_thread", 0)
        .range(0, 1'000'000)
        .unit("pairs")
        .symbol("N_S")
        .summary(
            "Number of pairs of positions for each GPU thread, if assignment is mata or plain. It changes the speed, "
            "not the result. 0: n/4, rounded up. The number is raised if a CUDA block would need more than 1024 "
            "threads.");

/// The assignment that the values of kAssignment and kPairsPerThread choose.
inline ThreadAssignment thread_assignment(const Parameters& parameters) {
    return {static_cast<ThreadAssignment::Kind>(parameters.choice("assignment")),
            static_cast<std::uint64_t>(parameters.integer("pairs_per_thread"))};
}

/// Passes the assignment to the problem's device code as macros; kTiled needs none.
inline void define_assignment(KernelRequest& request, const ThreadAssignment& assignment) {
    if (assignment.kind == ThreadAssignment::kTiled) return;
    request.defines.emplace_back(assignment.kind == ThreadAssignment::kMata ? "QAPFW_ASSIGNMENT_MATA=1"
                                                                            : "QAPFW_ASSIGNMENT_PLAIN=1");
    if (assignment.pairs_per_thread > 0)
        request.defines.push_back("QAPFW_PAIRS_PER_THREAD=" + std::to_string(assignment.pairs_per_thread));
}

}  // namespace qapfw::sdk
