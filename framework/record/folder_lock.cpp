// SPDX-License-Identifier: Apache-2.0
#include "framework/record/folder_lock.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <utility>

#include "framework/host/log.hpp"
#include "framework/record/lock_owner.hpp"

namespace qapfw::framework {
namespace {

constexpr int kTries = 100;
// Pause between attempts while another process takes over the lock.
constexpr std::chrono::milliseconds kTakeoverPause{20};
constexpr int kNewFile = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
constexpr mode_t kLockPermissions = 0666;

/// Seconds between the modification times of two files in one folder. Both times come from the clock of the machine
/// that stores the files.
double seconds_between(const timespec& earlier, const timespec& later) {
    return static_cast<double>(later.tv_sec - earlier.tv_sec) +
           1e-9 * static_cast<double>(later.tv_nsec - earlier.tv_nsec);
}

/// A file that names this process. `become` makes a hard link to it with the lock's name. So a lock file is complete
/// from the beginning.
class Ticket {
  public:
    Ticket(const Folder& folder, const std::string& lock)
        : folder_(folder), name_(fmt::format(".{}-{}-{:x}", lock, ::getpid(), unique())) {
        file_ = Descriptor(::openat(folder.descriptor(), name_.c_str(), kNewFile, kLockPermissions));
        if (!file_.is_open()) folder.fail(name_, "open");
        if (write_whole(file_.get(), LockOwner::self().text())) return;
        const int reason = errno;
        ::unlinkat(folder.descriptor(), name_.c_str(), 0);
        errno = reason;
        folder.fail(name_, "write");
    }
    ~Ticket() { ::unlinkat(folder_.descriptor(), name_.c_str(), 0); }
    Ticket(const Ticket&) = delete;
    Ticket& operator=(const Ticket&) = delete;

    /// Returns true if the ticket has become the lock. Otherwise errno says why. EEXIST: there is a lock already. EIO,
    /// ENOSPC, EDQUOT: an error of the disk. Any other value: hard links do not work here.
    bool become(const std::string& lock) const {
        if (::linkat(folder_.descriptor(), name_.c_str(), folder_.descriptor(), lock.c_str(), 0) == 0) return true;
        const int reason = errno;
        struct stat info {};  // a network file system may have made the link, although linkat reported an error
        const bool linked = ::fstat(file_.get(), &info) == 0 && info.st_nlink == 2;
        errno = reason;
        return linked;
    }
    /// Seconds since `other` was last touched; 0 if unknown.
    double age_of(const struct stat& other) const {
        struct stat own {};
        ::futimens(file_.get(), nullptr);
        return ::fstat(file_.get(), &own) == 0 ? seconds_between(other.st_mtim, own.st_mtim) : 0;
    }
    Descriptor take() { return std::move(file_); }

  private:
    static std::uint64_t unique() {
        static std::atomic<std::uint64_t> counter{0};
        return static_cast<std::uint64_t>(std::chrono::system_clock::now().time_since_epoch().count()) + counter++;
    }
    const Folder& folder_;
    std::string name_;
    Descriptor file_;
};

/// An existing lock: its holder, and whether it may be taken over.
struct Found {
    LockOwner owner;
    bool dead = false;
};

std::optional<Found> find_lock(const Folder& folder, const std::string& name, const Ticket* ticket) {
    const Descriptor file(::openat(folder.descriptor(), name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    struct stat info {};
    if (!file.is_open() && errno == ENOENT) return std::nullopt;
    if (!file.is_open() || ::fstat(file.get(), &info) != 0) folder.fail(name, "open");
    char text[4096];
    const ssize_t size = S_ISREG(info.st_mode) ? ::read(file.get(), text, sizeof text) : 0;
    Found found;
    if (size > 0) found.owner = LockOwner::parse(std::string(text, static_cast<std::size_t>(size)));
    const double silence = std::chrono::duration<double>(FolderLock::kSilence).count();
    found.dead = found.owner.is_near() ? found.owner.is_gone() : ticket != nullptr && ticket->age_of(info) > silence;
    return found;
}

/// Removes a dead holder's lock. If several processes try, one succeeds; the other processes try again later.
void take_away(const Folder& folder, const std::string& name, const Ticket& ticket) {
    const std::string guard = name + ".takeover";
    const Descriptor mine(::openat(folder.descriptor(), guard.c_str(), kNewFile, kLockPermissions));
    if (!mine.is_open()) {
        struct stat info {};
        const double patience = std::chrono::duration<double>(FolderLock::kSilence).count();
        const bool there = ::fstatat(folder.descriptor(), guard.c_str(), &info, AT_SYMLINK_NOFOLLOW) == 0;
        if (there && ticket.age_of(info) > patience) ::unlinkat(folder.descriptor(), guard.c_str(), 0);
        std::this_thread::sleep_for(kTakeoverPause);
        return;
    }
    // Looks again: the lock may already belong to another process.
    const std::optional<Found> found = find_lock(folder, name, &ticket);
    if (found && found->dead) ::unlinkat(folder.descriptor(), name.c_str(), 0);
    ::unlinkat(folder.descriptor(), guard.c_str(), 0);
}

[[noreturn]] void refuse(const Folder& folder, const std::string& name, const LockOwner& owner) {
    std::string text = fmt::format("{}: in use by {}", folder.path().string(), owner.name());
    if (!owner.is_near()) {
        text += fmt::format("; if that process is gone, wait {} s after its end or remove {}",
                            FolderLock::kSilence.count(), (folder.path() / name).string());
    }
    throw FolderInUse(text);
}

/// Takes the lock by creating the lock file itself, because some shared folders support no hard links. The result is
/// not open if the lock exists.
Descriptor lock_without_links(const Folder& folder, const std::string& name) {
    Descriptor file(::openat(folder.descriptor(), name.c_str(), kNewFile, kLockPermissions));
    if (!file.is_open() && errno != EEXIST) folder.fail(name, "open");
    if (!file.is_open() || write_whole(file.get(), LockOwner::self().text())) return file;
    const int reason = errno;
    ::unlinkat(folder.descriptor(), name.c_str(), 0);
    errno = reason;
    folder.fail(name, "write");
}

Descriptor take_lock(const Folder& folder, const std::string& name) {
    Ticket ticket(folder, name);
    std::optional<Found> found;
    for (int attempt = 0; attempt < kTries; ++attempt) {
        if (ticket.become(name)) return ticket.take();
        if (errno == EIO || errno == ENOSPC || errno == EDQUOT) folder.fail(name, "link");
        if (errno != EEXIST) {
            if (Descriptor file = lock_without_links(folder, name); file.is_open()) return file;
        }
        found = find_lock(folder, name, &ticket);
        if (!found) continue;  // the lock was released meanwhile
        if (!found->dead) refuse(folder, name, found->owner);
        take_away(folder, name, ticket);
    }
    refuse(folder, name, found ? found->owner : LockOwner{});
}

}  // namespace

FolderLock::FolderLock(const Folder& folder, std::string name)
    : folder_(::fcntl(folder.descriptor(), F_DUPFD_CLOEXEC, 0)), name_(std::move(name)) {
    if (!folder_.is_open()) folder.fail(name_, "open");
    file_ = take_lock(folder, name_);
}

FolderLock::~FolderLock() {
    release();
}

void FolderLock::release() {
    if (heart_.joinable()) {
        heart_.request_stop();
        heart_.join();
    }
    if (!file_.is_open()) return;
    if (is_held()) ::unlinkat(folder_.get(), name_.c_str(), 0);
    file_ = Descriptor();
}

bool FolderLock::is_held() const {
    struct stat own {
    }, there{};
    if (!file_.is_open()) return false;
    if (::fstat(file_.get(), &own) != 0) return true;  // an unreachable disk does not mean that the lock is lost
    if (::fstatat(folder_.get(), name_.c_str(), &there, AT_SYMLINK_NOFOLLOW) != 0) return errno != ENOENT;
    return own.st_ino == there.st_ino && own.st_dev == there.st_dev;
}

void FolderLock::keep_alive() {
    if (heart_.joinable()) return;
    ::futimens(file_.get(), nullptr);
    try {
        heart_ = std::jthread(with_present_log([this](const std::stop_token& stop) { touch(stop); }));
    } catch (const std::system_error&) {
        // No thread could be started, so another machine may take over the lock. If it does, is_held() returns false.
    }
}

void FolderLock::touch(const std::stop_token& stop) {
    std::mutex mutex;
    std::condition_variable_any pause;
    std::unique_lock lock(mutex);
    while (!pause.wait_for(lock, stop, kHeartbeat, [&] { return stop.stop_requested(); })) {
        ::futimens(file_.get(), nullptr);
    }
}

void refuse_in_use(const Folder& folder, const std::string& name) {
    const std::optional<Found> found = find_lock(folder, name, nullptr);
    if (found && !found->dead) refuse(folder, name, found->owner);
}

std::optional<std::string> holder_of(const Folder& folder, const std::string& name) {
    const std::optional<Found> found = find_lock(folder, name, nullptr);
    if (!found || found->dead) return std::nullopt;
    return found->owner.name();
}

}  // namespace qapfw::framework
