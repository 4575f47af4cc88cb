// SPDX-License-Identifier: Apache-2.0
// Where a CPU run spends its time: Table 2 of the 2011 paper.
#pragma once

#include <chrono>
#include <utility>

#include "qapfw/sdk/solver.hpp"

namespace qapfw::cas {

class PhaseTimes {
  public:
    enum Phase { kConstruction, kImprovement, kTrail, kPhases };

    /// Runs `body` on the clock of `phase`.
    template <class Body>
    void measure(Phase phase, Body&& body) {
        const Clock::time_point start = Clock::now();
        std::forward<Body>(body)();
        seconds_[phase] += std::chrono::duration<double>(Clock::now() - start).count();
    }

    /// Shares of the three phases together, from the start of this process' run.
    void report(sdk::Run& run) const {
        const double all = seconds_[kConstruction] + seconds_[kImprovement] + seconds_[kTrail];
        if (all <= 0) return;
        run.statistic("share_construction", seconds_[kConstruction] / all);
        run.statistic("share_improvement", seconds_[kImprovement] / all);
        run.statistic("share_trail", seconds_[kTrail] / all);
    }

  private:
    using Clock = std::chrono::steady_clock;
    double seconds_[kPhases] = {};
};

}  // namespace qapfw::cas
