// SPDX-License-Identifier: Apache-2.0
#include "framework/engine/seed_run.hpp"

#include <fmt/core.h>

#include <utility>

#include "framework/engine/run_folders.hpp"
#include "framework/host/log.hpp"
#include "framework/record/trace.hpp"
#include "qapfw/error.hpp"

namespace qapfw::framework {

EarlierSession read_earlier_session(const std::filesystem::path& folder) {
    EarlierSession earlier;
    const std::filesystem::path result = folder / "result.json";
    std::error_code ignored;
    if (!std::filesystem::exists(result, ignored)) return earlier;
    try {
        earlier.result = parse_result(read_file(result), result.string());
    } catch (const Error& error) {
        log_warning("{}", error.what());  // the checkpoint holds all that matters
    }
    LoadedCheckpoint loaded = load_checkpoint(folder);
    for (const std::string& warning : loaded.warnings) log_warning("{}", warning);
    earlier.checkpoint = std::move(loaded.checkpoint);
    return earlier;
}

SeedRun::SeedRun(const Session& session, std::uint64_t seed, std::filesystem::path folder)
    : session_(session), seed_(seed), folder_(std::move(folder)) {}

RunOutcome SeedRun::run(const EarlierSession& earlier) {
    Config& config = session_.config;
    std::optional<Improver> improver;
    if (config.improver) improver.emplace(session_.host, *config.improver, session_.problem);
    Solver solver(session_.host, config.algorithm, session_.problem, improver ? &*improver : nullptr);

    const RunResult known = known_result(earlier);
    const std::string trajectory = trajectory_of(config, seed_);
    if (earlier.checkpoint) check_same_run(*earlier.checkpoint, known.identity, trajectory);
    open_record(known, earlier);

    const auto& info = session_.problem.info();
    const auto best_known = info.has_best_known != 0 ? std::optional(info.best_known) : std::nullopt;
    Progress progress(session_.progress, session_.conditions, best_known, fmt::format("seed {}", seed_));
    RunParts parts{session_.problem, solver, session_.conditions, record_, progress};
    parts.signals = session_.signals;
    parts.known = known;
    parts.trajectory = trajectory;
    parts.checkpoint_interval = config.output.checkpoint_interval;
    for (const auto& device : session_.devices.devices) parts.devices.push_back(device->table());
    parts.program_start = session_.program_start;
    RunContext context(std::move(parts));
    prepare(context, earlier);
    return watched(context);
}

RunResult SeedRun::known_result(const EarlierSession& earlier) const {
    const Config& config = session_.config;
    const qapfw_problem_info& info = session_.problem.info();
    RunResult known;
    known.problem = config.problem.component->descriptor->id;
    known.algorithm = config.algorithm.component->descriptor->id;
    if (config.improver) known.improver = config.improver->component->descriptor->id;
    known.n = info.n;
    known.encoding = encoding_pattern(info.encoding);
    known.identity = identity_of(config, info, session_.devices.backend);
    known.costs = session_.problem.costs();
    known.seed = seed_;
    known.backend = session_.devices.backend;
    known.backend_reason = session_.devices.reason;
    for (const auto& device : session_.devices.devices) known.devices.push_back(device->description());
    known.threads = session_.host.pool().worker_count();
    for (const auto& path : session_.data_paths) known.data_paths.push_back(path.string());
    if (info.has_best_known != 0) known.best_known = info.best_known;
    if (info.has_lower_bound != 0) known.lower_bound = info.lower_bound;
    if (info.best_known_source != nullptr) known.best_known_source = info.best_known_source;
    known.resumes = earlier.result ? earlier.result->resumes + 1 : 0;
    known.folder = folder_.string();
    return known;
}

void SeedRun::open_record(const RunResult& known, const EarlierSession& earlier) {
    if (folder_.empty()) return;
    std::error_code error;
    std::filesystem::create_directories(folder_, error);
    if (error) return record_.fail(fmt::format("{}: cannot create the folder: {}", folder_.string(), error.message()));
    record_.open(folder_, earlier.checkpoint ? earlier.checkpoint->trace_bytes : 0, trace_head(known));
    record_.write_config(recorded_config(session_.config, seed_, 1));
}

void SeedRun::prepare(RunContext& context, const EarlierSession& earlier) const {
    if (earlier.result && earlier.result->best) context.keep(*earlier.result->best);
    if (earlier.checkpoint) {
        context.restore(*earlier.checkpoint);
        log_info("resumed after {} iterations", earlier.checkpoint->counters.iterations);
        return;
    }
    if (earlier.result) log_info("there is no checkpoint to go on from: the run begins anew");
    const std::string& initial = session_.config.initial;
    if (!initial.empty()) context.warm_start(session_.problem.read_solution(read_file(initial)));
}

RunOutcome SeedRun::watched(RunContext& context) const {
    if (session_.signals == nullptr) return context.run();
    session_.signals->set_abandon([this, &context](int signal) {
        const std::optional<RunResult> result = context.abandon(signal);
        if (result && session_.on_abandon) session_.on_abandon(*result);
        return result.has_value();
    });
    RunOutcome outcome = context.run();
    session_.signals->set_abandon([](int) { return false; });  // what is left is showing the result
    return outcome;
}

}  // namespace qapfw::framework
