// SPDX-License-Identifier: Apache-2.0
#include "framework/host/log.hpp"

#include <spdlog/logger.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/base_sink.h>
#include <unistd.h>

#include <memory>
#include <mutex>
#include <utility>

#include "framework/host/console.hpp"
#include "framework/host/printable.hpp"
#include "qapfw/error.hpp"

namespace qapfw::framework {
namespace {

/// Writes through the console, so that a log line and the live progress line do not mix.
class ConsoleSink final : public spdlog::sinks::base_sink<std::mutex> {
  protected:
    void sink_it_(const spdlog::details::log_msg& message) override {
        spdlog::memory_buf_t line;
        formatter_->format(message, line);
        console_line(std::string_view(line.data(), line.size()));
    }
    void flush_() override {}
};

spdlog::level::level_enum to_spdlog(LogLevel level) {
    switch (level) {
        case LogLevel::kDebug:
            return spdlog::level::debug;
        case LogLevel::kInfo:
            return spdlog::level::info;
        case LogLevel::kWarning:
            return spdlog::level::warn;
        case LogLevel::kError:
            return spdlog::level::err;
        case LogLevel::kOff:
            break;
    }
    return spdlog::level::off;
}

/// Hands lines to a function.
class FunctionSink final : public spdlog::sinks::base_sink<std::mutex> {
  public:
    explicit FunctionSink(LogScope::Take take) : take_(std::move(take)) {}

  protected:
    void sink_it_(const spdlog::details::log_msg& message) override {
        try {
            take_(level_of(message.level), std::string_view(message.payload.data(), message.payload.size()));
        } catch (...) {  // a failing log must never end a run
        }
    }
    void flush_() override {}

  private:
    static LogLevel level_of(spdlog::level::level_enum level) {
        for (const LogLevel known : {LogLevel::kDebug, LogLevel::kInfo, LogLevel::kWarning}) {
            if (to_spdlog(known) == level) return known;
        }
        return LogLevel::kError;
    }
    const LogScope::Take take_;
};

std::shared_ptr<spdlog::sinks::sink> make_console() {
    auto console = std::make_shared<ConsoleSink>();
    // The pattern has no line end: the console adds it.
    console->set_formatter(
        std::make_unique<spdlog::pattern_formatter>("%H:%M:%S %^%l%$ %v", spdlog::pattern_time_type::local, ""));
    console->set_level(spdlog::level::info);
    return console;
}

}  // namespace

/// Writes whole lines to the end of a file that is already open.
class LogFileSink final : public spdlog::sinks::base_sink<std::mutex> {
  public:
    explicit LogFileSink(int descriptor) : descriptor_(descriptor) {}
    LogFileSink(const LogFileSink&) = delete;
    LogFileSink& operator=(const LogFileSink&) = delete;
    ~LogFileSink() override { ::close(descriptor_); }
    bool failed() const { return failed_; }

  protected:
    void sink_it_(const spdlog::details::log_msg& message) override {
        spdlog::memory_buf_t line;
        formatter_->format(message, line);
        if (::write(descriptor_, line.data(), line.size()) != static_cast<ssize_t>(line.size())) failed_ = true;
    }
    void flush_() override {}

  private:
    const int descriptor_;
    bool failed_ = false;
};

/// Destinations of log lines. `mutex` guards the pointers; the sinks have locks of their own.
struct LogTarget {
    std::mutex mutex;
    std::shared_ptr<spdlog::sinks::sink> screen;  ///< standard error, or a function
    std::shared_ptr<LogFileSink> file;
};

namespace {

thread_local std::shared_ptr<LogTarget> own_target;  // the log of this thread; null: the program's log

LogTarget& target() {
    // The object is never destroyed, since threads write log lines until the process ends.
    static auto* program = new LogTarget{{}, make_console(), {}};
    return own_target ? *own_target : *program;
}

}  // namespace

LogScope::LogScope(LogLevel level, Take take) : before_(own_target) {
    auto screen = std::make_shared<FunctionSink>(std::move(take));
    screen->set_level(to_spdlog(level));
    own_target = std::make_shared<LogTarget>();
    own_target->screen = std::move(screen);
}

LogScope::LogScope(std::shared_ptr<LogTarget> target) : before_(std::exchange(own_target, std::move(target))) {}

LogScope::~LogScope() {
    own_target = std::move(before_);
}

std::shared_ptr<LogTarget> present_log() {
    return own_target;
}

LogLevel parse_log_level(const std::string& name) {
    if (name == "debug") return LogLevel::kDebug;
    if (name == "info") return LogLevel::kInfo;
    if (name == "warning") return LogLevel::kWarning;
    if (name == "error") return LogLevel::kError;
    if (name == "off") return LogLevel::kOff;
    throw Error(ErrorKind::kUsage,
                fmt::format("log level: wanted debug, info, warning, error or off, found \"{}\"", name));
}

void set_console_level(LogLevel level) {
    target().screen->set_level(to_spdlog(level));
}

void open_log_file(int descriptor, LogLevel level) {
    const std::lock_guard lock(target().mutex);
    target().file = std::make_shared<LogFileSink>(descriptor);
    target().file->set_pattern("%Y-%m-%dT%H:%M:%S.%e%z %l %v");
    target().file->set_level(to_spdlog(level));
}

void close_log_file() {
    const std::lock_guard lock(target().mutex);
    target().file.reset();
}

void log_message(LogLevel level, std::string_view text) {
    LogTarget& to = target();
    const std::lock_guard lock(to.mutex);
    const std::string shown = printable_message(text);
    const spdlog::details::log_msg message("qapfw", to_spdlog(level), shown);
    if (to.screen->should_log(message.level)) to.screen->log(message);
    if (!to.file || !to.file->should_log(message.level)) return;
    to.file->log(message);
    if (to.file->failed()) to.file.reset();  // perhaps the disk is full; the record's other writes report that
}

}  // namespace qapfw::framework
