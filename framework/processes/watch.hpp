// SPDX-License-Identifier: Apache-2.0
// Watches the processes of one run: each process has a thread that is connected to process 0's thread. The thread
// reports four events: a process is gone (its connection closes), a process stands still (it sends no beat, which is
// due every half second), a process has failed, or a signal asks one process to stop. After any of these events, all
// processes end.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "framework/processes/connection.hpp"

namespace qapfw::framework {

/// Says why all processes end before their work is done, and with which exit code.
struct Ending {
    int code = 0;           ///< exit code of all processes; 0: they need not end
    std::string text = {};  ///< the message for the user
    bool is_told = false;   ///< true if the watch or another process informs the user
    bool lost = false;      ///< a process is gone or stands still
    bool silent = false;    ///< the lost process stopped sending, but its connection is open
};

class Watch {
  public:
    using Clock = std::chrono::steady_clock;
    /// A process that sends nothing for this time counts as stopped. set_silence sets another time.
    static constexpr std::chrono::milliseconds kSilence{5000};
    static constexpr std::chrono::milliseconds kShortestSilence{2000};  ///< four beats
    /// Time in which the main thread must notice that all processes end. After it, the watch ends the process.
    static constexpr std::chrono::milliseconds kPatience{2500};

    struct Place {
        std::uint32_t rank = 0, count = 1;
        int lost_code = 1;  ///< the exit code if a process is lost
    };
    explicit Watch(const Place& place);
    ~Watch();
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;

    /// Begins to watch, in process 0. Returns what other processes need to connect: token, port and addresses. Empty:
    /// no connections are possible, and nothing is watched.
    std::string listen();
    /// Begins to watch, in a process other than process 0. False: process 0 cannot be reached. Then only the launcher
    /// would notice that this process stops.
    bool connect(const std::string& where);

    bool has_ended() const { return ended_.load(std::memory_order_relaxed); }
    Ending ending() const;
    /// Sets the allowed silence, which must be at least kShortestSilence. After a signal, kShortestSilence is used.
    void set_silence(std::chrono::milliseconds silence) { silence_ = silence; }
    /// Reports that this process has failed, so that all processes end. The first failure is kept.
    void fail(int code, const std::string& text);
    /// Ends the run in all processes with exit code `code`. Process 0 calls this function if it must end although its
    /// main thread still works. Waits until the message to the others is sent, at most 0.2 s.
    void end_all(int code);
    /// Waits up to 2 s until process 0 confirms that it informs the user why this process fails. False: it did not
    /// confirm.
    bool wait_until_told() const;
    /// The signal with which one of the processes was asked to stop, or 0.
    int stop_signal() const { return stop_signal_.load(std::memory_order_relaxed); }
    /// Sets a function that returns the signal with which this process was asked to stop, or 0. The watch's thread
    /// calls the function often.
    void set_signal_source(std::function<int()> received);
    /// Sets the function that the watch calls if all processes are to end and the main thread does not notice that. As
    /// soon as the function returns, the watch ends this process. Once the watch has begun to end this process,
    /// set_rescue never returns.
    void set_rescue(std::function<void()> rescue);
    /// Call it when the main thread begins to leave. If leaving takes longer than `time`, the process ends with `code`.
    void leave_within(std::chrono::milliseconds time, int code);
    /// Tells the other processes that this process has finished. After this message, its end is not a failure to them.
    void say_goodbye();
    /// Waits until the goodbye is sent, at most 0.2 s.
    void wait_for_goodbye() const;
    /// If the run ends because a process has fallen silent, waits until 2 s have passed since the silence was noticed.
    /// In this time the launcher may notice that the silent process's host is dead. Open MPI's launcher can notice that
    /// only while it has no message for that host. As soon as a local process exits, the launcher has such a message.
    void wait_for_launcher() const;
    /// Waits at most `time` until process 0 has said goodbye or is gone. If process 0 is gone, processes from rank 2 on
    /// wait another second, so that process 1 has time to report the loss.
    void wait_for_leader(std::chrono::milliseconds time) const;

  private:
    struct Peer {
        Connection connection;
        std::string name;  ///< "process 2 (pid 71 on host a)"
        Clock::time_point heard;
        bool has_left = false;
    };
    /// The state of the watch's thread: the time of its last beat, the start of the current turn, and the signal that
    /// the thread passed on (0: none).
    struct Turn {
        Clock::time_point beat{}, began{};
        int signal_told = 0;
    };
    /// A flag for each of two messages. True: this process has sent the message to the other processes.
    struct Told {
        std::atomic<bool> ending{false}, goodbye{false};
    };
    /// Process 0 as seen by another process.
    struct Leader {
        std::atomic<bool> has_left{false}, is_lost{false};
    };
    /// The main thread's announcement that this process will end. If the process still runs at time `by`, the
    /// watch ends it with exit code `code`.
    struct Leaving {
        bool has_begun = false;
        Clock::time_point by = Clock::time_point::max();
        int code = 0;
        bool goodbye = false;
    };
    struct Rescue {
        std::mutex mutex;
        std::function<void()> call;
    };

    void start();
    void run();
    std::vector<std::uint32_t> wait_for_news();
    void accept_processes();
    void take(std::uint32_t rank, Peer& peer, const Message& message);
    void read(std::uint32_t rank);
    void look_for_silence(Clock::time_point now);
    void look_at_signals();
    void tell(const Message& message);
    void send_what_is_due(Clock::time_point now);
    void end(Ending ending);
    void end_without(const std::string& text, bool silent);
    void leave_if_stuck(Clock::time_point now);

    const Place place_;
    std::string token_;
    std::unique_ptr<Listener> listener_;   // exists only in process 0
    std::vector<Connection> strangers_;    // connections whose process is still unknown
    std::map<std::uint32_t, Peer> peers_;  // by rank; only process 0 has more than one peer
    Turn turn_;
    std::atomic<std::chrono::milliseconds> silence_{kSilence};
    Told told_;
    Leader leader_;

    mutable std::mutex mutex_;  // guards the next four members
    Ending ending_;
    Clock::time_point ended_at_{};
    std::function<int()> received_signal_;
    Leaving leaving_;

    std::atomic<bool> ended_{false};
    std::atomic<int> stop_signal_{0};
    Rescue rescue_;
    int wake_ = -1;  // an eventfd that wakes the watch's thread
    std::atomic<bool> quit_{false};
    std::thread thread_;
};

}  // namespace qapfw::framework
