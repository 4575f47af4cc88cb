// SPDX-License-Identifier: Apache-2.0
#include "framework/host/signal_watch.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <utility>

#include "framework/host/console.hpp"
#include "qapfw/error.hpp"

namespace qapfw::framework {
namespace {

/// Time from a signal to the end of the process if the search has not begun, for example because a large instance is
/// still being read. This time is shorter than kPatience, since there is no answer to save yet.
constexpr std::chrono::milliseconds kPatienceBeforeSearch{200};

}  // namespace

sigset_t SignalWatch::signals() {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    for (const int signal : {SIGHUP, SIGUSR1, SIGUSR2, SIGXCPU}) {
        struct sigaction action {};
        sigaction(signal, nullptr, &action);
        if (action.sa_handler != SIG_IGN) sigaddset(&set, signal);
    }
    return set;
}

void SignalWatch::block_signals() {
    const sigset_t set = signals();
    pthread_sigmask(SIG_BLOCK, &set, nullptr);
}

SignalWatch::SignalWatch() {
    block_signals();
    const sigset_t set = signals();
    signals_ = signalfd(-1, &set, SFD_CLOEXEC);
    wake_ = eventfd(0, EFD_CLOEXEC);
    if (signals_ < 0 || wake_ < 0)
        throw Error(ErrorKind::kInternal,
                    "signals cannot be received: no file descriptor is left; raise the limit "
                    "of open files (ulimit -n)");
    thread_ = std::thread([this] { watch(); });
}

SignalWatch::~SignalWatch() {
    const std::uint64_t one = 1;
    if (write(wake_, &one, sizeof one) == sizeof one) thread_.join();
    close(signals_);
    close(wake_);
    // The signals stay blocked, because the program is about to end anyway.
}

void SignalWatch::set_abandon(Abandon abandon) {
    const std::lock_guard lock(mutex_);
    abandon_ = std::move(abandon);
}

void SignalWatch::watch() {
    pollfd events[2] = {{signals_, POLLIN, 0}, {wake_, POLLIN, 0}};
    while (true) {
        int limit = -1;  // wait without limit
        if (ask_at_) {
            const auto left = std::chrono::ceil<std::chrono::milliseconds>(*ask_at_ - Clock::now()).count();
            limit = static_cast<int>(std::max<std::chrono::milliseconds::rep>(left, 0));
        }
        const int ready = poll(events, 2, limit);
        if (ready < 0 && errno == EINTR) continue;
        if (ready < 0 || (events[1].revents & POLLIN) != 0) return;
        if (ready > 0) {
            signalfd_siginfo info{};
            if (read(signals_, &info, sizeof info) != sizeof info) return;
            take(static_cast<int>(info.ssi_signo));
        }
        if (ask_at_ && Clock::now() >= *ask_at_) leave_unless_ending();
    }
}

void SignalWatch::take(int signal) {
    const Clock::time_point now = Clock::now();
    if (received() != 0) {
        if (cuts_shutdown_short(signal, now - asked_)) _exit(128 + signal);
        return;
    }
    asked_ = now;
    const std::lock_guard lock(mutex_);
    ask_at_ = now + (abandon_ ? kPatience : kPatienceBeforeSearch);
    received_.store(signal, std::memory_order_relaxed);
}

void SignalWatch::leave_unless_ending() {
    const int signal = received();
    const std::lock_guard lock(mutex_);
    if (abandon_ && Clock::now() < asked_ + kPatience) {  // the search has begun meanwhile
        ask_at_ = asked_ + kPatience;
        return;
    }
    if (!abandon_) console_line("interrupted before a search began");
    if (!abandon_ || abandon_(signal)) _exit(128 + signal);
    ask_at_ = Clock::now() + kPatience;
}

bool cuts_shutdown_short(int signal, std::chrono::steady_clock::duration since_first) {
    switch (signal) {
        case SIGINT:  // from somebody at a terminal who does not want to wait
            return since_first >= SignalWatch::kPatience;
        case SIGTERM:
        case SIGHUP:
            return since_first >= SignalWatch::kPromise;
        default:  // SIGUSR1, SIGUSR2 or SIGXCPU: a batch system warns that the time is nearly over
            return false;
    }
}

}  // namespace qapfw::framework
