// SPDX-License-Identifier: Apache-2.0
// Keeps the last state from which the run can be resumed. At the ends of rounds it takes snapshots in memory, as many
// as cost almost no time. So an interrupted run loses almost no work. Snapshots are written to disk at intervals and at
// the end. Only complete rounds that were granted in full are kept: a run resumed from there equals the uninterrupted
// one.
#pragma once

#include <chrono>
#include <functional>

#include "framework/engine/algorithm.hpp"
#include "framework/record/run_record.hpp"

namespace qapfw::framework {

class Checkpointer {
  public:
    /// `enabled`: whether to take snapshots. This needs a solver that can be resumed, and a record of this process or
    /// of the leading one.
    Checkpointer(RunRecord& record, double interval_seconds, bool enabled);

    /// The search begins now. The first snapshot is due after 50 ms, or at once if the interval is 0.
    void search_begins();
    /// True if it is time for a snapshot.
    bool is_due() const { return enabled_ && Clock::now() >= next_snapshot_; }
    /// True if it is time to write the snapshot to disk.
    bool write_is_due() const { return Clock::now() - last_write_ >= interval_; }
    /// Call it at the end of a round from which the run can be resumed. `due`: whether to take a snapshot.
    /// `describe` returns everything except the solver's own state.
    void round_ended(bool due, const Solver& solver, const std::function<Checkpoint()>& describe);
    /// Call it after the run, if it can be resumed from its last round.
    void run_ended(const Solver& solver, const std::function<Checkpoint()>& describe);
    /// Writes the last snapshot to disk unless it was written before.
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
