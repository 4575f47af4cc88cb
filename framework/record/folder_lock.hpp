// SPDX-License-Identifier: Apache-2.0
// Lets one process at a time work in a folder. The lock is a file that names its holder. The holder touches the file
// every few seconds, so that the lock works on network file systems too. Another process may take over a dead holder's
// lock. A holder that is near (see LockOwner::is_near) is dead if its process has ended. Any other holder counts as
// dead if it has been silent for kSilence.
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

/// Another process holds the lock; the message names the process and its machine.
class FolderInUse : public Error {
  public:
    explicit FolderInUse(const std::string& message) : Error(ErrorKind::kUsage, message) {}
};

class FolderLock {
  public:
    static constexpr std::chrono::seconds kHeartbeat{5};
    static constexpr std::chrono::seconds kSilence{60};
    static constexpr const char* kFile = "lock";

    /// Takes the lock. Throws FolderInUse if another process holds it, Error(kIo) if the folder cannot be written.
    explicit FolderLock(const Folder& folder, std::string name = kFile);
    /// Releases the lock, unless another process has taken it over.
    ~FolderLock();
    FolderLock(const FolderLock&) = delete;
    FolderLock& operator=(const FolderLock&) = delete;

    /// Sets the time of the lock file to now, and starts a thread that sets it again every kHeartbeat. Call this
    /// function as soon as the program may start threads.
    void keep_alive();
    /// True if this process still holds the lock. A machine that slept for longer than kSilence may have lost the lock.
    bool is_held() const;
    /// Releases the lock now.
    void release();

  private:
    void touch(const std::stop_token& stop);

    Descriptor folder_;
    std::string name_;
    Descriptor file_;
    std::jthread heart_;
};

/// The living process that holds the folder's lock, as LockOwner::name() shows it. Nothing if no living process holds
/// the lock. A holder that is not near (see LockOwner::is_near) counts as living.
std::optional<std::string> holder_of(const Folder& folder, const std::string& name = FolderLock::kFile);
/// Throws FolderInUse if a living process (see holder_of) holds the folder's lock. Does not take the lock.
void refuse_in_use(const Folder& folder, const std::string& name = FolderLock::kFile);

}  // namespace qapfw::framework
