// SPDX-License-Identifier: Apache-2.0
// The parameter with which a search chooses between swaps and insertions of an order, and the check whether insertions
// are possible.
#pragma once

#include <string>

#include "qapfw/sdk/insertion_neighbourhood.hpp"
#include "qapfw/sdk/parameters.hpp"

namespace qapfw::sdk {

/// The parameter that chooses a search's moves.
inline constexpr ParameterDeclaration kNeighbourhood =
    choice("neighbourhood", "exchange", "exchange|insertion")
        .summary(
            "How a move changes a solution. exchange: two elements swap their positions; if solutions have bits or "
            "values, these may change too. insertion: one element moves to another position, and the elements between "
            "close up. Choose insertion if the order of the elements matters; it needs solutions that are one "
            "permutation.");

/// The macro that the host defines for a kernel over insertions; see kernels/insertion_moves.hpp.
inline constexpr const char* kInsertionsDefine = "QAPFW_INSERTIONS";

/// True if the parameter `neighbourhood` chooses insertions. Insertions need solutions that are one permutation of
/// 16-bit elements. For other solutions, that choice throws Error(kUnsupported).
inline bool chooses_insertions(const Parameters& parameters, const ProblemRef& problem) {
    if (parameters.choice("neighbourhood") == 0) return false;
    const qapfw_encoding& encoding = problem.encoding();
    if (encoding.segment_count == 1 && is_permutation_16(encoding)) return true;
    throw Error(ErrorKind::kUnsupported,
                "neighbourhood = \"insertion\" needs solutions that are one permutation; the solutions of problem " +
                    std::string(problem.get()->id) + " have another form, so choose \"exchange\"");
}

}  // namespace qapfw::sdk
