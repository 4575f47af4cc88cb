// SPDX-License-Identifier: Apache-2.0
// Takes the signals that ask a program to stop. A thread of its own waits for them. The first one asks the run to stop;
// if that takes too long, the watch saves the record itself and ends the process. Later ones are judged by
// cuts_shutdown_short: none of them takes the answer away while it is being written.
#pragma once

#include <atomic>
#include <chrono>
#include <csignal>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

namespace qapfw::framework {

class SignalWatch {
  public:
    using Clock = std::chrono::steady_clock;
    /// Time that a solver has to return before the process ends without it. The rest of a second is for writing.
    static constexpr std::chrono::milliseconds kPatience{500};
    /// From the first signal on, answer and record are promised within this time.
    static constexpr std::chrono::milliseconds kPromise{1000};

    /// Blocks the signals for this thread and those that it starts later, so construct it before any other thread.
    /// There may be only one.
    SignalWatch();
    /// The signals that ask to stop. SIGINT and SIGTERM count even if a shell ignores them for background jobs; one of
    /// the others that is ignored, as nohup ignores SIGHUP, stays so.
    static sigset_t signals();
    /// Blocks them already, where threads must start before it can be constructed.
    static void block_signals();
    ~SignalWatch();
    SignalWatch(const SignalWatch&) = delete;
    SignalWatch& operator=(const SignalWatch&) = delete;

    /// The signal that asked to stop, or 0. Safe from any thread, cheap.
    int received() const { return received_.load(std::memory_order_relaxed); }

    /// The watch's action when patience ends, on its thread. True: everything is saved, and the process ends with 128 +
    /// signal. False: the run is ending by itself after all. Null: the process just ends.
    using Abandon = std::function<bool(int signal)>;
    void set_abandon(Abandon abandon);

  private:
    void watch();
    void take(int signal);
    void leave_unless_ending();

    std::atomic<int> received_{0};
    Clock::time_point asked_;                  // when the first signal came
    std::optional<Clock::time_point> ask_at_;  // when patience ends, or the next look is due
    std::mutex mutex_;                         // guards abandon_
    Abandon abandon_;
    int signals_ = -1, wake_ = -1;  // signalfd, eventfd
    std::thread thread_;
};

/// True if a signal ends the process at once that comes so long after the first one. A launcher may send each signal
/// twice (GNU timeout: to its child and to its group), a batch system one a second.
bool cuts_shutdown_short(int signal, std::chrono::steady_clock::duration since_first);

}  // namespace qapfw::framework
