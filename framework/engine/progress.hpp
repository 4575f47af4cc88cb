// SPDX-License-Identifier: Apache-2.0
// The display of a run: a live line on a terminal, else plain lines at a limited rate.
#pragma once

#include <chrono>
#include <string>

#include "framework/engine/stop_conditions.hpp"

namespace qapfw::framework {

enum class ProgressStyle { kNone, kLive, kPlain };

class Progress {
  public:
    Progress(ProgressStyle style, const StopConditions& conditions, std::optional<qapfw_cost> best_known,
             std::string label, bool verbose = false);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    /// Sets the solver's text for verbose lines.
    void say(const std::string& words) { words_ = words; }
    /// Shows the state if it is time for a new line. Call this function at the end of every round: without a new line
    /// it takes almost no time.
    void update(const RunState& state, bool improved);
    /// Seconds until the limit on time, iterations or evaluations ends the run, at the present rates; nothing if
    /// unknown.
    std::optional<double> remaining(const RunState& state) const;
    std::string line(const RunState& state) const;

  private:
    bool due(const RunState& state, bool improved) const;

    ProgressStyle style_;
    const StopConditions& conditions_;
    std::optional<qapfw_cost> best_known_;
    std::string label_;  // label of the run, such as "seed 42"; empty: there is only one run
    bool verbose_;       // shows rates and the solver's text
    std::string words_;
    double last_shown_ = -1;  // seconds of search when the last line was shown; -1: none was shown
    bool unshown_improvement_ = false;
};

}  // namespace qapfw::framework
