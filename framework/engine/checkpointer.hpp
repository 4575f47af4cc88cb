// SPDX-License-Identifier: Apache-2.0
// Keeps the last state of the run from which it can be resumed. At the ends of rounds it takes a snapshot in memory, as
// often as that costs next to nothing, so that an interrupted run loses almost no work. The snapshot goes to the disk
// at intervals and at the end. Only rounds that were granted in full and completed are kept, since a run that is
// resumed from there equals the uninterrupted one.
#pragma once

#include <chrono>
#include <functional>

#include "framework/engine/algorithm.hpp"
#include "framework/record/run_record.hpp"

namespace qapfw::framework {

class Checkpointer {
  public:
    /// `enabled`: there is a record, of this process or of the one that leads, and solvers can go on.
    Checkpointer(RunRecord& record, double interval_seconds, bool enabled);

    /// Notes that the search begins now. The first snapshot is due after 50 ms, with interval 0 at once.
    void search_begins();
    /// True if a snapshot is worth its time by now.
    bool is_due() const { return enabled_ && Clock::now() >= next_snapshot_; }
    /// True if the last snapshot on the disk is old.
    bool write_is_due() const { return Clock::now() - last_write_ >= interval_; }
    /// To be called at the end of a round from which a run can go on, with whether a snapshot is due; `describe` gives
    /// everything but the solver's own state.
    void round_ended(bool due, const Solver& solver, const std::function<Checkpoint()>& describe);
    /// To be called after the run, if a run can go on from its last round.
    void run_ended(const Solver& solver, const std::function<Checkpoint()>& describe);
    /// Writes the last snapshot to the disk unless it is there.
    void write_last();

  private:
    void take_snapshot(const Solver& solver, const std::function<Checkpoint()>& describe);
    using Clock = std::chrono::steady_clock;
    RunRecord& record_;
    const std::chrono::duration<double> interval_;
    const bool enabled_;
    Checkpoint snapshot_;
    bool unwritten_ = false;  // true if snapshot_ is newer than the file
    Clock::time_point next_snapshot_, last_write_;
};

}  // namespace qapfw::framework
