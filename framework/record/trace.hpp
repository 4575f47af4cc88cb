// SPDX-License-Identifier: Apache-2.0
// trace.jsonl: a first line that names the run, then one line per improvement, appended when the improvement is
// noticed.
#pragma once

#include <optional>
#include <string>

#include "framework/record/result.hpp"

namespace qapfw::framework {

std::string trace_head(const RunResult& run);

/// An improvement of the best cost. The framework learns of it at the end of the round, or earlier if the solver offers
/// the solution.
struct Improvement {
    double seconds = 0;
    /// Counters at the end of the round. If `offered` is true: counters at the start of the round.
    std::uint64_t iterations = 0, evaluations = 0;
    std::uint64_t iteration = 0, search = 0;  ///< iteration and search that found the solution; 0 if `offered` is true
    qapfw_cost cost{};
    bool offered = false;  ///< true: offered within a round; offers are not part of the run's trajectory
};
std::string trace_line(const CostSpace& costs, const Improvement& improvement);

/// Contents of a trace file, up to its first defect. An incomplete last line is skipped.
struct TraceCheck {
    std::string head;                  ///< the first line
    std::size_t lines = 0;             ///< number of improvements at the ends of rounds
    std::size_t offered = 0;           ///< number of improvements within rounds
    std::optional<Improvement> first;  ///< first improvement at the end of a round; empty if there is none
    std::optional<Improvement> last;   ///< last improvement at the end of a round
    std::string defect;                ///< which line is broken or cannot follow the line before, and why; empty: none
};
TraceCheck check_trace(const std::string& text, const CostSpace& costs);

}  // namespace qapfw::framework
