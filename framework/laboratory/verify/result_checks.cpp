// SPDX-License-Identifier: Apache-2.0
#include "framework/laboratory/verify/result_checks.hpp"

#include <fmt/core.h>

namespace qapfw::framework::laboratory {
namespace {

using Defects = std::vector<std::string>;

/// True if the run can have ended for the reason in its result.
bool may_have_ended(const RunResult& result, const RunTruth& truth) {
    const StopConditions& limits = truth.conditions;
    const auto reached = [&](const std::optional<qapfw_cost>& bound) {
        return bound && result.best && limits.costs.at_most(result.best->cost, *bound);
    };
    const std::string& reason = result.stop_reason;
    if (reason == name_of(StopReason::kTarget)) return reached(limits.target);
    if (reason == name_of(StopReason::kOptimal)) return is_optimal(result);
    if (reason == name_of(StopReason::kIterations)) {
        return limits.iterations && result.counters.iterations >= *limits.iterations;
    }
    if (reason == name_of(StopReason::kEvaluations)) {
        return limits.evaluations && result.counters.evaluations >= *limits.evaluations;
    }
    if (reason == name_of(StopReason::kTimeLimit)) return limits.time_limit && result.seconds >= *limits.time_limit;
    if (reason == name_of(StopReason::kStagnation)) return limits.stagnation || limits.stagnation_iterations;
    if (reason == name_of(StopReason::kSignal)) return result.signal != 0;
    if (reason == name_of(StopReason::kError)) return !result.error.empty();
    return reason == name_of(StopReason::kSolver) || reason == name_of(StopReason::kCancelled);
}

void check_end(const RunResult& result, const RunTruth& truth, Defects& defects) {
    const StopConditions& limits = truth.conditions;
    if (!may_have_ended(result, truth)) {
        defects.push_back(
            fmt::format("stop_reason: \"{}\" does not follow from the limits of config.toml", result.stop_reason));
    }
    const bool cut = result.stop_reason == name_of(StopReason::kSignal) ||
                     result.stop_reason == name_of(StopReason::kCancelled) ||
                     result.stop_reason == name_of(StopReason::kError);
    if (result.finished == cut) {
        defects.push_back(
            fmt::format("finished: {} does not fit stop_reason \"{}\"", result.finished, result.stop_reason));
    }
    if (limits.iterations && result.counters.iterations > *limits.iterations) {
        defects.push_back(fmt::format("iterations: {}, though config.toml ends the run at {}",
                                      result.counters.iterations, *limits.iterations));
    }
    const bool same_target =
        limits.target.has_value() == result.target.has_value() &&
        (!limits.target || limits.costs.raw_text(*limits.target) == limits.costs.raw_text(*result.target));
    if (!same_target) defects.emplace_back("target: differs from the target in config.toml");
    const bool reached = limits.target && result.best && limits.costs.at_most(result.best->cost, *limits.target);
    if (reached != result.target_reached) {
        defects.push_back(fmt::format("target_reached: recorded {}, recomputed {}", result.target_reached, reached));
    }
}

void check_setting(const RunResult& result, const RunTruth& truth, Defects& defects) {
    const auto compare = [&](const char* key, const std::string& recorded, const std::string& wanted) {
        if (recorded != wanted) defects.push_back(fmt::format("{}: {}, config.toml has {}", key, recorded, wanted));
    };
    const Config& config = truth.config;
    compare("seed", std::to_string(result.seed), std::to_string(truth.seed));
    compare("problem", result.problem, config.problem.component->descriptor->id);
    compare("algorithm", result.algorithm, config.algorithm.component->descriptor->id);
    compare("improver", result.improver, config.improver ? config.improver->component->descriptor->id : "");
    compare("instance", result.identity.instance, truth.problem.info().instance);
    // A run may end on the CPU before the GPUs are ready.
    const bool began_on_cpu =
        config.device.starts_on_cpu() && config.device.backend == "cuda" && result.backend == "cpu";
    if (config.device.backend != "auto" && !began_on_cpu) compare("backend", result.backend, config.device.backend);
}

void check_effort(const RunResult& result, Defects& defects) {
    const double slack = 1e-9;
    if (result.seconds > result.wall_seconds + slack) defects.emplace_back("seconds: larger than wall_seconds");
    const bool empty = result.counters.rounds == 0 && result.counters.digest != 0;
    if (empty) defects.emplace_back("digest: it is not 0, although the run had no rounds");
    if (result.best && !result.found.kept &&
        (result.found.seconds > result.seconds + slack || result.found.evaluations > result.counters.evaluations)) {
        defects.emplace_back("best_found: its time or its number of evaluations is beyond the end of the run");
    }
}

}  // namespace

std::vector<std::string> result_defects(const RunFiles& run, const RunTruth& truth) {
    Defects defects;
    for (const std::string& defect : {checksum_defect(run.json), consistency_defect(run.json)}) {
        if (!defect.empty()) defects.push_back(defect);
    }
    check_setting(run.result, truth, defects);
    check_effort(run.result, defects);
    if (!run.unfinished()) check_end(run.result, truth, defects);
    return defects;
}

}  // namespace qapfw::framework::laboratory
