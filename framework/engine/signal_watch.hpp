// SPDX-License-Identifier: Apache-2.0
// SIGINT, SIGTERM and SIGHUP as requests to stop. A thread of its own waits for them: the first asks the run to stop,
// and where that takes too long the watch writes the record itself and leaves; a second one leaves at once.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>
#include <thread>

namespace qapfw::framework {

class SignalWatch {
  public:
    /// How long a solver may take to return before the run is left without it; the rest of the second is for writing.
    static constexpr std::chrono::milliseconds kPatience{500};

    /// Blocks the signals for this thread and those it starts later: construct it before any other thread. At most one.
    SignalWatch();
    ~SignalWatch();
    SignalWatch(const SignalWatch&) = delete;
    SignalWatch& operator=(const SignalWatch&) = delete;

    /// The signal that asked to stop, or 0. Safe from any thread, cheap.
    int received() const { return received_.load(std::memory_order_relaxed); }

    /// What to do, in the watch's thread, when patience ends. True: all is saved, the process leaves with 128 + signal;
    /// false: the run is ending by itself after all. Null: just leave.
    using Abandon = std::function<bool(int signal)>;
    void set_abandon(Abandon abandon);

  private:
    void watch();
    void leave_unless_ending(int signal);

    std::atomic<int> received_{0};
    std::mutex mutex_;  // guards abandon_
    Abandon abandon_;
    int signals_ = -1, wake_ = -1;  // signalfd, eventfd
    std::thread thread_;
};

}  // namespace qapfw::framework
