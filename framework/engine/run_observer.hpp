// SPDX-License-Identifier: Apache-2.0
// The program around the engine: it is informed of the engine's runs, and may end them.
#pragma once

#include "framework/engine/stop_conditions.hpp"
#include "framework/record/result.hpp"

namespace qapfw::framework {

class RunObserver {
  public:
    RunObserver() = default;
    RunObserver(const RunObserver&) = delete;
    RunObserver& operator=(const RunObserver&) = delete;
    virtual ~RunObserver() = default;

    /// True if the run must end. The function must be quick: all threads ask as often as they read a clock.
    virtual bool wants_end() const noexcept = 0;
    /// Called by the run's thread at the end of a round or of a slice of one, without a lock. `improved`: the best
    /// solution if it is new; else null. An exception from here ends the run as an error.
    virtual void round_ended(const RunState& state, const CostedSolution* improved) = 0;
    /// Called from time to time within a round, with a solution that is better than all before. The state's counters
    /// are those of the last round's end. A thread of the engine calls it without a lock, perhaps at the same time as
    /// round_ended. An exception from here ends the run as an error.
    virtual void offered(const RunState&, const CostedSolution&) {}
};

}  // namespace qapfw::framework
