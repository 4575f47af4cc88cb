// SPDX-License-Identifier: Apache-2.0
#include "framework/laboratory/verify/cross_check.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "framework/engine/engine.hpp"
#include "framework/host/cpu_limits.hpp"
#include "framework/problem/problem.hpp"
#include "qapfw/error.hpp"

namespace qapfw::framework::laboratory {
namespace {

struct Place {
    std::string backend;
    std::uint32_t threads;
};

/// Runs the configuration on a place, without a record and without limits in seconds (time limit, stagnation).
/// `resolved` (may be null) gets the parameters of algorithm and improver, with the values that "auto" stood for.
EngineOutcome run_on(const Place& place, Config config, const CrossOptions& options, Config* resolved = nullptr) {
    config.device.backend = place.backend;
    config.device.start_on_cpu = false;
    config.run.threads = place.threads;
    config.run.time_limit.reset();
    config.run.stagnation.reset();
    config.output.record = false;
    EngineOptions engine_options;
    engine_options.data_paths = options.data_paths;
    engine_options.signals = &options.signals;
    Engine engine(std::move(config), std::move(engine_options));
    EngineOutcome outcome = engine.run();
    if (resolved != nullptr) {
        resolved->algorithm = engine.config().algorithm;
        resolved->improver = engine.config().improver;
    }
    return outcome;
}

/// The summary of an outcome. Throws the error of a run that failed.
RunSummary summary_of(EngineOutcome outcome) {
    if (outcome.failure) std::rethrow_exception(outcome.failure);
    return std::move(outcome.summary);
}

void tell_runs(const Place& place, const RunSummary& summary, const Teller& tell) {
    for (const RunResult& run : summary.runs) {
        tell(fmt::format("{:<5} {:>3} threads  seed {}  digest {:016x}  rounds {}  iterations {}  best {}\n",
                         place.backend, place.threads, run.seed, run.counters.digest, run.counters.rounds,
                         run.counters.iterations, run.best ? run.costs.shown_text(run.best->cost) : "none"));
    }
}

bool same(const RunResult& a, const RunResult& b) {
    const bool same_best = a.best.has_value() == b.best.has_value() && (!a.best || a.best->values == b.best->values);
    return same_best && a.counters.digest == b.counters.digest && a.counters.rounds == b.counters.rounds &&
           a.counters.iterations == b.counters.iterations && a.counters.evaluations == b.counters.evaluations;
}

bool same(const RunSummary& a, const RunSummary& b) {
    return std::equal(a.runs.begin(), a.runs.end(), b.runs.begin(), b.runs.end(),
                      [](const RunResult& x, const RunResult& y) { return same(x, y); });
}

void require_deterministic_end(const Config& config) {
    const RunSettings& run = config.run;
    // Limits such as "100n" become numbers only when the instance is known.
    const bool forms = !run.iterations_form.empty() || !run.stagnation_form.empty();
    if (run.iterations || run.evaluations || run.stagnation_iterations || forms) return;
    throw Error(ErrorKind::kUsage,
                "verify --cross compares whole trajectories, so the run needs a limit: set run.iterations or "
                "run.evaluations in the configuration or with --set run.iterations=...");
}

/// True if the problem declares that costs computed by its device code may differ from costs computed on the CPU.
bool is_exempt_on_devices(Choice problem, const CrossOptions& options) {
    Host host(1, options.data_paths);
    return Problem(host, problem).has_approximate_device();
}

}  // namespace

std::optional<bool> same_everywhere(const Config& config, const CrossOptions& options) {
    require_deterministic_end(config);
    const std::uint32_t many = std::max(2u, default_thread_count());
    const Place reference{"cpu", 1};
    Config elsewhere = config;  // "auto" may depend on the backend, so other places get the values of the first place
    const RunSummary expected = summary_of(run_on(reference, config, options, &elsewhere));
    if (options.signals.received() != 0) return std::nullopt;
    tell_runs(reference, expected, options.tell);
    bool agree = true;
    const bool exempt = is_exempt_on_devices(config.problem, options);
    for (const Place& place : {Place{"cpu", many}, Place{"cuda", many}}) {
        if (exempt && place.backend == "cuda") {
            options.tell("cuda  not compared: this problem's costs on GPUs are rounded, so trajectories may differ\n");
            continue;
        }
        EngineOutcome outcome;
        try {
            outcome = run_on(place, elsewhere, options);
        } catch (const Error& error) {
            // If the configuration does not demand a GPU, two errors are only reported: no GPU is there, or a GPU does
            // not support something that runs on the CPU. These errors do not count against the plugins.
            if (place.backend != "cuda" || config.device.backend == "cuda") throw;
            if (error.kind() != ErrorKind::kDevice && error.kind() != ErrorKind::kUnsupported) throw;
            options.tell(fmt::format("cuda  not compared: {}\n", error.what()));
            continue;
        }
        // Throws if the run failed, also on a GPU. The handler above does not catch this error, so a failed run is
        // never excused.
        const RunSummary found = summary_of(std::move(outcome));
        if (options.signals.received() != 0) return std::nullopt;
        tell_runs(place, found, options.tell);
        agree = agree && same(expected, found);
    }
    return agree;
}

}  // namespace qapfw::framework::laboratory
