// SPDX-License-Identifier: Apache-2.0
// Decides about a run's rounds: how long the next one may be, when it is to be left, and what follows from its end. A
// process alone decides by itself; of several each says what it knows, and the one that leads decides for all.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "framework/engine/cpu_leg.hpp"
#include "framework/engine/run/run_book.hpp"

namespace qapfw::framework {

/// The opinion of one process on the round that would begin now.
struct RoundPlan {
    std::uint64_t granted = 0;
    double seconds_left = 0;  ///< until its deadline, at the latest
    StopReason reason = StopReason::kNone;
    int signal = 0;
    std::uint8_t in_full = 0, is_slice = 0, takes_snapshot = 0;
    std::uint8_t settled = 0, has_gpus = 0, moves = 0;  ///< see CpuLeg; moves: in all processes at once
    std::uint64_t wanted = 0;
};

class Rounds {
  public:
    /// `cpu`: the part of the run that may be cut short to go on on GPUs. All outlive this.
    Rounds(const StopConditions& conditions, const Interruption& interruption, Processes& processes, CpuLeg& cpu,
           const RunBook& book)
        : conditions_(conditions), interruption_(interruption), processes_(processes), cpu_(cpu), book_(book) {}

    /// Together. Throws Error(kPlugin) where processes do not follow the same trajectory.
    RoundPlan plan(std::uint64_t wanted, const BookView& view, const Solver& solver) const;
    /// The planned round begins, or the leg ends in order to move.
    void begin(const RoundPlan& plan);
    /// The last grant was a part of a round.
    bool is_slice() const { return present_.is_slice != 0; }
    /// The round ends. Throws Error(kPlugin) where none has begun, or a slice of it was not granted; `solver` is named.
    void end(const qapfw_round& round, const std::string& solver);
    /// The round that has ended was cut short to be repeated elsewhere.
    bool is_cut(const qapfw_round& round) const;
    /// The round that has ended was granted in full and is complete, so that the run can go on from there.
    bool note_end(const qapfw_round& round);
    /// True if a snapshot is to be taken at its end; nothing: each process takes them when it is time.
    std::optional<bool> snapshot_is_due() const;

    /// [thread-safe] Whether the run is to end at once, by the limits of time or from outside.
    bool should_end() const;
    /// [thread-safe] Whether to leave the round, to end or to go on elsewhere.
    bool should_stop() const { return should_end() || cpu_.cuts(); }
    /// True if the solver has returned since the run goes on elsewhere.
    bool leaves_cpu() const;
    /// True if the solver's state is that of the last complete round.
    bool is_resumable() const { return resumable_ && !open_; }
    /// A leg begins: its solver has no round yet.
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
    bool open_ = false;       ///< a round has begun
    bool resumable_ = false;  ///< the last one that ended is complete and was granted in full
    std::atomic<Clock::rep> deadline_{Clock::duration::max().count()};  ///< since the clock's epoch
};

}  // namespace qapfw::framework
