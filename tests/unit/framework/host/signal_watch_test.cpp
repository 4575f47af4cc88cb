// SPDX-License-Identifier: Apache-2.0
#include "framework/host/signal_watch.hpp"

#include <doctest/doctest.h>

using namespace qapfw::framework;

TEST_CASE("a repeated signal does not cut the promised second short, but SIGINT does after half of it") {
    for (const int ms : {0, 1, 10, 100, 499}) {
        for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGXCPU}) {
            CHECK_FALSE(cuts_shutdown_short(signal, std::chrono::milliseconds(ms)));
        }
    }
    CHECK(cuts_shutdown_short(SIGINT, std::chrono::milliseconds(500)));
    for (const int signal : {SIGTERM, SIGHUP}) {
        CHECK_FALSE(cuts_shutdown_short(signal, std::chrono::milliseconds(999)));
        CHECK(cuts_shutdown_short(signal, std::chrono::milliseconds(1000)));
    }
    for (const int signal : {SIGUSR1, SIGUSR2, SIGXCPU})
        CHECK_FALSE(cuts_shutdown_short(signal, std::chrono::milliseconds(60000)));
}
