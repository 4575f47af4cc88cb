// SPDX-License-Identifier: Apache-2.0
#include "framework/engine/gpu_preparation.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <utility>

#include "framework/device/gpu_survey.hpp"
#include "framework/device/kernel_cache.hpp"
#include "framework/engine/algorithm.hpp"
#include "framework/host/last_error.hpp"
#include "framework/host/log.hpp"
#include "framework/host/plugin_call.hpp"
#include "framework/plugin/parameter_text.hpp"
#include "qapfw/abi/solver.h"
#include "qapfw/error.hpp"

namespace qapfw::framework {
namespace {

std::atomic<bool> left_behind{false};

/// Returns the names of the parameters whose "auto" depends on the GPUs; null if runs of this solver cannot move from
/// the CPU to GPUs.
const char* const* dependent_parameters(const qapfw_component& solver) {
    if (solver.get_capability == nullptr) return nullptr;
    return static_cast<const char* const*>(solver.get_capability(QAPFW_SOLVER_MOVES));
}

/// The indices of the parameters whose "auto" depends on the GPUs.
std::vector<std::uint32_t> dependent_indices(const Choice& algorithm) {
    const qapfw_component& solver = *algorithm.component->descriptor;
    std::vector<std::uint32_t> indices;
    for (const char* const* name = dependent_parameters(solver); name != nullptr && *name != nullptr; ++name) {
        if (const auto index = find_parameter(solver, *name)) indices.push_back(*index);
    }
    return indices;
}

bool is_resumable(const qapfw_component& solver) {
    const auto* table = static_cast<const qapfw_solver_table*>(solver.table);
    return table->save != nullptr && table->load != nullptr;
}

/// The state of a rehearsal, which is a run that ends before its first round.
struct RehearsedRun {
    const std::atomic<bool>& leaving;
    bool has_begun = false;     ///< the solver reached its first round
    bool asked_others = false;  ///< the solver tried to exchange data with other processes, which do not rehearse
};

RehearsedRun& rehearsed(void* context) {
    return *static_cast<RehearsedRun*>(context);
}

qapfw_exchange exchange_of(RehearsedRun& run, const PreparationOrder& order) {
    qapfw_exchange exchange{};
    exchange.struct_size = sizeof exchange;
    exchange.rank = order.rank;
    exchange.size = order.processes;
    exchange.context = &run;
    exchange.all_gather = [](void* context, const void*, std::uint64_t, void*, std::uint64_t) -> qapfw_status {
        rehearsed(context).asked_others = true;
        set_last_error("this is a rehearsal");
        return QAPFW_ERROR;
    };
    return exchange;
}

qapfw_run services_of(RehearsedRun& run, const PreparationOrder& order, const Host& host,
                      const qapfw_exchange& exchange) {
    qapfw_run services{};
    services.struct_size = sizeof services;
    services.device_count = static_cast<std::uint32_t>(host.devices().size());
    services.devices = host.devices().data();
    services.context = &run;
    services.seed = order.seed;
    services.exchange = order.processes > 1 ? &exchange : nullptr;
    services.begin_round = [](void* context, std::uint64_t) -> std::uint64_t {
        rehearsed(context).has_begun = true;
        return 0;
    };
    services.end_round = [](void*, const qapfw_round*) -> qapfw_status { return QAPFW_OK; };
    services.should_stop = [](void* context) { return rehearsed(context).leaving.load() ? 1 : 0; };
    services.statistic = [](void*, const char*, double) {};
    return services;
}

/// A second solver with a second improver, beside those of the run. Log lines of the second pair are dropped. The
/// values chosen for "auto" are written into `algorithm` and `improver`. All arguments must outlive this object.
class SecondSolver {
  public:
    SecondSolver(const PreparationOrder& order, Choice& algorithm, std::optional<Choice>& improver,
                 std::vector<const qapfw_device*> devices, const std::function<bool()>* stop)
        : host_(static_cast<std::uint32_t>(devices.size()), order.data_paths) {
        host_.set_devices(std::move(devices));
        host_.set_quiet(true);
        host_.set_stop(stop);
        if (improver) improver_.emplace(host_, *improver, *order.problem);
        solver_.emplace(host_, algorithm, *order.problem, improver_ ? &*improver_ : nullptr, *order.config->registry);
    }
    SecondSolver(const SecondSolver&) = delete;
    SecondSolver& operator=(const SecondSolver&) = delete;
    const Host& host() const { return host_; }
    Solver& solver() { return *solver_; }

  private:
    Host host_;
    std::optional<Improver> improver_;
    std::optional<Solver> solver_;
};

}  // namespace

std::string why_not_movable(const Config& config, const Problem& problem) {
    const qapfw_component& solver = *config.algorithm.component->descriptor;
    if (dependent_parameters(solver) == nullptr || !is_resumable(solver)) {
        return fmt::format("runs of {} cannot move from the CPU to GPUs", solver.id);
    }
    if (problem.has_approximate_device()) return "the problem's device code rounds costs";
    for (const Choice* choice : {&config.algorithm, config.improver ? &*config.improver : nullptr}) {
        for (const char* backend : {"cpu", "cuda"}) {
            std::string wrong = choice == nullptr ? "" : mismatch_of(*choice->component, problem, backend);
            if (!wrong.empty()) return wrong;
        }
    }
    return {};
}

bool depends_on_gpus(const Choice& algorithm) {
    const std::vector<std::uint32_t> indices = dependent_indices(algorithm);
    return std::any_of(indices.begin(), indices.end(),
                       [&](std::uint32_t index) { return algorithm.parameters.values()[index].is_auto; });
}

std::string dependent_numbers(const Choice& algorithm) {
    std::vector<std::string> words;
    for (const std::uint32_t index : dependent_indices(algorithm)) {
        const qapfw_parameter& parameter = parameter_at(*algorithm.component->descriptor, index);
        const bool whole = parameter.type == QAPFW_PARAMETER_INTEGER || parameter.type == QAPFW_PARAMETER_SIZE;
        if (!whole) continue;
        words.push_back(fmt::format("{} {}", parameter.name, algorithm.parameters.values()[index].integer));
    }
    return fmt::format("{}", fmt::join(words, ", "));
}

std::optional<ParameterValues> parameters_by_survey(const PreparationOrder& order) {
    const GpuSurvey survey = survey_gpus(order.request);
    if (!survey.why_none.empty()) {
        log_debug("the GPUs are not known before they are opened: {}", survey.why_none);
        return std::nullopt;
    }
    std::vector<const qapfw_device*> tables;
    for (const auto& gpu : survey.gpus) tables.push_back(gpu->table());
    Choice algorithm = order.algorithm;
    std::optional<Choice> improver = order.improver;
    try {
        const SecondSolver second(order, algorithm, improver, std::move(tables), nullptr);
    } catch (const std::exception& error) {
        log_debug("the solver's parameters are not known before the GPUs are opened: {}", error.what());
        return std::nullopt;
    }
    const auto refused = [](const auto& gpu) { return gpu->has_refused(); };
    if (std::any_of(survey.gpus.begin(), survey.gpus.end(), refused)) {
        log_debug("the solver's parameters are not known before the GPUs are opened: choosing them needs kernels");
        return std::nullopt;
    }
    return algorithm.parameters;
}

GpuPreparation::GpuPreparation(PreparationOrder order)
    : shared_(std::make_shared<Shared>()),
      opened_(shared_->opened.get_future().share()),
      resolved_(shared_->resolved.get_future().share()),
      required_(order.request.backend == "cuda") {
    shared_->order = std::move(order);
    const auto log = shared_->order.request.log;
    shared_->order.request.log = [log, shared = std::weak_ptr(shared_)](std::int32_t level, const std::string& text) {
        const auto self = shared.lock();
        if (log && self && !self->leaving) log(level, text);
    };
    thread_ = std::thread(with_present_log([shared = shared_] { work(*shared); }));
}

GpuPreparation::~GpuPreparation() {
    const bool opens_none = !shared_->decided.exchange(true);
    shared_->leaving = true;
    const bool is_ending = wait_opened({}) && shared_->devices.devices.empty();
    if (shared_->order.joins || opens_none || is_finished() || is_ending) {
        thread_.join();
    } else {
        left_behind = true;
        thread_.detach();
    }
}

bool GpuPreparation::wait_opened(std::chrono::milliseconds patience) const {
    return opened_.wait_for(patience) == std::future_status::ready;
}

const ParameterValues* GpuPreparation::wait_resolved() const {
    const std::optional<ParameterValues>& values = resolved_.get();
    return values ? &*values : nullptr;
}

const DeviceChoice& GpuPreparation::devices() const {
    if (shared_->open_failure) std::rethrow_exception(shared_->open_failure);
    return shared_->devices;
}

void GpuPreparation::work(Shared& shared) {
    if (ends_in_delay(shared)) return;
    try {
        open(shared);
        shared.why_none = shared.devices.devices.empty() ? shared.devices.reason : std::string();
        if (shared.why_none.empty()) rehearse(shared);
    } catch (const std::exception& error) {
        shared.failure = std::current_exception();
        shared.why_none = error.what();
    }
    shared.finished.store(true, std::memory_order_release);
    resolve(shared, std::nullopt);
}

/// Waits for PreparationOrder::delay. True: the destructor has begun meanwhile, so no GPU needs to be opened.
bool GpuPreparation::ends_in_delay(Shared& shared) {
    constexpr std::chrono::milliseconds kLook{2};
    for (auto waited = kLook; waited <= shared.order.delay && !shared.leaving; waited += kLook) {
        std::this_thread::sleep_for(kLook);
    }
    return shared.decided.exchange(true);
}

void GpuPreparation::open(Shared& shared) {
    try {
        shared.devices = choose_devices(shared.order.request);
    } catch (...) {
        shared.open_failure = std::current_exception();
    }
    shared.opened.set_value();
    if (shared.open_failure) std::rethrow_exception(shared.open_failure);
}

void GpuPreparation::rehearse(Shared& shared) {
    PreparationOrder& order = shared.order;
    std::vector<const qapfw_device*> tables;
    for (const auto& device : shared.devices.devices) tables.push_back(device->table());
    const std::function<bool()> leaving = [&shared] { return shared.leaving.load(); };
    SecondSolver second(order, order.algorithm, order.improver, std::move(tables), &leaving);
    resolve(shared, order.algorithm.parameters);
    RehearsedRun run{shared.leaving};
    const qapfw_exchange exchange = exchange_of(run, order);
    try {
        second.solver().run(services_of(run, order, second.host(), exchange));
    } catch (const Error&) {
        // Other processes take no part in a rehearsal. If the solver failed because it needs them, it is prepared as
        // far as possible. So this error is ignored.
        if (!run.asked_others) throw;
    }
}

/// Stores the values and wakes the threads that wait for them. Only the first call counts.
void GpuPreparation::resolve(Shared& shared, std::optional<ParameterValues> values) {
    if (!shared.is_resolved) shared.resolved.set_value(std::move(values));
    shared.is_resolved = true;
}

void leave_process(int code) {
    if (!left_behind) return;
    KernelCache::close_all();
    std::fflush(stdout);
    std::fflush(stderr);
    _exit(code);
}

}  // namespace qapfw::framework
