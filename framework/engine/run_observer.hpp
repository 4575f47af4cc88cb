// SPDX-License-Identifier: Apache-2.0
// A program around the engine: it is informed of the engine's runs, and may end them.
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

    /// True if the run must end. Asked by any thread, as often as a clock is read.
    virtual bool wants_end() const noexcept = 0;
    /// The end of a round, told by the run's thread while no lock is held. `improved`: the best solution, where it is
    /// new; else null. What it throws ends the run as an error.
    virtual void round_ended(const RunState& state, const CostedSolution* improved) = 0;
    /// A solution that is better than all before, found within a round that has not ended; the state's counters are
    /// those of the last round's end. Told by a thread of the engine while no lock is held, maybe while the run's
    /// thread tells of a round's end. What it throws ends the run as an error.
    virtual void offered(const RunState&, const CostedSolution&) {}
};

}  // namespace qapfw::framework
