// SPDX-License-Identifier: Apache-2.0
#include "framework/engine/engine.hpp"

#include <fmt/core.h>

#include <utility>

#include "framework/engine/run_folders.hpp"
#include "framework/host/cpu_limits.hpp"
#include "framework/host/last_error.hpp"
#include "framework/host/log.hpp"
#include "qapfw/error.hpp"

namespace qapfw::framework {
namespace {

std::uint32_t threads_of(const Config& config) {
    return config.run.threads != 0 ? config.run.threads : default_thread_count();
}

/// The first component of the algorithm without device code, or null.
const qapfw_component* without_cuda(const Config& config) {
    const auto lacks = [](const Choice& choice) {
        return (choice.component->descriptor->backends & QAPFW_BACKEND_CUDA) == 0;
    };
    if (lacks(config.algorithm)) return config.algorithm.component->descriptor;
    if (config.improver && lacks(*config.improver)) return config.improver->component->descriptor;
    return nullptr;
}

}  // namespace

Engine::Engine(Config config, EngineOptions options) : config_(std::move(config)), options_(std::move(options)) {}

EngineOutcome Engine::run() {
    Host host(threads_of(config_), options_.data_paths);
    const Problem problem(host, config_.problem);
    config_.resolve_sizes(problem.info().n);
    const StopConditions conditions = StopConditions::of(config_.run, problem.info());
    const DeviceChoice devices = open_devices(problem);
    check_combination(config_, problem, devices.backend);
    std::vector<const qapfw_device*> tables;
    for (const auto& device : devices.devices) tables.push_back(device->table());
    host.set_devices(std::move(tables));

    Session session{config_, host, problem, devices, conditions};
    session.progress = options_.progress;
    session.signals = options_.signals;
    session.data_paths = options_.data_paths;
    session.program_start = options_.program_start;

    EngineOutcome outcome;
    outcome.summary.wanted = config_.run.runs;
    outcome.folder = open_folder(problem, outcome);
    announce(session, outcome.folder);
    if (options_.resume.empty()) write_summary(outcome);  // the configuration alone: a killed run can be resumed
    for (std::uint32_t run = 0; run < config_.run.runs && !outcome.failure && !interrupted(); ++run) {
        run_seed(session, config_.run.seed + run, outcome);
        write_summary(outcome);
    }
    outcome.drawing = draw_best(problem, outcome.summary);
    return outcome;
}

DeviceChoice Engine::open_devices(const Problem& problem) const {
    DeviceRequest request;
    request.backend = config_.device.backend;
    request.ordinals = config_.device.devices;
    request.problem = problem.ref();
    request.log = [](std::int32_t level, const std::string& text) { log_message(static_cast<LogLevel>(level), text); };
    request.set_error = [](const std::string& text) { set_last_error(text); };
    const qapfw_component* cpu_only = without_cuda(config_);
    const bool settled = request.backend == "auto" && cpu_only != nullptr;
    if (settled) request.backend = "cpu";
    DeviceChoice choice = choose_devices(request);
    if (settled) choice.reason = fmt::format("{} {} has no device code", kind_name(cpu_only->kind), cpu_only->id);
    return choice;
}

std::filesystem::path Engine::open_folder(const Problem& problem, EngineOutcome& outcome) const {
    if (!options_.resume.empty()) return options_.resume;
    if (!config_.output.record) return {};
    try {
        return make_record_folder(config_, problem.info());
    } catch (const Error& error) {
        if (error.kind() != ErrorKind::kIo) throw;
        outcome.record_failure = error.what();
        log_warning("the run goes on without a record: {}", error.what());
        return {};
    }
}

void Engine::announce(const Session& session, const std::filesystem::path& folder) const {
    if (!folder.empty()) {
        open_log_file(folder / "log.txt", parse_log_level(config_.output.log_level));
        log_info("record: {}", folder.string());
    }
    const qapfw_problem_info& info = session.problem.info();
    log_info("{} {}: {}", config_.problem.component->descriptor->id, info.instance, info.summary);
    const std::string improver =
        config_.improver ? fmt::format(" with {}", config_.improver->component->descriptor->id) : std::string();
    log_info("{}{} on {} ({}), {} threads", config_.algorithm.component->descriptor->id, improver,
             session.devices.backend, session.devices.reason, session.host.pool().worker_count());
    for (const auto& device : session.devices.devices) log_info("{}", device->description());
    if (!session.conditions.any()) log_info("no limit is set: the run ends with Ctrl-C or when the solver is done");
}

void Engine::run_seed(Session& session, std::uint64_t seed, EngineOutcome& outcome) const {
    const bool several = config_.run.runs > 1;
    const std::filesystem::path folder =
        several && !outcome.folder.empty() ? seed_folder(outcome.folder, seed) : outcome.folder;
    EarlierSession earlier;
    if (!options_.resume.empty()) earlier = read_earlier_session(folder);
    if (earlier.result && earlier.result->finished && !options_.limits_changed) {
        ++outcome.finished_before;
        outcome.summary.runs.push_back(*earlier.result);
        return;
    }
    session.on_abandon = [this, &outcome](const RunResult& result) {
        EngineOutcome abandoned;
        abandoned.summary = outcome.summary;
        abandoned.summary.runs.push_back(result);
        abandoned.folder = outcome.folder;
        write_summary(abandoned);
        if (options_.on_abandon) options_.on_abandon(abandoned.summary);
    };
    SeedRun run(session, seed, folder);
    RunOutcome ended = run.run(earlier);
    outcome.summary.runs.push_back(std::move(ended.result));
    outcome.failure = ended.failure;
    if (outcome.record_failure.empty()) outcome.record_failure = run.record_failure();
}

std::string Engine::draw_best(const Problem& problem, const RunSummary& summary) const {
    if (summary.runs.empty() || !best_of(summary).best) return {};
    try {
        SolutionBuffer solution(problem.info().encoding.solution_bytes);
        store_values(problem.info().encoding, best_of(summary).best->values, solution.data());
        return problem.drawing(solution.data());
    } catch (const Error& error) {
        log_warning("{}", error.what());
        return {};
    }
}

void Engine::write_summary(EngineOutcome& outcome) const {
    if (config_.run.runs == 1 || outcome.folder.empty()) return;
    RunRecord record;
    record.open_folder(outcome.folder);
    record.write_config(recorded_config(config_, config_.run.seed, config_.run.runs));
    if (!outcome.summary.runs.empty()) record.write_result(to_json(outcome.summary), Durability::kProcess);
    if (outcome.record_failure.empty()) outcome.record_failure = record.failure();
}

}  // namespace qapfw::framework
