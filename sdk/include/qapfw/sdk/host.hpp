// SPDX-License-Identifier: Apache-2.0
// The framework's services as C++, and the guard that keeps exceptions inside a plugin.
#pragma once

#include <cstdint>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "qapfw/abi/host.h"
#include "qapfw/error.hpp"

namespace qapfw::sdk {

/// Says that a function of the C interface failed. Code that catches this error only returns the status, because the
/// framework already has the message.
class StatusError : public std::exception {
  public:
    /// `status` is not QAPFW_OK; `what` names the call.
    StatusError(qapfw_status status, const char* what) : status_(status), what_(what) {}
    qapfw_status status() const { return status_; }  ///< status that the call returned
    /// The call's name; the framework has the message about the failure.
    const char* what() const noexcept override { return what_.c_str(); }

  private:
    qapfw_status status_;
    std::string what_;
};

/// The error of a long call that stopped because the run must end. The code that gave the call a StopQuestion catches
/// this error.
class Stopped : public StatusError {
  public:
    Stopped() : StatusError(QAPFW_STOPPED, "stopped") {}  ///< An error with the status QAPFW_STOPPED.
};

/// The question whether long work must stop. Without a function the answer is always no.
struct StopQuestion {
    std::int32_t (*should_stop)(void* context) = nullptr;  ///< nonzero: stop; any thread may ask
    void* context = nullptr;                               ///< the argument of the function
    /// True if the work must stop. Always false if there is no function.
    bool operator()() const { return should_stop != nullptr && should_stop(context) != 0; }
};

/// Throws StatusError unless `status` is OK; `what` names the call. Throws Stopped for QAPFW_STOPPED.
inline void check(qapfw_status status, const char* what) {
    if (status == QAPFW_STOPPED) throw Stopped();
    if (status != QAPFW_OK) throw StatusError(status, what);
}

/// The status of the C interface for a kind of failure.
inline qapfw_status status_of(ErrorKind kind) {
    switch (kind) {
        case ErrorKind::kUsage:
        case ErrorKind::kInput:
        case ErrorKind::kIo:  // all files that plugins read are the user's input
            return QAPFW_ERROR_INPUT;
        case ErrorKind::kUnsupported:
            return QAPFW_ERROR_UNSUPPORTED;
        case ErrorKind::kMemory:
            return QAPFW_ERROR_MEMORY;
        case ErrorKind::kDevice:
            return QAPFW_ERROR_DEVICE;
        default:
            return QAPFW_ERROR;
    }
}

/// Runs `body` and returns QAPFW_OK. Turns every exception into a status; the message goes to `host`, unless `host` is
/// null or has the message already (StatusError). Functions of the C interface that return a status use `guarded`.
template <class Body>
qapfw_status guarded(const qapfw_host* host, Body&& body) noexcept {
    const auto fail = [host](qapfw_status status, std::string_view text) {
        if (host != nullptr) host->set_error(host->context, text.data(), text.size());
        return status;
    };
    try {
        std::forward<Body>(body)();
        return QAPFW_OK;
    } catch (const StatusError& error) {
        return error.status();
    } catch (const Error& error) {
        return fail(status_of(error.kind()), error.what());
    } catch (const std::bad_alloc&) {
        return fail(QAPFW_ERROR_MEMORY, "out of memory");
    } catch (const std::exception& error) {
        return fail(QAPFW_ERROR, error.what());
    } catch (...) {
        return fail(QAPFW_ERROR, "an exception of unknown type left the plugin");
    }
}

/// The framework's services: the log, parallel loops, reports of "auto" values, and more. Copyable. A Host and its
/// copies are valid as long as the plugin object that received the Host.
class Host {
  public:
    /// `host` must outlive this object.
    explicit Host(const qapfw_host* host) : host_(host) {}
    const qapfw_host* get() const { return host_; }  ///< the C form

    /// @{
    /// Writes one line, without a newline, to the log; the function's name says the level. Any thread may call it.
    void debug(std::string_view text) const { log(QAPFW_LOG_DEBUG, text); }
    void info(std::string_view text) const { log(QAPFW_LOG_INFO, text); }
    void warn(std::string_view text) const { log(QAPFW_LOG_WARNING, text); }
    /// @}

    /// Number of workers of parallel_for, at least 1. Each body gets a `worker` below this number.
    std::uint32_t workers() const { return host_->worker_count; }

    /// Runs body(index, worker) for each index below `count` on the framework's threads. Throws the first failure. Only
    /// the main thread may call it.
    template <class Body>
    void parallel_for(std::uint64_t count, Body&& body) const {
        struct Call {
            const qapfw_host* host;
            std::remove_reference_t<Body>* body;
        } call{host_, &body};
        const qapfw_loop_body trampoline = [](void* user, std::uint64_t index, std::uint32_t worker) -> qapfw_status {
            auto* self = static_cast<Call*>(user);
            return guarded(self->host, [&] { (*self->body)(index, worker); });
        };
        check(host_->parallel_for(host_->context, count, trampoline, &call), "parallel_for");
    }

    /// Returns the table of the optional service `id` that the host offers, or null if it does not offer this service.
    template <class Table>
    const Table* service(const char* id) const {
        if (host_->get_capability == nullptr) return nullptr;
        return static_cast<const Table*>(host_->get_capability(host_->context, id));
    }

    /// The question whether the run must end. Long work that makes no other call to the framework asks this question.
    StopQuestion stop() const {
        const auto* stop = service<qapfw_host_stop>(QAPFW_HOST_STOP);
        return stop == nullptr ? StopQuestion{} : StopQuestion{stop->should_stop, host_->context};
    }

    /// Reports the value that the plugin chose for an "auto" parameter. Call it only during construction. The value is
    /// a number, a flag, a text (also for a choice) or a list of texts. A value that does not fit the declaration ends
    /// the run with a message.
    template <class T>
    void resolve(const char* name, const T& value) const {
        qapfw_value said{};
        said.present = 1;
        if constexpr (std::is_same_v<T, bool>) {
            said.type = QAPFW_PARAMETER_BOOLEAN;
            said.integer = value ? 1 : 0;
            host_->resolve(host_->context, name, &said);
        } else if constexpr (std::is_integral_v<T>) {
            said.type = QAPFW_PARAMETER_INTEGER;
            said.integer = static_cast<std::int64_t>(value);
            host_->resolve(host_->context, name, &said);
        } else if constexpr (std::is_floating_point_v<T>) {
            said.type = QAPFW_PARAMETER_REAL;
            said.real = value;
            host_->resolve(host_->context, name, &said);
        } else if constexpr (std::is_convertible_v<const T&, std::string_view>) {
            const std::string text{std::string_view(value)};
            said.type = QAPFW_PARAMETER_TEXT;
            said.text = text.c_str();
            host_->resolve(host_->context, name, &said);
        } else {
            std::vector<const char*> texts;
            for (const std::string& text : value) texts.push_back(text.c_str());
            said.type = QAPFW_PARAMETER_LIST;
            said.list = texts.data();
            said.list_count = static_cast<std::uint32_t>(texts.size());
            host_->resolve(host_->context, name, &said);
        }
    }

  private:
    void log(std::int32_t level, std::string_view text) const {
        host_->log(host_->context, level, text.data(), text.size());
    }
    const qapfw_host* host_;
};

}  // namespace qapfw::sdk
