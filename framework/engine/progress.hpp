// SPDX-License-Identifier: Apache-2.0
// The display while a run lasts: a live line on a terminal, else plain lines at a limited rate.
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

    /// The solver's words, which stand on every verbose line from now on.
    void say(const std::string& words) { words_ = words; }
    /// To be called at the end of every round; it takes next to no time if no line is due.
    void update(const RunState& state, bool improved);
    /// Seconds until the first limit ends the run, at the present rates; nothing if that is unknown.
    std::optional<double> remaining(const RunState& state) const;
    std::string line(const RunState& state) const;

  private:
    bool due(const RunState& state, bool improved) const;

    ProgressStyle style_;
    const StopConditions& conditions_;
    std::optional<qapfw_cost> best_known_;
    std::string label_;  // "seed 42"; empty: there is one run
    bool verbose_;       // with rates and the solver's words
    std::string words_;
    double last_shown_ = -1;  // seconds of search
    bool unshown_improvement_ = false;
};

}  // namespace qapfw::framework
