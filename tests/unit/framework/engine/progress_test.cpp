// SPDX-License-Identifier: Apache-2.0
#include "framework/engine/progress.hpp"

#include <doctest/doctest.h>

using namespace qapfw::framework;

TEST_CASE("a line tells cost, gap and the time left, and with more words the rates") {
    StopConditions conditions;
    conditions.time_limit = 30;
    qapfw_cost known{}, best{};
    known.i = 1000;
    best.i = 1010;
    RunState state;
    state.seconds = 10;
    state.iterations = 5000000;
    state.evaluations = 20000000;
    state.best = best;
    const Progress plain(ProgressStyle::kNone, conditions, known, "");
    CHECK(plain.line(state) == "10.0 s  cost 1010, 1.000 % worse than the best known  20.0 s left");
    Progress verbose(ProgressStyle::kNone, conditions, known, "seed 4", true);
    CHECK(verbose.line(state) ==
          "seed 4  10.0 s  cost 1010, 1.000 % worse than the best known  500 k it/s  2 M ev/s  20.0 s left");
    verbose.say("arms: ux 5/8");
    CHECK(verbose.line(state) ==
          "seed 4  10.0 s  cost 1010, 1.000 % worse than the best known  500 k it/s  2 M ev/s  arms: ux 5/8  "
          "20.0 s left");
}

TEST_CASE("the time left is that of the first limit to act") {
    StopConditions conditions;
    conditions.time_limit = 100;
    conditions.iterations = 1000;
    const Progress progress(ProgressStyle::kNone, conditions, std::nullopt, "");
    RunState state;
    state.seconds = 10;
    CHECK(progress.remaining(state) == 90.0);
    state.iterations = 500;
    CHECK(progress.remaining(state) == 10.0);
}
