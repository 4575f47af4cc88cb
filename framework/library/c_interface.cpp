// SPDX-License-Identifier: Apache-2.0
// The functions of qapfw/qapfw.h. No exception leaves these functions: each exception becomes a status and a message.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <utility>

#include "framework/engine/run_observer.hpp"
#include "framework/host/cpu_limits.hpp"
#include "framework/host/failure.hpp"
#include "framework/library/linear_assignment.hpp"
#include "framework/library/model.hpp"
#include "framework/library/run_of_model.hpp"
#include "framework/library/session.hpp"
#include "framework/record/recorded_data_paths.hpp"
#include "qapfw/error.hpp"
#include "qapfw/qapfw.h"

using namespace qapfw::framework;
using qapfw::Error;
using qapfw::ErrorKind;

struct qapfw_session {
    std::shared_ptr<LibrarySession> session;
};
struct qapfw_model {
    LibraryModel model;
};
struct qapfw_answer {
    Answer answer;
    mutable std::once_flag is_told = {};  ///< set once `json` has its value
    mutable std::string json = {};
};
struct qapfw_cancel {
    Cancel cancel;
};

namespace {

/// Thrown for a call that breaks the header's rules.
class Misuse : public std::logic_error {
  public:
    using std::logic_error::logic_error;
};

thread_local std::string last_error;

qapfw_call_status fail(qapfw_call_status status, const char* text) noexcept {
    try {
        last_error = text;
    } catch (...) {
        last_error = "memory ran out";  // a text so short that it needs no memory
    }
    return status;
}

qapfw_call_status status_of(ErrorKind kind) {
    switch (kind) {
        case ErrorKind::kUsage:
            return QAPFW_STATUS_USAGE;
        case ErrorKind::kInput:
            return QAPFW_STATUS_INPUT;
        case ErrorKind::kPlugin:
            return QAPFW_STATUS_PLUGIN;
        case ErrorKind::kDevice:
            return QAPFW_STATUS_DEVICE;
        case ErrorKind::kMemory:
            return QAPFW_STATUS_MEMORY;
        case ErrorKind::kIo:
            return QAPFW_STATUS_IO;
        case ErrorKind::kUnsupported:
            return QAPFW_STATUS_UNSUPPORTED;
        case ErrorKind::kInternal:
            break;
    }
    return QAPFW_STATUS_INTERNAL;
}

/// Stores the message of any exception and returns its status.
qapfw_call_status fail(const std::exception_ptr& exception) noexcept {
    try {
        const Failure failure = failure_of(exception);
        return fail(status_of(failure.kind), failure.text.c_str());
    } catch (...) {  // no memory is left for the text
        return fail(QAPFW_STATUS_MEMORY, "memory ran out");
    }
}

template <class Body>
qapfw_call_status guarded(Body&& body) noexcept {
    try {
        last_error.clear();
        std::forward<Body>(body)();
        return QAPFW_STATUS_OK;
    } catch (const Misuse& error) {
        return fail(QAPFW_STATUS_MISUSE, error.what());
    } catch (const Cancelled& error) {
        return fail(QAPFW_STATUS_CANCELLED, error.what());
    } catch (...) {
        return fail(std::current_exception());
    }
}

void require(const void* pointer, const char* name) {
    if (pointer == nullptr) throw Misuse(fmt::format("{} is a null pointer", name));
}

void require_size(std::uint32_t found, std::size_t wanted, const char* name) {
    if (found >= wanted) return;
    throw Misuse(fmt::format("{}.struct_size is {}; sizeof({}), which is {}, was wanted", name, found, name, wanted));
}

std::vector<std::filesystem::path> paths(const char* const* texts, std::uint32_t count, const char* name) {
    std::vector<std::filesystem::path> found;
    if (count > 0) require(texts, name);
    for (std::uint32_t k = 0; k < count; ++k) {
        if (texts[k] == nullptr) throw Misuse(fmt::format("{}[{}] is a null pointer; a path was wanted", name, k));
        found.emplace_back(texts[k]);
    }
    return found;
}

SessionSettings settings_of(const qapfw_session_options* options) {
    SessionSettings settings;
    if (options == nullptr) return settings;
    require_size(options->struct_size, sizeof *options, "qapfw_session_options");
    settings.plugin_folders = paths(options->plugin_folders, options->plugin_folder_count, "plugin_folders");
    settings.data_folders = paths(options->data_folders, options->data_folder_count, "data_folders");
    settings.threads = options->threads;
    if (options->log == nullptr) return settings;
    if (options->log_level < QAPFW_LEVEL_DEBUG || options->log_level > QAPFW_LEVEL_OFF) {
        throw Misuse(fmt::format("log_level is {}; one of QAPFW_LEVEL_... was wanted", options->log_level));
    }
    settings.log_level = static_cast<LogLevel>(options->log_level);
    settings.log = [log = options->log, user = options->user](LogLevel level, std::string_view text) {
        log(user, static_cast<std::int32_t>(level), text.data(), text.size());
    };
    return settings;
}

SearchOptions search_options_of(const LibraryModel& model, const qapfw_solve_options* options) {
    SearchOptions search;
    if (options == nullptr) return search;
    require_size(options->struct_size, sizeof *options, "qapfw_solve_options");
    search.options = read_options(options->options, options->option_count);
    if (options->initial != nullptr) {
        const std::uint64_t size = model.facilities(), count = std::max<std::uint64_t>(options->initial_count, 1);
        for (std::uint64_t k = 0; k < count; ++k) {
            search.initial.emplace_back(options->initial + k * size, options->initial + (k + 1) * size);
        }
    }
    if (options->cancel != nullptr) search.cancel = &options->cancel->cancel;
    if (options->progress != nullptr) {
        search.progress = [progress = options->progress, user = options->user](const qapfw_progress& state) {
            return progress(user, &state) == 0;
        };
    }
    return search;
}

/// Does the work of qapfw_solve_many with a few threads. Whenever a thread is free, it takes the next model.
class Many {
  public:
    Many(const qapfw_model* const* models, std::uint64_t count, const qapfw_solve_options* options,
         qapfw_answer** answers, qapfw_call_status* statuses)
        : models_(models), count_(count), options_(options), answers_(answers), statuses_(statuses) {}

    void run(std::uint32_t threads) {
        std::vector<std::jthread> helpers;
        const std::uint64_t wanted = std::min<std::uint64_t>(threads, count_);
        try {
            while (helpers.size() + 1 < wanted) helpers.emplace_back([this] { work(); });
        } catch (const std::system_error&) {  // the threads that started do all the work
        }
        work();
    }
    /// The message of the failed model with the least index; empty: none failed.
    const std::string& failure() const { return failure_; }
    qapfw_call_status status() const { return status_; }

  private:
    void work() {
        for (std::uint64_t k = next_++; k < count_; k = next_++) {
            statuses_[k] = guarded([&] { answers_[k] = solve(*models_[k]); });
            if (statuses_[k] != QAPFW_STATUS_OK) note(k);
        }
    }
    qapfw_answer* solve(const qapfw_model& model) const {
        SearchOptions search = search_options_of(model.model, options_);
        search.alone = true;
        return new qapfw_answer{qapfw::framework::search(model.model, search)};
    }
    void note(std::uint64_t index) {
        const std::lock_guard lock(mutex_);
        if (index >= first_) return;
        first_ = index;
        status_ = statuses_[index];
        try {
            failure_ = fmt::format("model {}: {}", index, last_error);
        } catch (const std::bad_alloc&) {
            failure_ = "memory ran out";
        }
    }

    const qapfw_model* const* models_;
    const std::uint64_t count_;
    const qapfw_solve_options* options_;
    qapfw_answer** answers_;
    qapfw_call_status* statuses_;
    std::atomic<std::uint64_t> next_{0};
    std::mutex mutex_;  // guards the members below
    std::uint64_t first_ = UINT64_MAX;
    qapfw_call_status status_ = QAPFW_STATUS_OK;
    std::string failure_;
};

}  // namespace

extern "C" {

const char* qapfw_version(void) {
    return QAPFW_VERSION;
}

void qapfw_api_version(uint32_t* major, uint32_t* minor) {
    if (major != nullptr) *major = QAPFW_API_MAJOR;
    if (minor != nullptr) *minor = QAPFW_API_MINOR;
}

const char* qapfw_last_error(void) {
    return last_error.c_str();
}

qapfw_call_status qapfw_session_open(const qapfw_session_options* options, qapfw_session** session) {
    return guarded([&] {
        require(session, "session");
        *session = nullptr;
        *session = new qapfw_session{std::make_shared<LibrarySession>(settings_of(options))};
    });
}

void qapfw_session_close(qapfw_session* session) {
    if (session == nullptr) return;
    session->session->close();
    delete session;
}

qapfw_call_status qapfw_model_from_qap(qapfw_session* session, const qapfw_qap* qap, qapfw_model** model) {
    return guarded([&] {
        require(session, "session");
        require(qap, "qap");
        require(model, "model");
        *model = nullptr;
        require_size(qap->struct_size, sizeof *qap, "qapfw_qap");
        *model = new qapfw_model{LibraryModel(session->session, *qap)};
    });
}

qapfw_call_status qapfw_model_from_graph(qapfw_session* session, const qapfw_graph* graph, qapfw_model** model) {
    return guarded([&] {
        require(session, "session");
        require(graph, "graph");
        require(model, "model");
        *model = nullptr;
        require_size(graph->struct_size, sizeof *graph, "qapfw_graph");
        *model = new qapfw_model{LibraryModel(session->session, *graph)};
    });
}

qapfw_call_status qapfw_model_from_file(qapfw_session* session, const char* instance, const char* const* options,
                                        uint32_t option_count, qapfw_model** model) {
    return guarded([&] {
        require(session, "session");
        require(instance, "instance");
        require(model, "model");
        *model = nullptr;
        *model = new qapfw_model{LibraryModel(session->session, instance, read_options(options, option_count))};
    });
}

qapfw_call_status qapfw_model_from_config(qapfw_session* session, const char* path, const char* const* options,
                                          uint32_t option_count, qapfw_model** model) {
    return guarded([&] {
        require(session, "session");
        require(model, "model");
        *model = nullptr;
        ConfigText text{{}, "options", {}};
        if (path != nullptr) text = ConfigText::of_file(path);
        *model = new qapfw_model{LibraryModel(session->session, std::move(text), read_options(options, option_count))};
    });
}

qapfw_call_status qapfw_model_from_record(qapfw_session* session, const char* folder, qapfw_model** model) {
    return guarded([&] {
        require(session, "session");
        require(folder, "folder");
        require(model, "model");
        *model = nullptr;
        require_record(folder);
        const ConfigText text = ConfigText::of_file(std::filesystem::path(folder) / "config.toml");
        *model = new qapfw_model{LibraryModel(session->session, text, {}, folder)};
    });
}

void qapfw_model_size(const qapfw_model* model, uint64_t* facilities, uint64_t* locations) {
    if (facilities != nullptr) *facilities = model == nullptr ? 0 : model->model.facilities();
    if (locations != nullptr) *locations = model == nullptr ? 0 : model->model.locations();
}

void qapfw_model_free(qapfw_model* model) {
    delete model;
}

qapfw_call_status qapfw_solve(const qapfw_model* model, const qapfw_solve_options* options, qapfw_answer** answer) {
    return guarded([&] {
        require(model, "model");
        require(answer, "answer");
        *answer = nullptr;
        *answer = new qapfw_answer{search(model->model, search_options_of(model->model, options))};
    });
}

qapfw_call_status qapfw_solve_many(const qapfw_model* const* models, uint64_t count, const qapfw_solve_options* options,
                                   qapfw_answer** answers, qapfw_call_status* statuses) {
    qapfw_call_status status = QAPFW_STATUS_OK;
    const qapfw_call_status call = guarded([&] {
        if (count == 0) return;
        require(models, "models");
        require(answers, "answers");
        require(statuses, "statuses");
        std::fill_n(answers, count, nullptr);
        for (uint64_t k = 0; k < count; ++k) require(models[k], "models[k]");
        const std::uint32_t own = models[0]->model.session().threads();
        Many many(models, count, options, answers, statuses);
        many.run(own != 0 ? own : default_thread_count());
        last_error = many.failure();
        status = many.status();
    });
    return call != QAPFW_STATUS_OK ? call : status;
}

qapfw_cancel* qapfw_cancel_new(void) {
    return new (std::nothrow) qapfw_cancel;
}

void qapfw_cancel_set(qapfw_cancel* cancel) {
    if (cancel != nullptr) cancel->cancel.set.store(true, std::memory_order_relaxed);
}

void qapfw_cancel_free(qapfw_cancel* cancel) {
    delete cancel;
}

double qapfw_answer_cost(const qapfw_answer* answer) {
    return answer->answer.costs.front();
}

const int64_t* qapfw_answer_assignment(const qapfw_answer* answer, uint64_t* size) {
    const std::vector<std::int64_t>& assignment = answer->answer.assignments.front();
    if (size != nullptr) *size = assignment.size();
    return assignment.data();
}

int32_t qapfw_answer_is_optimal(const qapfw_answer* answer) {
    return is_optimal(answer->answer.result()) ? 1 : 0;
}

int32_t qapfw_answer_is_feasible(const qapfw_answer* answer) {
    const std::optional<std::string>& broken = answer->answer.result().infeasibility;
    return !broken ? -1 : broken->empty() ? 1 : 0;
}

const char* qapfw_answer_reason(const qapfw_answer* answer) {
    return answer->answer.result().stop_reason.c_str();
}

double qapfw_answer_seconds(const qapfw_answer* answer) {
    return answer->answer.result().seconds;
}

uint64_t qapfw_answer_evaluations(const qapfw_answer* answer) {
    return answer->answer.result().counters.evaluations;
}

int32_t qapfw_answer_bound(const qapfw_answer* answer, double* bound) {
    const RunResult& result = answer->answer.result();
    const std::optional<ProvenBound> best = best_bound(result);
    if (!best) return 0;
    if (bound != nullptr) *bound = result.costs.shown(best->cost);
    return 1;
}

uint64_t qapfw_answer_solution_count(const qapfw_answer* answer) {
    return answer->answer.assignments.size();
}

const int64_t* qapfw_answer_solution(const qapfw_answer* answer, uint64_t index, double* cost) {
    const Answer& found = answer->answer;
    if (index >= found.assignments.size()) return nullptr;
    if (cost != nullptr) *cost = found.costs[index];
    return found.assignments[index].data();
}

const qapfw_trace_point* qapfw_answer_trace(const qapfw_answer* answer, uint64_t* count) {
    if (count != nullptr) *count = answer->answer.trace.size();
    return answer->answer.trace.data();
}

const char* qapfw_answer_failure(const qapfw_answer* answer) {
    return answer->answer.failure.c_str();
}

qapfw_call_status qapfw_answer_make_files(const qapfw_model* model, qapfw_answer* answer, uint64_t* count) {
    return guarded([&] {
        require(model, "model");
        require(answer, "answer");
        if (answer->answer.files.empty()) answer->answer.files = files_of(model->model, answer->answer);
        if (count != nullptr) *count = answer->answer.files.size();
    });
}

const char* qapfw_answer_file(const qapfw_answer* answer, uint64_t index, const char** name, uint64_t* size) {
    if (index >= answer->answer.files.size()) return nullptr;
    const Artefact& file = answer->answer.files[index];
    if (name != nullptr) *name = file.name.c_str();
    if (size != nullptr) *size = file.bytes.size();
    return file.bytes.c_str();
}

const char* qapfw_answer_json(const qapfw_answer* answer) {
    const qapfw_call_status status =
        guarded([&] { std::call_once(answer->is_told, [&] { answer->json = to_json(answer->answer.summary); }); });
    return status == QAPFW_STATUS_OK ? answer->json.c_str() : nullptr;
}

void qapfw_answer_free(qapfw_answer* answer) {
    delete answer;
}

qapfw_call_status qapfw_linear_assignment(const qapfw_matrix* costs, int32_t maximize, int64_t* columns) {
    return guarded([&] {
        require(costs, "costs");
        require(columns, "columns");
        solve_linear_assignment(*costs, maximize != 0, columns);
    });
}

}  // extern "C"
