// SPDX-License-Identifier: Apache-2.0
// Watches over the processes of one run: a thread in each of them, connected with that of process 0. It reports a
// process that is gone (its connection closes) or stands still (it sends no beat), a signal that one of them got, and a
// failure. Each of these ends the work of all.
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

/// Why all processes end before their work is done.
struct Ending {
    int code = 0;           ///< exit code of all; 0: nothing has happened
    std::string text = {};  ///< the sentence for the user
    bool is_told = false;   ///< the watch or another process informs the user
    bool lost = false;      ///< a process is gone or stands still
    bool silent = false;    ///< it stands still
};

class Watch {
  public:
    using Clock = std::chrono::steady_clock;
    /// A process is taken for stopped after so much silence, if set_silence says nothing else.
    static constexpr std::chrono::milliseconds kSilence{5000};
    static constexpr std::chrono::milliseconds kShortestSilence{2000};  ///< some beats
    /// Time that the main thread may take to notice that all end.
    static constexpr std::chrono::milliseconds kPatience{2500};

    struct Place {
        std::uint32_t rank = 0, count = 1;
        int lost_code = 1;  ///< the exit code if a process is lost
    };
    explicit Watch(const Place& place);
    ~Watch();
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;

    /// Process 0 begins to watch. Gives what the others need to find it; empty: no connections can be made here.
    std::string listen();
    /// Another process begins to watch. False: it does not reach process 0, and nobody notices if this one stops.
    bool connect(const std::string& where);

    bool has_ended() const { return ended_.load(std::memory_order_relaxed); }
    Ending ending() const;
    /// Not less than kShortestSilence. Once a signal asks to stop, kShortestSilence counts.
    void set_silence(std::chrono::milliseconds silence) { silence_ = silence; }
    /// Reports that this process has failed, so all end. The first failure counts.
    void fail(int code, const std::string& text);
    /// Process 0 is about to end without its main thread: the others are informed. Returns when they have been.
    void end_all(int code);
    /// Waits a while for process 0 to tell the user why this process fails. False: it did not say that it does.
    bool wait_until_told() const;
    /// The signal with which one of the processes was asked to stop, or 0.
    int stop_signal() const { return stop_signal_.load(std::memory_order_relaxed); }
    /// Asked often, from the watch's thread.
    void set_signal_source(std::function<int()> received);
    /// Called if the main thread does not notice that all end; the process ends then. Waits where it is being called.
    void set_rescue(std::function<void()> rescue);
    /// The main thread knows that all end. It may take `time` to leave.
    void leave_within(std::chrono::milliseconds time, int code);
    /// From here on it is no failure if this process is gone.
    void say_goodbye();
    void wait_for_goodbye() const;
    /// If a process stands still, its host may be gone: the launcher has time to notice. Open MPI's does so only
    /// while it has nothing to send there, which it has once its own processes end.
    void wait_for_launcher() const;
    /// Until process 0 has said goodbye or is gone and this was reported, or that long.
    void wait_for_leader(std::chrono::milliseconds time) const;

  private:
    struct Peer {
        Connection connection;
        std::string name;  ///< "process 2 (pid 71 on host a)"
        Clock::time_point heard;
        bool has_left = false;
    };
    /// The state of the watch's thread.
    struct Turn {
        Clock::time_point beat{}, began{};
        int signal_told = 0;
    };
    /// The knowledge of all others.
    struct Told {
        std::atomic<bool> ending{false}, goodbye{false};
    };
    /// Process 0, as another one sees it.
    struct Leader {
        std::atomic<bool> has_left{false}, is_lost{false};
    };
    /// The main thread on its way out.
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
    std::unique_ptr<Listener> listener_;   // of process 0
    std::vector<Connection> strangers_;    // have not said who they are
    std::map<std::uint32_t, Peer> peers_;  // by rank; process 0 alone knows more than one
    Turn turn_;
    std::atomic<std::chrono::milliseconds> silence_{kSilence};
    Told told_;
    Leader leader_;

    mutable std::mutex mutex_;  // guards everything below
    Ending ending_;
    Clock::time_point ended_at_{};
    std::function<int()> received_signal_;
    Leaving leaving_;

    std::atomic<bool> ended_{false};
    std::atomic<int> stop_signal_{0};
    Rescue rescue_;
    int wake_ = -1;  // eventfd
    std::atomic<bool> quit_{false};
    std::thread thread_;
};

}  // namespace qapfw::framework
