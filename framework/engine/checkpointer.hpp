// SPDX-License-Identifier: Apache-2.0
// Keeps the last state from which the run can be resumed. Takes snapshots in memory at the ends of rounds, which costs
// at most about 1/100 of the run's time. So an interrupted run loses little work. Snapshots are written to disk at
// intervals and at the end. A snapshot is taken only where a resumed run equals an uninterrupted run: after a complete
// round, and at the end of the run also after a part (slice) of a round. Rounds::note_end has the exact rule.
#pragma once

#include <chrono>
#include <functional>

#include "framework/engine/algorithm.hpp"
#include "framework/record/run_record.hpp"

namespace qapfw::framework {

class Checkpointer {
  public:
    /// `enabled`: whether to take snapshots. Pass true only if the solver can be resumed, and this process or the
    /// leading process keeps a record.
    Checkpointer(RunRecord& record, double interval_seconds, bool enabled);

    /// The search begins now. The first snapshot is due after 50 ms, or at once if the interval is 0.
    void search_begins();
    /// True if it is time for a snapshot.
    bool is_due() const { return enabled_ && Clock::now() >= next_snapshot_; }
    /// True if it is time to write the snapshot to disk.
    bool write_is_due() const { return Clock::now() - last_write_ >= interval_; }
    /// Takes a snapshot if `due` is true. Then writes the newest snapshot to disk if write_is_due(). Call this function
    /// at the end of a round from which the run can be resumed. `describe` returns the checkpoint without the solver's
    /// own state.
    void round_ended(bool due, const Solver& solver, const std::function<Checkpoint()>& describe);
    /// Takes a snapshot. Call it after a run that can be resumed from the solver's present state.
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
