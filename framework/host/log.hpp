// SPDX-License-Identifier: Apache-2.0
// The log: lines of at least the chosen level to standard error, and to the run record's log file while one is open.
// spdlog stays inside log.cpp.
#pragma once

#include <fmt/core.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

namespace qapfw::framework {

enum class LogLevel { kDebug = 0, kInfo = 1, kWarning = 2, kError = 3, kOff = 4 };

/// "debug", "info", "warning", "error" or "off"; throws Error(kUsage) for other names.
LogLevel parse_log_level(const std::string& name);

void set_console_level(LogLevel level);
/// Further lines also go to this file (info and above, or debug where the console shows it). A file that cannot be
/// written is given up silently: the log is never a reason to lose a run. Returns whether it could be opened.
bool open_log_file(const std::filesystem::path& path, LogLevel level);
void close_log_file();

void log_message(LogLevel level, std::string_view text);

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
template <class... Args>
void log_error(fmt::format_string<Args...> format, Args&&... args) {
    log_message(LogLevel::kError, fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace qapfw::framework
