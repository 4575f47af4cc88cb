// SPDX-License-Identifier: Apache-2.0
// qapfw/qapfw.h for C++: owning objects instead of pointers, exceptions instead of statuses. Header-only.
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "qapfw/qapfw.h"

namespace qapfw {

/// A call failed; what() is the library's message.
class Failure : public std::runtime_error {
  public:
    Failure(qapfw_call_status status, const std::string& text) : std::runtime_error(text), status_(status) {}
    qapfw_call_status status() const { return status_; }  ///< QAPFW_STATUS_...

  private:
    qapfw_call_status status_;
};

/// Throws Failure unless the status is OK.
inline void require_ok(qapfw_call_status status) {
    if (status != QAPFW_STATUS_OK) throw Failure(status, qapfw_last_error());
}

/// The result of a search.
class Answer {
  public:
    explicit Answer(qapfw_answer* answer) : answer_(answer, qapfw_answer_free) {}
    double cost() const { return qapfw_answer_cost(answer_.get()); }
    std::string reason() const { return qapfw_answer_reason(answer_.get()); }
    bool is_optimal() const { return qapfw_answer_is_optimal(answer_.get()) != 0; }
    /// The best proven bound: no solution is better. No value if no bound is known.
    std::optional<double> bound() const {
        double bound = 0;
        return qapfw_answer_bound(answer_.get(), &bound) != 0 ? std::optional(bound) : std::nullopt;
    }
    /// False if the best solution breaks a demand of the instance. True also if the problem cannot check demands.
    bool is_feasible() const { return qapfw_answer_is_feasible(answer_.get()) != 0; }
    double seconds() const { return qapfw_answer_seconds(answer_.get()); }
    std::string json() const {
        const char* const text = qapfw_answer_json(answer_.get());
        if (text == nullptr) throw Failure(QAPFW_STATUS_MEMORY, qapfw_last_error());
        return text;
    }
    /// Location of each facility.
    std::vector<std::int64_t> assignment() const {
        std::uint64_t size = 0;
        const std::int64_t* first = qapfw_answer_assignment(answer_.get(), &size);
        return {first, first + size};
    }
    /// The improvements of the best cost, in the order in which they were found.
    std::vector<qapfw_trace_point> trace() const {
        std::uint64_t count = 0;
        const qapfw_trace_point* first = qapfw_answer_trace(answer_.get(), &count);
        return {first, first + count};
    }
    /// Tells why the search failed after it had found a solution, or else why its record is incomplete. Empty if
    /// neither happened.
    std::string failure() const { return qapfw_answer_failure(answer_.get()); }

  private:
    std::shared_ptr<qapfw_answer> answer_;
};

class Session;

/// A problem.
class Model {
  public:
    using Settings = std::vector<std::pair<std::string, std::string>>;
    /// Called during the search (see qapfw_solve_options). Returning false ends the search.
    using Progress = std::function<bool(const qapfw_progress&)>;

    Model(const Session& session, const qapfw_qap& qap);
    Model(const Session& session, const std::string& instance);

    /// Solves the problem. An exception of `progress` ends the search and is rethrown here.
    Answer solve(const Settings& settings = {}, const Progress& progress = {}) const {
        struct Call {
            const Progress& progress;
            std::exception_ptr thrown;
        } call{progress, nullptr};
        std::vector<const char*> texts;
        for (const auto& [key, value] : settings) {
            texts.push_back(key.c_str());
            texts.push_back(value.c_str());
        }
        qapfw_solve_options options{};
        options.struct_size = sizeof options;
        options.option_count = static_cast<std::uint32_t>(settings.size());
        options.options = texts.data();
        options.user = &call;
        if (progress) {
            options.progress = [](void* user, const qapfw_progress* state) noexcept -> std::int32_t {
                auto& own = *static_cast<Call*>(user);
                try {
                    return own.progress(*state) ? 0 : 1;
                } catch (...) {
                    own.thrown = std::current_exception();
                    return 1;
                }
            };
        }
        qapfw_answer* answer = nullptr;
        const qapfw_call_status status = qapfw_solve(model_.get(), &options, &answer);
        const Answer owned(answer);
        if (call.thrown) std::rethrow_exception(call.thrown);
        require_ok(status);
        return owned;
    }

  private:
    std::shared_ptr<qapfw_model> model_;
};

/// A session: plugins, data folders and a log. A program needs only one session.
class Session {
  public:
    Session() : Session(qapfw_session_options{}) {}
    explicit Session(qapfw_session_options options) {
        options.struct_size = sizeof options;
        qapfw_session* session = nullptr;
        require_ok(qapfw_session_open(&options, &session));
        session_.reset(session, qapfw_session_close);
    }
    qapfw_session* get() const { return session_.get(); }  ///< for the functions of qapfw.h

  private:
    std::shared_ptr<qapfw_session> session_;
};

inline Model::Model(const Session& session, const qapfw_qap& qap) {
    qapfw_model* model = nullptr;
    require_ok(qapfw_model_from_qap(session.get(), &qap, &model));
    model_.reset(model, qapfw_model_free);
}

inline Model::Model(const Session& session, const std::string& instance) {
    qapfw_model* model = nullptr;
    require_ok(qapfw_model_from_file(session.get(), instance.c_str(), nullptr, 0, &model));
    model_.reset(model, qapfw_model_free);
}

}  // namespace qapfw
