// SPDX-License-Identifier: Apache-2.0
// Settings of a population's run: the problem, the improver, the shape, the warm starts.
#pragma once

#include <vector>

#include "qapfw/kernels/digest.hpp"
#include "qapfw/sdk/free_positions.hpp"
#include "qapfw/sdk/population/fields.hpp"
#include "qapfw/sdk/solver.hpp"

namespace qapfw::sdk {

/// Digest of a solution with segments of any kind: the sum of digest_element over the elements of all segments. The
/// elements are numbered from the first segment to the last.
inline std::uint64_t digest_of_segments(const qapfw_encoding& encoding, const void* solution) {
    std::uint64_t sum = 0;
    std::uint32_t first = 0;
    for (std::uint32_t s = 0; s < encoding.segment_count; ++s) {
        const qapfw_segment& segment = encoding.segments[s];
        for (std::uint32_t k = 0; k < segment.length; ++k) {
            sum += kernels::digest_element(first + k, element_at(segment, solution, k));
        }
        first += segment.length;
    }
    return sum;
}

/// Settings of a run, the same at all places. Plain data that refers to the framework's objects.
struct PopulationSettings {
    Host host;                           ///< services of the framework
    ProblemRef problem;                  ///< the problem
    const qapfw_improver_ref* improver;  ///< the configured improver; null: none
    PopulationShape shape;               ///< groups and individuals of the run
    std::vector<unsigned char> warm;     ///< warm starts, the best first; see warm_starts
    bool needs_a_solution = true;        ///< no solution of the run has been evaluated yet
    bool goes_back = true;               ///< true: places keep a copy of the state, to undo a round that is cut short

    std::uint64_t bytes() const { return problem.solution_bytes(); }  ///< bytes from one solution to the next
    /// Number of 16-bit elements from one solution to the next.
    std::uint64_t stride() const { return problem.solution_bytes() / sizeof(std::uint16_t); }
    std::uint64_t warm_count() const { return warm.size() / bytes(); }  ///< number of warm starts
    /// The warm start with number k < warm_count(). Number 0 is the best.
    const unsigned char* warm_start(std::uint64_t k) const { return warm.data() + k * bytes(); }

    /// Digest of solution k in `solutions`, computed from the elements of all segments. See kernels/digest.hpp.
    std::uint64_t digest_of(const void* solutions, std::uint64_t k) const {
        const auto* at = static_cast<const unsigned char*>(solution_at(solutions, bytes(), k));
        if (!is_permutation_16(problem.encoding())) return digest_of_segments(problem.encoding(), at);
        std::uint64_t sum = kernels::digest_solution(permutation_of(static_cast<const void*>(at)), problem.length());
        if (problem.encoding().segment_count < 2) return sum;
        const qapfw_segment& bits = problem.encoding().segments[1];
        for (std::uint32_t b = 0; b < bits.length; ++b) {
            sum += kernels::digest_element(problem.length() + b, at[bits.offset + b]);
        }
        return sum;
    }
};

}  // namespace qapfw::sdk
