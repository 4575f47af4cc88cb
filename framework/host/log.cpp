// SPDX-License-Identifier: Apache-2.0
#include "framework/host/log.hpp"

#include <spdlog/logger.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/base_sink.h>
#include <unistd.h>

#include <memory>
#include <mutex>

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

/// Whole lines at the end of a file that is open already.
class FileSink final : public spdlog::sinks::base_sink<std::mutex> {
  public:
    explicit FileSink(int descriptor) : descriptor_(descriptor) {}
    FileSink(const FileSink&) = delete;
    FileSink& operator=(const FileSink&) = delete;
    ~FileSink() override { ::close(descriptor_); }
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

/// The two sinks. `mutex` guards the pointers; the sinks guard themselves.
struct Sinks {
    std::mutex mutex;
    std::shared_ptr<ConsoleSink> console = std::make_shared<ConsoleSink>();
    std::shared_ptr<FileSink> file;

    Sinks() {
        // Without the end of the line, which the console adds.
        console->set_formatter(
            std::make_unique<spdlog::pattern_formatter>("%H:%M:%S %^%l%$ %v", spdlog::pattern_time_type::local, ""));
        console->set_level(spdlog::level::info);
    }
};

Sinks& sinks() {
    static auto* instance = new Sinks;  // never destroyed, since threads may log until the process ends
    return *instance;
}

}  // namespace

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
    sinks().console->set_level(to_spdlog(level));
}

void open_log_file(int descriptor, LogLevel level) {
    const std::lock_guard lock(sinks().mutex);
    sinks().file = std::make_shared<FileSink>(descriptor);
    sinks().file->set_pattern("%Y-%m-%dT%H:%M:%S.%e%z %l %v");
    sinks().file->set_level(to_spdlog(level));
}

void close_log_file() {
    const std::lock_guard lock(sinks().mutex);
    sinks().file.reset();
}

void log_message(LogLevel level, std::string_view text) {
    const std::lock_guard lock(sinks().mutex);
    const std::string shown = printable_message(text);
    const spdlog::details::log_msg message("qapfw", to_spdlog(level), shown);
    if (sinks().console->should_log(message.level)) sinks().console->log(message);
    if (!sinks().file || !sinks().file->should_log(message.level)) return;
    sinks().file->log(message);
    if (sinks().file->failed()) sinks().file.reset();  // disk full: the record's own writes report it
}

}  // namespace qapfw::framework
