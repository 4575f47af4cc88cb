// SPDX-License-Identifier: Apache-2.0
#include "framework/engine/stop_conditions.hpp"

#include <doctest/doctest.h>

using namespace qapfw::framework;

namespace {

qapfw_cost cost(std::int64_t value) {
    qapfw_cost c{};
    c.i = value;
    return c;
}

RunState state_of(std::uint64_t iterations, double seconds, std::int64_t best) {
    RunState state;
    state.iterations = iterations;
    state.evaluations = 10 * iterations;
    state.seconds = seconds;
    state.best = cost(best);
    return state;
}

}  // namespace

TEST_CASE("without a condition nothing ends a run") {
    const StopConditions none;
    CHECK_FALSE(none.any());
    CHECK(none.check(state_of(1000000000, 1e9, -5)) == StopReason::kNone);
    CHECK_FALSE(none.deadline(state_of(1, 1, 1)));
    CHECK(none.grant(77, state_of(1, 1, 1)) == 77);
}

TEST_CASE("each condition ends the run at its limit and not before") {
    StopConditions conditions;
    conditions.iterations = 100;
    CHECK(conditions.check(state_of(99, 0, 5)) == StopReason::kNone);
    CHECK(conditions.check(state_of(100, 0, 5)) == StopReason::kIterations);
    conditions = {};
    conditions.evaluations = 1000;
    CHECK(conditions.check(state_of(99, 0, 5)) == StopReason::kNone);
    CHECK(conditions.check(state_of(100, 0, 5)) == StopReason::kEvaluations);
    conditions = {};
    conditions.target = cost(10);
    CHECK(conditions.check(state_of(1, 0, 11)) == StopReason::kNone);
    CHECK(conditions.check(state_of(1, 0, 10)) == StopReason::kTarget);
    CHECK(conditions.check(RunState{}) == StopReason::kNone);
    conditions = {};
    conditions.lower_bound = cost(3);
    CHECK(conditions.check(state_of(1, 0, 3)) == StopReason::kOptimal);
}

TEST_CASE("slices take half of the evaluations that are left, and one iteration at least") {
    StopConditions conditions;
    conditions.evaluations = 1000;  // state_of counts 10 evaluations for each iteration
    CHECK(conditions.slice(RunState{}) == 1);
    CHECK(conditions.slice(state_of(1, 0, 5)) == 49);
    CHECK(conditions.slice(state_of(90, 0, 5)) == 5);
    CHECK(conditions.slice(state_of(99, 0, 5)) == 1);
    CHECK(conditions.slice(state_of(200, 0, 5)) == 1);
}

TEST_CASE("time limits beyond a day are kept like short ones") {
    StopConditions conditions;
    conditions.time_limit = 36.0 * 3600;
    CHECK(conditions.check(state_of(1, 36 * 3600 - 0.01, 5)) == StopReason::kNone);
    CHECK(conditions.check(state_of(1, 36 * 3600, 5)) == StopReason::kTimeLimit);
    CHECK(conditions.deadline(state_of(1, 1, 5)) == 36.0 * 3600);
}

TEST_CASE("stagnation counts from the last improvement, in iterations or seconds") {
    StopConditions conditions;
    conditions.stagnation_iterations = 50;
    RunState state = state_of(149, 0, 5);
    state.last_improvement = 100;
    CHECK(conditions.check(state) == StopReason::kNone);
    state.iterations = 150;
    CHECK(conditions.check(state) == StopReason::kStagnation);
    conditions = {};
    conditions.stagnation = 2;
    conditions.time_limit = 100;
    state = state_of(1, 6.9, 5);
    state.seconds_at_improvement = 5;
    CHECK(conditions.check(state) == StopReason::kNone);
    CHECK(conditions.deadline(state) == 7.0);
    state.seconds = 7;
    CHECK(conditions.check(state) == StopReason::kStagnation);
}

TEST_CASE("conditions of the trajectory come before those of the clock") {
    StopConditions conditions;
    conditions.time_limit = 1;
    conditions.iterations = 10;
    conditions.target = cost(5);
    CHECK(conditions.check(state_of(10, 2, 6)) == StopReason::kIterations);
    CHECK(conditions.check(state_of(10, 2, 5)) == StopReason::kTarget);
    CHECK(conditions.check(state_of(9, 2, 6)) == StopReason::kTimeLimit);
}

TEST_CASE("grants never exceed the iterations that are left") {
    StopConditions conditions;
    conditions.iterations = 100;
    CHECK(conditions.grant(30, state_of(0, 0, 1)) == 30);
    CHECK(conditions.grant(30, state_of(90, 0, 1)) == 10);
    CHECK(conditions.grant(30, state_of(120, 0, 1)) == 0);
}

TEST_CASE("a known optimum ends only a run that must stop at the optimum") {
    RunSettings settings;
    qapfw_problem_info info{};
    info.cost_kind = QAPFW_COST_INT64;
    info.sense = 1;
    info.display_divisor = 1;
    info.has_best_known = 1;
    info.best_known = cost(7);
    settings.stop_at_optimum = true;
    CHECK(StopConditions::of(settings, info).check(state_of(1, 0, 7)) == StopReason::kNone);
    info.best_known_is_optimal = 1;
    CHECK(StopConditions::of(settings, info).check(state_of(1, 0, 8)) == StopReason::kNone);
    CHECK(StopConditions::of(settings, info).check(state_of(1, 0, 7)) == StopReason::kOptimal);
    settings.stop_at_optimum.reset();
    CHECK(StopConditions::of(settings, info).check(state_of(1, 0, 7)) == StopReason::kNone);
}

TEST_CASE("a bound that was proven during the run ends it") {
    const StopConditions conditions;
    RunState state = state_of(1, 0, 7);
    state.lower_bound = cost(6);
    CHECK(conditions.check(state) == StopReason::kNone);
    state.lower_bound = cost(7);
    CHECK(conditions.check(state) == StopReason::kOptimal);
}
