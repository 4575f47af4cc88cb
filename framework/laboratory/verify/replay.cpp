// SPDX-License-Identifier: Apache-2.0
#include "framework/laboratory/verify/replay.hpp"

#include <fmt/core.h>

#include <utility>

#include "framework/engine/engine.hpp"
#include "qapfw/error.hpp"

namespace qapfw::framework::laboratory {
namespace {

/// True if only the trajectory decided when the run ended, not a clock, a signal, the caller or an error.
bool ended_by_itself(const RunResult& result, const Config& config) {
    const std::string& reason = result.stop_reason;
    if (reason == name_of(StopReason::kStagnation)) return !config.run.stagnation;
    for (const StopReason clock :
         {StopReason::kNone, StopReason::kTimeLimit, StopReason::kSignal, StopReason::kCancelled, StopReason::kError}) {
        if (reason == name_of(clock)) return false;
    }
    return true;
}

void compare(const RunResult& recorded, const RunResult& found, bool to_the_end, std::vector<std::string>& defects) {
    const auto same = [&](const char* what, const auto& before, const auto& now) {
        if (before != now) defects.push_back(fmt::format("{}: recorded {}, repeated {}", what, before, now));
    };
    const Counters &a = recorded.counters, &b = found.counters;
    same("rounds", a.rounds, b.rounds);
    same("digest", fmt::format("{:016x}", a.digest), fmt::format("{:016x}", b.digest));
    if (!to_the_end) return;
    same("iterations", a.iterations, b.iterations);
    same("evaluations", a.evaluations, b.evaluations);
    const bool same_best = recorded.best.has_value() == found.best.has_value() &&
                           (!found.best || recorded.best->values == found.best->values);
    if (!same_best) defects.emplace_back("the best solution differs");
}

}  // namespace

void check_replay(const RunFiles& run, Config config, const ReplayOptions& options, Findings& findings) {
    const RunResult& recorded = run.result;
    if (recorded.counters.rounds == 0) return findings.note("not repeated: the run has no complete round");
    if (!is_reproducible(recorded))
        return findings.note("not repeated: the record says that the run is not reproducible");
    if (recorded.seconds > options.most_seconds) {
        return findings.note(fmt::format("not repeated: the run took {:.0f} s, but --replay-limit allows {:.0f} s",
                                         recorded.seconds, options.most_seconds));
    }
    const bool to_the_end = ended_by_itself(recorded, config);
    config.device.backend = recorded.backend;
    config.device.start_on_cpu = false;
    config.run.seed = recorded.seed;
    config.run.runs = 1;
    config.run.time_limit.reset();
    config.run.stagnation.reset();
    config.output.record = false;
    EngineOptions engine_options;
    engine_options.data_paths = options.data_paths;
    engine_options.signals = options.signals;
    engine_options.rounds = recorded.counters.rounds;
    std::vector<std::string> defects;
    try {
        const EngineOutcome outcome = Engine(std::move(config), std::move(engine_options)).run();
        if (outcome.failure) std::rethrow_exception(outcome.failure);
        if (options.signals != nullptr && options.signals->received() != 0) return;
        compare(recorded, outcome.summary.runs.at(0), to_the_end, defects);
    } catch (const Error& error) {
        if (error.kind() == ErrorKind::kDevice) return findings.note(fmt::format("not repeated: {}", error.what()));
        defects.emplace_back(error.what());
    }
    findings.tell(fmt::format("run repeated for {} rounds", recorded.counters.rounds), defects);
}

}  // namespace qapfw::framework::laboratory
