// SPDX-License-Identifier: Apache-2.0
// The log. Lines go to standard error and, while a run record is open, also to the record's log file. Each of the two
// has a least level: lines below this level are dropped. A thread may have a log of its own instead (LogScope), as in
// runs inside another program. Only log.cpp includes spdlog.
#pragma once

#include <fmt/core.h>

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace qapfw::framework {

enum class LogLevel { kDebug = 0, kInfo = 1, kWarning = 2, kError = 3, kOff = 4 };

/// The level for "debug", "info", "warning", "error" or "off"; throws Error(kUsage) for other names.
LogLevel parse_log_level(const std::string& name);

/// Sets the least level of the lines that go to standard error. In a thread with a LogScope, sets the least level of
/// the lines that go to the LogScope's function instead.
void set_console_level(LogLevel level);
/// From now on, lines of at least `level` also go to this open file, until close_log_file closes it. A file that cannot
/// be written is dropped silently: a failing log must never end a run.
void open_log_file(int descriptor, LogLevel level);
void close_log_file();

void log_message(LogLevel level, std::string_view text);

struct LogTarget;

/// While a LogScope exists, its thread has a log of its own. Lines of at least `level` go to a function instead of
/// standard error, and opening or closing the log file affects only this log. Scopes may be nested.
class LogScope {
  public:
    using Take = std::function<void(LogLevel, std::string_view)>;
    /// The log calls `take` from several threads, but never from two at once. Exceptions from `take` are dropped.
    LogScope(LogLevel level, Take take);
    /// Uses the log `target`, which another thread got from present_log(). Null: uses the program's log.
    explicit LogScope(std::shared_ptr<LogTarget> target);
    ~LogScope();
    LogScope(const LogScope&) = delete;
    LogScope& operator=(const LogScope&) = delete;

  private:
    std::shared_ptr<LogTarget> before_;
};

/// The log of this thread, to be passed to threads that it starts; null if the thread uses the program's log.
std::shared_ptr<LogTarget> present_log();

/// Wraps `body` for a new thread, so that the log lines of `body` go to the log of the calling thread.
template <class Body>
auto with_present_log(Body body) {
    return [log = present_log(), body = std::move(body)](auto&&... arguments) mutable {
        const LogScope scope(log);
        body(std::forward<decltype(arguments)>(arguments)...);
    };
}

template <class... Args>
void log_debug(fmt::format_string<Args...> format, Args&&... args) {
    log_message(LogLevel::kDebug, fmt::format(format, std::forward<Args>(args)...));
}
template <class... Args>
void log_info(fmt::format_string<Args...> format, Args&&... args) {
    log_message(LogLevel::kInfo, fmt::format(format, std::forward<Args>(args)...));
}
template <class... Args>
void log_warning(fmt::format_string<Args...> format, Args&&... args) {
    log_message(LogLevel::kWarning, fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace qapfw::framework
