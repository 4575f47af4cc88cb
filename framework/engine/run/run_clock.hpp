// SPDX-License-Identifier: Apache-2.0
// The times of a run: seconds of search and of the process, over all sessions.
#pragma once

#include <chrono>
#include <optional>

namespace qapfw::framework {

class RunClock {
  public:
    using Clock = std::chrono::steady_clock;
    explicit RunClock(Clock::time_point program_start) : program_start_(program_start) {}

    /// Adds the times of earlier sessions.
    void restore(double seconds, double wall_seconds) {
        seconds_before_ = seconds;
        wall_before_ = wall_seconds;
    }
    bool has_started() const { return start_.has_value(); }
    /// Begins the count of this session's seconds of search.
    void start() { start_ = Clock::now(); }
    /// Ends the count of this session's seconds of search. The time for writing results afterwards is not part of them.
    /// Only the first call has an effect.
    void stop() {
        if (!end_) end_ = Clock::now();
    }

    /// Seconds of search, in all sessions.
    double seconds() const {
        return start_ ? seconds_before_ + between(*start_, end_.value_or(Clock::now())) : seconds_before_;
    }
    /// Seconds since the program started, plus those of earlier sessions.
    double wall_seconds() const { return wall_before_ + between(program_start_, Clock::now()); }
    /// Returns the value that wall_seconds() had at the moment when seconds() had the value `seconds`. That moment must
    /// lie in the search of this session.
    double wall_seconds_at(double seconds) const {
        return wall_before_ + startup_seconds() + seconds - seconds_before_;
    }
    /// Seconds from the program's start to the beginning of the search, in this session.
    double startup_seconds() const { return start_ ? between(program_start_, *start_) : 0; }

  private:
    static double between(Clock::time_point from, Clock::time_point to) {
        return std::chrono::duration<double>(to - from).count();
    }
    Clock::time_point program_start_;
    std::optional<Clock::time_point> start_, end_;
    double seconds_before_ = 0, wall_before_ = 0;
};

}  // namespace qapfw::framework
