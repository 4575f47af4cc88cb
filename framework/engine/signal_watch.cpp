// SPDX-License-Identifier: Apache-2.0
#include "framework/engine/signal_watch.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <utility>

#include "framework/host/console.hpp"
#include "qapfw/error.hpp"

namespace qapfw::framework {
namespace {

/// The signals to watch. SIGINT counts even if a shell ignores it for background jobs; SIGHUP that nohup ignores stays
/// ignored.
sigset_t watched_signals() {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    struct sigaction hangup {};
    sigaction(SIGHUP, nullptr, &hangup);
    if (hangup.sa_handler != SIG_IGN) sigaddset(&set, SIGHUP);
    return set;
}

}  // namespace

void SignalWatch::block_signals() {
    const sigset_t set = watched_signals();
    pthread_sigmask(SIG_BLOCK, &set, nullptr);
}

SignalWatch::SignalWatch() {
    block_signals();
    const sigset_t set = watched_signals();
    signals_ = signalfd(-1, &set, SFD_CLOEXEC);
    wake_ = eventfd(0, EFD_CLOEXEC);
    if (signals_ < 0 || wake_ < 0) throw Error(ErrorKind::kInternal, "no file descriptors left for signals");
    thread_ = std::thread([this] { watch(); });
}

SignalWatch::~SignalWatch() {
    const std::uint64_t one = 1;
    if (write(wake_, &one, sizeof one) == sizeof one) thread_.join();
    close(signals_);
    close(wake_);
    // The signals stay blocked, since the program now ends in an orderly way.
}

void SignalWatch::set_abandon(Abandon abandon) {
    const std::lock_guard lock(mutex_);
    abandon_ = std::move(abandon);
}

void SignalWatch::watch() {
    pollfd events[2] = {{signals_, POLLIN, 0}, {wake_, POLLIN, 0}};
    bool patient = false;  // a signal has come; from now on the watch asks when patience ends, and whether the run is
                           // ending by itself
    while (true) {
        const int ready = poll(events, 2, patient ? static_cast<int>(kPatience.count()) : -1);
        if (ready < 0 && errno == EINTR) continue;
        if (ready < 0 || (events[1].revents & POLLIN) != 0) return;
        if (ready == 0) {
            leave_unless_ending(received());
            continue;
        }
        signalfd_siginfo info{};
        if (read(signals_, &info, sizeof info) != sizeof info) return;
        if (received() != 0) _exit(128 + static_cast<int>(info.ssi_signo));
        received_.store(static_cast<int>(info.ssi_signo), std::memory_order_relaxed);
        patient = true;
    }
}

void SignalWatch::leave_unless_ending(int signal) {
    const std::lock_guard lock(mutex_);
    if (!abandon_) console_line("interrupted before a search began");
    if (!abandon_ || abandon_(signal)) _exit(128 + signal);
}

}  // namespace qapfw::framework
