// SPDX-License-Identifier: Apache-2.0
// Takes SIGINT, SIGTERM and SIGHUP as requests to stop. A thread of its own waits for them. The first signal asks the
// run to stop; if that takes too long, the watch writes the record itself and ends the process. A second signal ends it
// at once.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>
#include <thread>

namespace qapfw::framework {

class SignalWatch {
  public:
    /// How long a solver may take to return before the process ends without it. The rest of a second is for writing.
    static constexpr std::chrono::milliseconds kPatience{500};

    /// Blocks the signals for this thread and those that it starts later, so construct it before any other thread.
    /// There may be only one.
    SignalWatch();
    /// Blocks them already, where threads must start before it can be constructed.
    static void block_signals();
    ~SignalWatch();
    SignalWatch(const SignalWatch&) = delete;
    SignalWatch& operator=(const SignalWatch&) = delete;

    /// The signal that asked to stop, or 0. Safe from any thread, cheap.
    int received() const { return received_.load(std::memory_order_relaxed); }

    /// What the watch's thread does when patience ends. True: everything is saved, and the process ends with 128 +
    /// signal. False: the run is ending by itself after all. Null: the process just ends.
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
