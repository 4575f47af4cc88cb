// SPDX-License-Identifier: Apache-2.0
// Decides about a run's rounds: how long the next round may be, when a round must be left, and what follows from its
// end. A process alone decides by itself. Several processes report what they know, and the leading process decides.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "framework/engine/cpu_leg.hpp"
#include "framework/engine/run/run_book.hpp"

namespace qapfw::framework {

/// A plan of the next round: what one process proposes, or what all processes have agreed on.
struct RoundPlan {
    std::uint64_t granted = 0;  ///< number of iterations that the solver may make
    double seconds_left = 0;    ///< seconds until the round's deadline
    StopReason reason = StopReason::kNone;
    int signal = 0;
    std::uint8_t in_full = 0, is_slice = 0, takes_snapshot = 0;
    /// `decided`, `has_gpus`: what is_decided() and is_ready() of the CpuLeg return in the process that made this plan.
    /// `moves`: 1 if the run moves to GPUs.
    std::uint8_t decided = 0, has_gpus = 0, moves = 0;
    std::uint64_t wanted = 0;
};

class Rounds {
  public:
    /// `cpu`: the part of the run that may be cut short in order to move to GPUs. All arguments outlive this object.
    Rounds(const StopConditions& conditions, const Interruption& interruption, Processes& processes, CpuLeg& cpu,
           const RunBook& book)
        : conditions_(conditions), interruption_(interruption), processes_(processes), cpu_(cpu), book_(book) {}

    /// Plans the next round. All processes call it together. Throws Error(kPlugin) if the processes do not follow the
    /// same trajectory.
    RoundPlan plan(std::uint64_t wanted, const BookView& view, const Solver& solver) const;
    /// Begins the planned round. If the plan is to move to the GPUs instead, begins no round.
    void begin(const RoundPlan& plan);
    /// True if the last grant was only a part of a round.
    bool is_slice() const { return present_.is_slice != 0; }
    /// Ends the round. Throws Error(kPlugin) if no round has begun, or if the solver reports a slice though a whole
    /// round was granted. The message names `solver`.
    void end(const qapfw_round& round, const std::string& solver);
    /// True if the ended round was cut short because the run moves to GPUs. The round is repeated there.
    bool is_cut(const qapfw_round& round) const;
    /// Stores and returns whether the run can be resumed from the end of `round`: yes after a slice, and after a
    /// complete round that was granted in full or in slices.
    bool note_end(const qapfw_round& round);
    /// True: a snapshot must be taken at the round's end. False: none is taken. No value: this process works alone and
    /// decides by its clock.
    std::optional<bool> snapshot_is_due() const;

    /// [thread-safe] True if the run must end at once: by a time limit, by an error or from outside.
    bool should_end() const;
    /// [thread-safe] True if the round must stop now because the run ends or moves to GPUs.
    bool should_stop() const { return should_end() || cpu_.cuts(); }
    /// True if the solver has returned because the run moves from the CPU to GPUs.
    bool leaves_cpu() const;
    /// True if the run can be resumed from the solver's present state.
    bool is_resumable() const { return resumable_ && !open_; }
    /// Call this when a leg of the run (see leg.hpp) begins. The leg's solver has no round yet.
    void leg_begins();

  private:
    using Clock = std::chrono::steady_clock;
    RoundPlan plan_of_all(const RoundPlan& own, std::uint64_t rounds, const std::string& solver) const;
    void set_deadline(double seconds_left);

    const StopConditions& conditions_;
    const Interruption& interruption_;
    Processes& processes_;
    CpuLeg& cpu_;
    const RunBook& book_;
    RoundPlan present_;
    bool open_ = false;       ///< a round is in progress
    bool resumable_ = false;  ///< the run can be resumed from the end of the last round or slice
    /// Time at which the run must end, in ticks since the clock's epoch; the maximum: there is no time limit.
    std::atomic<Clock::rep> deadline_{Clock::duration::max().count()};
};

}  // namespace qapfw::framework
