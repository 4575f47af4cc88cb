// SPDX-License-Identifier: Apache-2.0
// A result and a checkpoint in which most fields are set, for tests of the record.
#pragma once

#include "framework/record/checkpoint.hpp"

namespace qapfw::framework::testing {

inline qapfw_cost cost_of(std::int64_t value) {
    qapfw_cost cost{};
    cost.i = value;
    return cost;
}

inline RunIdentity sample_identity() {
    return {{{"problem", "qap", "1.0.0", "qapfw.qap 1.0.0", "aa", "/p/qap.so"},
             {"solver", "tabu", "1.0.0", "qapfw.tabu 1.0.0", "bb", "/p/tabu.so"}},
            "tai\"5\"a\\",
            0x123456789abcdef0u,
            "cpu",
            1};
}

inline RunResult sample_result() {
    RunResult result;
    result.stop_reason = "target";
    result.finished = true;
    result.problem = "qap";
    result.algorithm = "tabu";
    result.n = 5;
    result.encoding = "permutation";
    result.identity = sample_identity();
    result.seed = 18446744073709551615u;
    result.backend = "cpu";
    result.backend_reason = "no GPU";
    result.threads = 2;
    result.data_paths = {"/data"};
    result.best = CostedSolution{cost_of(9007199254740993), {{4, 3, 2, 1, 0}}};
    result.solutions = {*result.best, {cost_of(9007199254740999), {{0, 1, 2, 3, 4}}}};
    result.best_known = cost_of(9007199254740000);
    result.target = cost_of(9007199254740993);
    result.target_reached = true;
    result.found = {12, 3, 4567, 0.25};
    result.counters = {7, 700, 12345678901234567, 0xfedcba9876543210u};
    result.seconds = 1.5;
    result.wall_seconds = 1.75;
    result.startup_seconds = 0.02;
    result.statistics = {{"restarts", 3}};
    result.folder = "runs/x";
    return result;
}

inline Checkpoint sample_checkpoint() {
    const RunResult result = sample_result();
    Checkpoint checkpoint;
    checkpoint.identity = result.identity;
    checkpoint.trajectory = "[problem]\nplugin = \"qap\"\n";
    checkpoint.seed = result.seed;
    checkpoint.counters = result.counters;
    checkpoint.last_improvement = 690;
    checkpoint.seconds = 1.5;
    checkpoint.wall_seconds = 1.75;
    checkpoint.seconds_at_improvement = 1.25;
    checkpoint.found = result.found;
    checkpoint.solutions = result.solutions;
    checkpoint.statistics = result.statistics;
    checkpoint.trace_bytes = 321;
    for (int k = 0; k < 300; ++k) checkpoint.state.push_back(static_cast<std::byte>(k));
    return checkpoint;
}

}  // namespace qapfw::framework::testing
