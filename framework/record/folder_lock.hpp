// SPDX-License-Identifier: Apache-2.0
// One process at a time works in a folder. The lock is a file that says who holds it and that its holder touches every
// few seconds, so that it works on network file systems too. It is taken over from a holder that is dead: one of this
// machine whose process is gone, or one of another machine that has been silent for kSilence.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "framework/record/folder.hpp"
#include "qapfw/error.hpp"

namespace qapfw::framework {

/// Another process holds the lock; the message says which, on which machine.
class FolderInUse : public Error {
  public:
    explicit FolderInUse(const std::string& message) : Error(ErrorKind::kUsage, message) {}
};

class FolderLock {
  public:
    static constexpr std::chrono::seconds kHeartbeat{5};
    static constexpr std::chrono::seconds kSilence{60};
    static constexpr const char* kFile = "lock";

    /// Takes the lock. Throws FolderInUse, and Error(kIo) where the folder cannot be written.
    explicit FolderLock(const Folder& folder, std::string name = kFile);
    /// Gives it back, unless another process has taken it over.
    ~FolderLock();
    FolderLock(const FolderLock&) = delete;
    FolderLock& operator=(const FolderLock&) = delete;

    /// Begins to touch the file, in a thread of its own: call it once the program may have threads, and soon.
    void keep_alive();
    /// True if the lock is still this process's: a machine that slept for longer than kSilence may have lost it.
    bool is_held() const;
    /// Gives it back now.
    void release();

  private:
    void touch(const std::stop_token& stop);

    Descriptor folder_;
    std::string name_;
    Descriptor file_;
    std::jthread heart_;
};

/// "process 123 on host" of the process that holds the folder's lock and lives, or nothing.
std::optional<std::string> holder_of(const Folder& folder, const std::string& name = FolderLock::kFile);
/// Throws FolderInUse where a living process holds the folder's lock, without a try to take it.
void refuse_in_use(const Folder& folder, const std::string& name = FolderLock::kFile);

}  // namespace qapfw::framework
