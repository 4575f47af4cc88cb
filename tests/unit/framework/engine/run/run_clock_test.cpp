// SPDX-License-Identifier: Apache-2.0
#include "framework/engine/run/run_clock.hpp"

#include <doctest/doctest.h>

#include <thread>

using namespace qapfw::framework;

TEST_CASE("a run's clock adds sessions up and stops once") {
    RunClock clock(RunClock::Clock::now() - std::chrono::seconds(3));
    clock.restore(10, 20);
    CHECK(clock.seconds() == 10);
    CHECK(clock.startup_seconds() == 0);
    CHECK(clock.wall_seconds() >= 23);
    CHECK_FALSE(clock.has_started());
    clock.start();
    CHECK(clock.has_started());
    CHECK(clock.startup_seconds() >= 3);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    clock.stop();
    const double seconds = clock.seconds();
    CHECK(seconds >= 10.005);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    clock.stop();
    CHECK(clock.seconds() == seconds);
    CHECK(clock.wall_seconds_at(12) == doctest::Approx(20 + clock.startup_seconds() + 2));
}
