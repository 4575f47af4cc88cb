// SPDX-License-Identifier: Apache-2.0
// Receives the signals that ask a program to stop, in a thread of its own. The first signal asks the run to stop. If
// the run takes too long to stop, the watch saves the record itself and ends the process. Further signals are ignored
// for some time, which cuts_shutdown_short() decides. So they cannot destroy the answer while it is written.
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
    /// Time that the solver has after the first signal to end by itself. If the solver still works after this time, the
    /// watch writes the answer and the record in the rest of kPromise and ends the process.
    static constexpr std::chrono::milliseconds kPatience{500};
    /// Longest time, as promised to the user, from the first signal until the answer and the record are written.
    static constexpr std::chrono::milliseconds kPromise{1000};

    /// Blocks the signals that ask to stop, for this thread and for threads that it starts later. So construct a
    /// SignalWatch before any other thread starts. A process has at most one SignalWatch at a time.
    SignalWatch();
    /// The signals that ask to stop. SIGINT and SIGTERM count even if a shell ignores them for background jobs. Any
    /// other signal that is ignored remains ignored, as nohup wants for SIGHUP.
    static sigset_t signals();
    /// Blocks the signals early, if threads must start before a SignalWatch can be constructed.
    static void block_signals();
    ~SignalWatch();
    SignalWatch(const SignalWatch&) = delete;
    SignalWatch& operator=(const SignalWatch&) = delete;

    /// The signal that asked to stop, or 0. Safe from any thread, cheap.
    int received() const { return received_.load(std::memory_order_relaxed); }

    /// The watch's thread calls this function if the process still runs when kPatience has passed since the first
    /// signal. The function returns true if everything is saved. The process then ends with the exit code 128 + signal.
    /// It returns false if the process is about to end by itself. The watch then waits again. Null: the process ends
    /// without saving.
    using Abandon = std::function<bool(int signal)>;
    void set_abandon(Abandon abandon);

  private:
    void watch();
    void take(int signal);
    void leave_unless_ending();

    std::atomic<int> received_{0};
    Clock::time_point asked_;                  // time of the first signal
    std::optional<Clock::time_point> ask_at_;  // time of the next leave_unless_ending(); none: no signal came
    std::mutex mutex_;                         // guards abandon_
    Abandon abandon_;
    int signals_ = -1, wake_ = -1;  // file descriptors: a signalfd and an eventfd
    std::thread thread_;
};

/// True if `signal`, received `since_first` after the first signal, ends the process at once. A signal that comes too
/// early does not: a launcher may send each signal twice (GNU timeout: to its child and to its group), and a batch
/// system may send a signal every second.
bool cuts_shutdown_short(int signal, std::chrono::steady_clock::duration since_first);

}  // namespace qapfw::framework
