// SPDX-License-Identifier: Apache-2.0
#include "framework/engine/engine.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

#include "framework/engine/chosen_solver.hpp"
#include "framework/engine/run_folders.hpp"
#include "framework/engine/shared_session.hpp"
#include "framework/host/cpu_limits.hpp"
#include "framework/host/last_error.hpp"
#include "framework/host/log.hpp"
#include "framework/problem/encoding.hpp"
#include "qapfw/error.hpp"

namespace qapfw::framework {
namespace {

constexpr int kSummaryPause = 100;
/// Time given to opening the GPUs before the run starts on the CPU. Long enough to report errors that appear at once.
constexpr std::chrono::milliseconds kOpenPatience{30};
/// If a run can start without GPUs, it opens them after this delay. Most small instances are solved by then.
constexpr std::chrono::milliseconds kOpenDelay{50};
constexpr const char* kUntilReady = "until the GPUs are ready";

constexpr double kEndless = std::numeric_limits<double>::infinity();
/// Seconds that setting up an instance may always take, however short the run's time limit.
constexpr double kLeastSetUp = 10;

/// While an object of this class lives, a plugin's `should_stop` calls the given function.
class AskedDuringSetUp {
  public:
    AskedDuringSetUp(Host& host, const std::function<bool()>& question) : host_(host) { host_.set_stop(&question); }
    ~AskedDuringSetUp() { host_.set_stop(nullptr); }
    AskedDuringSetUp(const AskedDuringSetUp&) = delete;
    AskedDuringSetUp& operator=(const AskedDuringSetUp&) = delete;

  private:
    Host& host_;
};

/// The solver if it has no device code, else the improver if it has none, else null.
const qapfw_component* without_cuda(const Config& config) {
    const auto lacks = [](const Choice& choice) {
        return (choice.component->descriptor->backends & QAPFW_BACKEND_CUDA) == 0;
    };
    if (lacks(config.algorithm)) return config.algorithm.component->descriptor;
    if (config.improver && lacks(*config.improver)) return config.improver->component->descriptor;
    return nullptr;
}

/// Creates the problem with its instance. The time limit is for the search alone, but a run of one second must not take
/// a minute to begin. So the function throws if the creation takes longer than both the time limit and kLeastSetUp. It
/// also throws if the observer asks to end the run. `observer` may be null.
std::shared_ptr<const Problem> set_up(Host& host, Config& config, const RunObserver* observer) {
    const double most = std::max(config.run.time_limit.value_or(kEndless), kLeastSetUp);
    const auto begin = std::chrono::steady_clock::now();
    const auto is_unwanted = [observer] { return observer != nullptr && observer->wants_end(); };
    const std::function<bool()> is_over = [begin, most, is_unwanted] {
        return is_unwanted() || std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() > most;
    };
    const AskedDuringSetUp asked(host, is_over);
    try {
        return std::make_shared<const Problem>(host, config.problem);
    } catch (const Error& error) {
        if (error.kind() != ErrorKind::kPlugin || !is_over()) throw;
        if (is_unwanted()) throw Cancelled(ErrorKind::kInternal, "the search was cancelled before it began");
        throw Error(ErrorKind::kUsage,
                    fmt::format("problem {}: its instance was not ready after {:g} s, the most that a time limit of "
                                "{:g} s allows; set a longer time limit",
                                config.problem.component->descriptor->id, most, *config.run.time_limit));
    }
}

/// Returns the folder that `open` makes. If `open` fails with an error of kind kIo, warns that the run goes on without
/// a record, and returns null. `run`: name of the run in the warning.
std::shared_ptr<RecordFolder> opened(const std::string& run, EngineOutcome& outcome,
                                     const std::function<std::shared_ptr<RecordFolder>()>& open) {
    try {
        auto folder = open();
        if (folder->lock) folder->lock->keep_alive();
        return folder;
    } catch (const Error& error) {
        if (error.kind() != ErrorKind::kIo) throw;
        log_warning("{} goes on without a record: {}", run, error.what());
        if (outcome.record_failure.empty()) outcome.record_failure = error.what();
        return nullptr;
    }
}

}  // namespace

Engine::Engine(Config config, EngineOptions options)
    : owned_config_(std::make_shared<Config>(std::move(config))),
      config_(*owned_config_),
      options_(std::move(options)),
      place_(find_local_place(*options_.processes)) {}

/// Number of threads of this process. If the configuration gives no number, the processes of one host split its cores.
std::uint32_t Engine::threads() const {
    if (config_.run.threads != 0) return config_.run.threads;
    const std::uint32_t cores = affinity_processors(), granted = default_thread_count();
    // If a CPU quota limits the threads, all processes of the host share the quota. Otherwise only processes that may
    // use the same cores share these cores.
    const std::uint32_t sharers = granted < cores ? place_.count : place_.same_cores;
    return std::max(1u, granted / sharers);
}

/// True if any process was interrupted. All processes call it together.
bool Engine::interrupted() const {
    const bool own = (options_.signals != nullptr && options_.signals->received() != 0) ||
                     (options_.observer != nullptr && options_.observer->wants_end());
    return options_.processes->any_of(own);
}

/// Lets solvers add up a number over the GPUs of all processes. A GPU that several processes use counts once.
void Engine::share_gpus(Host& host, const DeviceChoice& devices) const {
    Processes* const processes = options_.processes.get();
    if (processes->alone()) return;
    std::string names;
    for (const auto& device : devices.devices) names += device->description() + "\n";
    const std::vector<std::string> all = processes->gather_texts(fmt::format("{} {}", place_.host, names));
    // Processes with equal texts use the same GPUs, so only the first of these processes counts the GPUs. But if the
    // launcher gives each process GPUs of its own, each process counts its GPUs.
    const auto last = all.begin() + processes->rank();
    const bool is_first = place_.own_gpus || std::find(all.begin(), last, *last) == last;
    host.set_all_gpus([processes, is_first](std::uint64_t own) {
        const auto parts = processes->gather_values(is_first ? own : std::uint64_t{0});
        return std::accumulate(parts.begin(), parts.end(), std::uint64_t{0});
    });
}

EngineOutcome Engine::run() {
    check_shares_work(*config_.algorithm.component, options_.processes->count());
    const auto owned_host = std::make_shared<Host>(threads(), options_.data_paths);
    Host& host = *owned_host;
    host.set_arrays(options_.arrays);
    if (!options_.resume) take_defaults_without_algorithm(config_);
    const auto owned_problem = set_up(host, config_, options_.observer);
    const Problem& problem = *owned_problem;
    if (options_.on_problem) options_.on_problem(problem);
    if (!options_.resume) choose_solver(config_, problem, !options_.processes->alone());
    config_.resolve_sizes(problem.info().n);
    StopConditions conditions = StopConditions::of(config_.run, problem.info());
    conditions.rounds = options_.rounds;
    DeviceChoice devices;
    auto preparation = prepare_gpus(owned_host, owned_problem, devices);
    if (devices.backend.empty()) devices = open_devices(problem, config_.device.backend);
    check_combination(config_, problem, devices.backend);
    StartingPlace place(host, std::move(devices), std::move(preparation));
    share_gpus(host, place.devices());

    const bool resuming = options_.processes->any_of(options_.resume != nullptr);
    const Session session{config_, host, problem, conditions, place, *options_.processes, options_, resuming};
    EngineOutcome outcome;
    outcome.summary.wanted = config_.run.runs;
    // Finds errors in warm starts before a record is made. Warnings are dropped here: they appear when a run reads the
    // warm starts again.
    if (!options_.resume) {
        const LogScope silent(LogLevel::kOff, [](LogLevel, std::string_view) {});
        read_warm_starts(session);
    }
    folder_ = open_folder(problem, outcome);
    if (folder_) outcome.folder = folder_->files.path();
    announce(session);
    if (!session.resuming) write_config(outcome);  // written now, so that a killed run can be resumed
    for (std::uint32_t run = 0; run < config_.run.runs && !outcome.failure && !interrupted(); ++run) {
        SeedRun seed_run(session, config_.run.seed + run, open_seed_folder(config_.run.seed + run, outcome));
        if (seed_run.was_finished() && !options_.limits_changed) {
            ++outcome.finished_before;
            outcome.summary.add(seed_run.finished());
        } else {
            RunOutcome ended = seed_run.run(abandoning(outcome, seed_run.folder()));
            outcome.summary.add(std::move(ended.result));
            outcome.failure = ended.failure;
        }
        if (outcome.record_failure.empty()) outcome.record_failure = seed_run.record_failure();
        write_summary_if_due(outcome);
    }
    write_summary(outcome);
    outcome.drawing = draw_best(problem, outcome.summary);
    return outcome;
}

/// Starts a thread that opens the GPUs and makes them ready, while the run begins on the CPU. Returns null and leaves
/// `devices` empty if the run cannot begin on the CPU. Returns null and sets `devices` to the CPU if this process is
/// alone and soon finds out that there is no GPU.
std::unique_ptr<GpuPreparation> Engine::prepare_gpus(const std::shared_ptr<Host>& host,
                                                     const std::shared_ptr<const Problem>& problem,
                                                     DeviceChoice& devices) {
    if (!config_.device.starts_on_cpu() || config_.device.backend == "cpu") return nullptr;
    if (const std::string why = why_not_movable(config_, *problem); !why.empty()) {
        log_debug("the run waits for the GPUs and does not start on the CPU: {}", why);
        return nullptr;
    }
    const bool depends = depends_on_gpus(config_.algorithm);
    if (depends && !options_.processes->alone()) return nullptr;  // the parameters depend on the GPUs of all processes
    PreparationOrder order = preparation_order(host, problem);
    if (!order.request.described) return nullptr;
    const bool is_surveyed = depends && take_surveyed(order);
    auto preparation = std::make_unique<GpuPreparation>(std::move(order));
    devices = {{}, "cpu", kUntilReady};
    if (is_surveyed) return preparation;
    if (depends ? take_resolved(*preparation) : !preparation->wait_opened(kOpenPatience)) return preparation;
    const DeviceChoice& opened = preparation->devices();
    if (depends && !opened.devices.empty()) {  // no solver could be made on the GPUs; making it again reports why
        devices = {};
        return nullptr;
    }
    if (!opened.devices.empty() || !options_.processes->alone()) return preparation;
    devices.reason = opened.reason;
    return nullptr;
}

PreparationOrder Engine::preparation_order(const std::shared_ptr<Host>& host,
                                           const std::shared_ptr<const Problem>& problem) const {
    PreparationOrder order{device_request(*problem, config_.device.backend),
                           owned_config_,
                           problem,
                           host,
                           config_.algorithm,
                           config_.improver,
                           config_.run.seed,
                           options_.data_paths};
    order.joins = options_.joins_threads;
    try {
        order.request.described = describe_device_problem(problem->ref());
    } catch (const Error&) {  // the error is reported when the devices are opened
    }
    order.rank = options_.processes->rank();
    order.processes = options_.processes->count();
    return order;
}

/// Finds the values that the solver's parameters have on GPUs, without opening the GPUs (see parameters_by_survey).
/// Sets them in the configuration and in `order`. Returns false if the values are not known yet.
bool Engine::take_surveyed(PreparationOrder& order) {
    const std::optional<ParameterValues> surveyed = parameters_by_survey(order);
    if (!surveyed) return false;
    order.algorithm.parameters = *surveyed;
    order.delay = kOpenDelay;
    take_parameters(*surveyed);
    return true;
}

/// Waits until the solver's parameters on the GPUs are known, and sets them in the configuration. False: there are no
/// GPUs, or no solver could be made for them.
bool Engine::take_resolved(const GpuPreparation& preparation) {
    const ParameterValues* const resolved = preparation.wait_resolved();
    if (resolved == nullptr) return false;
    take_parameters(*resolved);
    return true;
}

void Engine::take_parameters(const ParameterValues& by_gpus) {
    config_.algorithm.parameters = by_gpus;
    log_info("parameter values chosen for the GPUs: {}", dependent_numbers(config_.algorithm));
}

DeviceRequest Engine::device_request(const Problem& problem, const std::string& backend) const {
    DeviceRequest request;
    request.backend = backend;
    request.ordinals = config_.device.devices;
    if (!place_.own_gpus) {
        request.place = place_.rank;
        request.places = place_.count;
    }
    request.shared = config_.device.shared;
    request.problem = problem.ref();
    request.log = [log = present_log()](std::int32_t level,
                                        const std::string& text) {  // called by threads of the devices
        const LogScope scope(log);
        log_message(static_cast<LogLevel>(level), text);
    };
    request.set_error = [](const std::string& text) { set_last_error(text); };
    return request;
}

DeviceChoice Engine::open_devices(const Problem& problem, const std::string& backend) const {
    DeviceRequest request = device_request(problem, backend);
    const qapfw_component* cpu_only = without_cuda(config_);
    const bool needs_cpu = request.backend == "auto" && cpu_only != nullptr;
    if (needs_cpu) request.backend = "cpu";
    DeviceChoice choice = choose_devices(request);
    if (needs_cpu) choice.reason = fmt::format("{} {} has no device code", kind_name(cpu_only->kind), cpu_only->id);
    return choice;
}

/// The record folder. Null if this process does not lead, if no record is wanted, or if no folder can be made.
std::shared_ptr<RecordFolder> Engine::open_folder(const Problem& problem, EngineOutcome& outcome) const {
    if (!leads()) return nullptr;
    if (options_.resume) {
        check_same_runs(options_.resume->files, config_);
        if (options_.resume->lock) options_.resume->lock->keep_alive();
        return options_.resume;
    }
    if (!config_.output.record) return nullptr;
    return opened("the run", outcome, [&] { return make_record_folder(config_, problem.info()); });
}

/// The folder of the run with this seed; null: no record. If there are several runs, each has a folder with a lock of
/// its own, so that each run can be resumed by itself.
std::shared_ptr<RecordFolder> Engine::open_seed_folder(std::uint64_t seed, EngineOutcome& outcome) const {
    if (!folder_ || config_.run.runs == 1) return folder_;
    return opened(fmt::format("the run with seed {}", seed), outcome, [&] {
        const std::filesystem::path path = seed_folder(folder_->files.path(), seed);
        make_folder(path);
        return options_.resume ? RecordFolder::open(path) : RecordFolder::open_new(path);
    });
}

void Engine::announce(const Session& session) const {
    if (folder_) {
        try {
            open_log_file(folder_->files.open_to_grow("log.txt").release(), parse_log_level(config_.output.log_level));
        } catch (const Error& error) {
            log_warning("no log file: {}", error.what());
        }
        log_info("record: {}", folder_->files.path().string());
    }
    const qapfw_problem_info& info = session.problem.info();
    log_info("{} {}: {}", config_.problem.component->descriptor->id, info.instance, info.summary);
    const std::string improver =
        config_.improver ? fmt::format(" with {}", config_.improver->component->descriptor->id) : std::string();
    if (!options_.processes->alone()) {
        log_info("{} processes, {} on this host; {}", options_.processes->count(), place_.count,
                 options_.processes->description());
    }
    log_info("{}{} on {} ({}), {} threads", config_.algorithm.component->descriptor->id, improver,
             session.place.devices().backend, session.place.devices().reason, session.host.pool().worker_count());
    for (const auto& device : session.place.devices().devices) log_info("{}", device->description());
    if (!session.conditions.any()) log_info("no limit is set: the run ends with Ctrl-C or when the solver is done");
}

/// Returns a function for the case that the process must exit although a solver is still running. Call the function
/// with the last run's result. It writes the summary, informs the caller of the engine and releases the locks.
std::function<void(const RunResult&)> Engine::abandoning(const EngineOutcome& outcome,
                                                         std::shared_ptr<RecordFolder> folder) {
    return [this, &outcome, folder = std::move(folder)](const RunResult& result) {
        EngineOutcome abandoned;
        abandoned.summary = outcome.summary;
        abandoned.summary.add(result);
        abandoned.folder = outcome.folder;
        write_summary(abandoned);
        if (options_.on_abandon) options_.on_abandon(abandoned.summary);
        for (const auto& record : {folder, folder_}) {
            if (record && record->lock) record->lock->release();
        }
    };
}

std::string Engine::draw_best(const Problem& problem, const RunSummary& summary) const {
    if (!leads() || summary.runs.empty() || !best_of(summary).best) return {};
    try {
        return problem.drawing(solution_of(problem.info().encoding, best_of(summary).best->values).data());
    } catch (const Error& error) {
        log_warning("{}", error.what());
        return {};
    }
}

void Engine::write_config(EngineOutcome& outcome) {
    if (config_.run.runs == 1 || !folder_) return;
    if (!summary_.enabled()) summary_.open(folder_);
    summary_.write_config(recorded_config(config_, config_.run.seed, config_.run.runs));
    if (outcome.record_failure.empty()) outcome.record_failure = summary_.failure();
}

void Engine::write_summary(EngineOutcome& outcome) {
    if (config_.run.runs == 1 || !folder_ || outcome.summary.runs.empty()) return;
    write_config(outcome);
    summary_.write_result(to_json(outcome.summary), Durability::kProcess);
    if (outcome.record_failure.empty()) outcome.record_failure = summary_.failure();
}

/// Writes the summary of the runs if enough time has passed since the last summary. A summary of many runs is long, so
/// writing may take at most about 1/100 of the program's time.
void Engine::write_summary_if_due(EngineOutcome& outcome) {
    const auto start = std::chrono::steady_clock::now();
    if (start < next_summary_) return;
    write_summary(outcome);
    const auto end = std::chrono::steady_clock::now();
    next_summary_ = end + kSummaryPause * (end - start);
}

}  // namespace qapfw::framework
