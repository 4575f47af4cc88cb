// SPDX-License-Identifier: Apache-2.0
// The program that calls the engine: the engine tells it how a run stands, and the program may end the run.
#pragma once

#include "framework/engine/stop_conditions.hpp"
#include "framework/record/result.hpp"
#include "qapfw/error.hpp"

namespace qapfw::framework {

class RunObserver {
  public:
    RunObserver() = default;
    RunObserver(const RunObserver&) = delete;
    RunObserver& operator=(const RunObserver&) = delete;
    virtual ~RunObserver() = default;

    /// True if the run must end. All threads call this function often, so it must be quick.
    virtual bool wants_end() const noexcept = 0;
    /// Called by the run's thread, without a lock, at the end of a round or of a slice of a round. `improved`: the best
    /// solution if it is new; else null. If this function throws, the run ends with an error.
    virtual void round_ended(const RunState& state, const CostedSolution* improved) = 0;
    /// Called from time to time within a round, with a solution that is better than all earlier ones. The state's
    /// counters are those at the end of the last round. A thread of the engine calls this function without a lock,
    /// perhaps at the same time as round_ended. If this function throws, the run ends with an error.
    virtual void offered(const RunState&, const CostedSolution&) {}
};

/// Thrown if the observer ends a search that has no solution yet.
class Cancelled : public Error {
  public:
    using Error::Error;
};

}  // namespace qapfw::framework
