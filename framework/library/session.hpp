// SPDX-License-Identifier: Apache-2.0
// A session of the library: plugins, data folders, a log, and the runs in progress.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <set>
#include <vector>

#include "framework/host/log.hpp"
#include "framework/plugin/registry.hpp"

namespace qapfw::framework {

/// Ends runs from outside. A signal handler only needs to set the flag.
struct Cancel {
    std::atomic<bool> set{false};
};

struct SessionSettings {
    std::vector<std::filesystem::path> plugin_folders, data_folders;
    std::uint32_t threads = 0;  ///< largest number of threads of one run; 0: all that the process may use
    LogLevel log_level = LogLevel::kOff;
    LogScope::Take log;
};

class LibrarySession {
  public:
    /// Logs a warning for each plugin library or folder that cannot be used.
    explicit LibrarySession(SessionSettings settings);

    const std::shared_ptr<const Registry>& registry() const { return registry_; }
    const std::vector<std::filesystem::path>& data_paths() const { return data_paths_; }
    std::uint32_t threads() const { return settings_.threads; }
    /// Throws Error(kUsage) if the session is being closed, or another process opened it.
    void check_usable() const;
    /// Ends the runs and waits for them.
    void close();

    /// Counts as a run of the session while it exists. Log lines of its thread go to the session's log. The constructor
    /// throws the same Error as check_usable().
    class Visit {
      public:
        explicit Visit(const LibrarySession& session);
        ~Visit();
        Visit(const Visit&) = delete;
        Visit& operator=(const Visit&) = delete;

      private:
        const LibrarySession& session_;
        const LogScope log_;
    };
    bool is_closing() const { return closing_.load(std::memory_order_relaxed); }

  private:
    const SessionSettings settings_;
    const std::int64_t process_;
    std::vector<std::filesystem::path> data_paths_;
    std::shared_ptr<const Registry> registry_;
    std::atomic<bool> closing_{false};
    mutable std::mutex mutex_;  // guards runs_
    mutable std::condition_variable left_;
    mutable std::uint64_t runs_ = 0;
};

}  // namespace qapfw::framework
