// SPDX-License-Identifier: Apache-2.0
// Keeps the run's last resumable state. A snapshot in memory is taken at round ends as often as it costs next to
// nothing, so that an interrupted run loses almost no work; it goes to the disk at intervals and at the end. Only
// rounds that were granted in full and completed are kept: from there on a resumed run is the uninterrupted one.
#pragma once

#include <chrono>
#include <functional>

#include "framework/engine/algorithm.hpp"
#include "framework/record/run_record.hpp"

namespace qapfw::framework {

class Checkpointer {
  public:
    Checkpointer(RunRecord& record, const Solver& solver, double interval_seconds);

    /// The search begins now; the first snapshot is due after 50 ms, with interval 0 at once.
    void search_begins();
    /// At the end of a round to go on from; `describe` gives everything but the solver's own state.
    void round_ended(const std::function<Checkpoint()>& describe);
    /// After the run, where its last round is one to go on from.
    void run_ended(const std::function<Checkpoint()>& describe);
    /// Brings the last snapshot to the disk unless it is there.
    void write_last();

  private:
    void take_snapshot(const std::function<Checkpoint()>& describe);
    using Clock = std::chrono::steady_clock;
    RunRecord& record_;
    const Solver& solver_;
    const std::chrono::duration<double> interval_;
    const bool enabled_;
    Checkpoint snapshot_;
    bool unwritten_ = false;  // snapshot_ is newer than the file
    Clock::time_point next_snapshot_, last_write_;
};

}  // namespace qapfw::framework
