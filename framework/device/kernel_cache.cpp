// SPDX-License-Identifier: Apache-2.0
// File format, little-endian: magic (16 bytes), key size, payload size (8 bytes each), key, payload, and a keyed
// checksum of all bytes before it.
#include "framework/device/kernel_cache.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <system_error>
#include <thread>
#include <utility>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace qapfw::framework {
namespace {

constexpr char kMagic[16] = {'q', 'a', 'p', 'f', 'w', '-', 'k', 'e', 'r', 'n', 'e', 'l', '-', '0', '2', '\n'};
constexpr std::size_t kHeaderBytes = sizeof(kMagic) + 2 * sizeof(std::uint64_t);
constexpr std::size_t kChecksumBytes = 16;
constexpr std::uint64_t kLargestEntry = std::uint64_t{1} << 30;  ///< bytes; real kernels are far smaller

constexpr std::chrono::milliseconds kLockLook{10};  ///< pause between two attempts to get a lock
/// Longest wait for a lock. No compilation takes that long, so a lock that is held longer belongs to a stopped process.
constexpr std::chrono::seconds kLockPatience{60};

/// The mutex that a thread holds while it stores an entry. KernelCache::close_all locks it and never unlocks it.
std::mutex& storing() {
    static auto* const mutex = new std::mutex;
    return *mutex;
}

std::filesystem::path absolute_folder(const char* variable) {
    const char* value = std::getenv(variable);
    return value != nullptr && value[0] == '/' ? std::filesystem::path(value) : std::filesystem::path();
}

std::string system_text(int code) {
    return std::generic_category().message(code);
}

class FileDescriptor {
  public:
    explicit FileDescriptor(int descriptor) : descriptor_(descriptor) {}
    FileDescriptor(const FileDescriptor&) = delete;
    FileDescriptor& operator=(const FileDescriptor&) = delete;
    ~FileDescriptor() {
        if (descriptor_ >= 0) ::close(descriptor_);
    }
    int get() const { return descriptor_; }

  private:
    int descriptor_;
};

void append_size(std::string& to, std::uint64_t size) {
    for (int byte = 0; byte < 8; ++byte) to.push_back(static_cast<char>(size >> (8 * byte)));
}

std::string pack(const ChecksumKey& secret, std::string_view key, std::string_view payload) {
    std::string file(kMagic, sizeof(kMagic));
    file.reserve(kHeaderBytes + key.size() + payload.size() + kChecksumBytes);
    append_size(file, key.size());
    append_size(file, payload.size());
    file.append(key).append(payload);
    return file + keyed_checksum(secret, file);
}

/// Returns the payload. If `file` is not the entry of `key`, returns nothing and sets `reason`.
std::optional<std::string> unpack(const ChecksumKey& secret, std::string_view file, std::string_view key,
                                  std::string& reason) {
    std::string start(kMagic, sizeof(kMagic));
    append_size(start, key.size());
    if (file.size() < kHeaderBytes + kChecksumBytes) {
        reason = fmt::format("it is only {} bytes long", file.size());
    } else if (file.substr(0, sizeof(kMagic)) != std::string_view(kMagic, sizeof(kMagic))) {
        reason = "it is no kernel cache entry of this version";
    } else if (keyed_checksum(secret, file.substr(0, file.size() - kChecksumBytes)) !=
               file.substr(file.size() - kChecksumBytes)) {
        reason = "its checksum is wrong";
    } else {
        const std::size_t payload_at = kHeaderBytes + key.size();
        if (file.size() >= payload_at + kChecksumBytes && file.substr(0, start.size()) == start &&
            file.substr(kHeaderBytes, key.size()) == key) {
            const std::string_view payload = file.substr(payload_at, file.size() - kChecksumBytes - payload_at);
            append_size(start, payload.size());
            if (file.substr(0, kHeaderBytes) == start) return std::string(payload);
        }
        reason = "it was made from other source code or with other options";
    }
    return std::nullopt;
}

/// Returns why another user may have written a file or folder, or an empty text if no other user could. A forged kernel
/// would have all rights of this user on a GPU.
std::string distrust(const struct stat& info) {
    if (info.st_uid != ::geteuid()) {
        return fmt::format("it must belong to user {}, found user {}", ::geteuid(), info.st_uid);
    }
    if ((info.st_mode & (S_IWGRP | S_IWOTH)) == 0) return {};
    return fmt::format("it must not be writable by others, found permissions {:o}", info.st_mode & 07777U);
}

/// Returns the contents of a regular file. On failure returns nothing and sets `reason`, which stays empty if there is
/// no such file.
std::optional<std::string> read_file(const std::filesystem::path& path, std::string& reason) {
    // O_NONBLOCK: if somebody put a FIFO there, opening it must not block the run.
    const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW));
    struct stat info {};
    if (file.get() < 0 || ::fstat(file.get(), &info) != 0) {
        if (errno != ENOENT && errno != ENOTDIR) reason = "it cannot be read: " + system_text(errno);
        return std::nullopt;
    }
    if (!S_ISREG(info.st_mode) || static_cast<std::uint64_t>(info.st_size) > kLargestEntry) {
        reason = S_ISREG(info.st_mode) ? "it is too large" : "it is no regular file";
        return std::nullopt;
    }
    reason = distrust(info);
    if (!reason.empty()) return std::nullopt;
    std::string bytes(static_cast<std::size_t>(info.st_size), '\0');
    std::size_t done = 0;
    while (done < bytes.size()) {
        const ssize_t count = ::read(file.get(), bytes.data() + done, bytes.size() - done);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) {
            reason = "it cannot be read: " + system_text(errno);
            return std::nullopt;
        }
        if (count == 0) break;
        done += static_cast<std::size_t>(count);
    }
    bytes.resize(done);
    return bytes;
}

/// Writes and syncs a new file. Returns why this failed, or an empty text.
std::string write_new_file(const std::filesystem::path& path, std::string_view bytes) {
    const FileDescriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (file.get() < 0) return system_text(errno);
    while (!bytes.empty()) {
        const ssize_t count = ::write(file.get(), bytes.data(), bytes.size());
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return system_text(errno);
        bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    return ::fsync(file.get()) == 0 ? std::string() : system_text(errno);
}

/// Returns a path that no other process or thread uses. It lies in the folder itself, so that a rename stays within one
/// file system.
std::filesystem::path temporary_path(const std::filesystem::path& folder) {
    static std::atomic<unsigned> counter{0};
    // Two hosts may use the same folder and have processes of the same number. The time makes the files' names differ.
    const auto ticks = std::chrono::system_clock::now().time_since_epoch().count();
    return folder / fmt::format(".{}-{}-{:x}.tmp", ::getpid(), counter++, ticks);
}

/// Replaces the contents of file `path` by `bytes` in one step. Returns why this failed, or an empty text.
std::string write_atomically(const std::filesystem::path& path, std::string_view bytes) {
    const std::filesystem::path temporary = temporary_path(path.parent_path());
    std::string reason = write_new_file(temporary, bytes);
    if (reason.empty() && ::rename(temporary.c_str(), path.c_str()) != 0) reason = system_text(errno);
    if (!reason.empty()) ::unlink(temporary.c_str());
    return reason;
}

/// Makes `folder` and the folders above it where they are missing. Only this user gets access to a new `folder`.
/// Returns why `folder` cannot be used, or an empty text.
std::string prepare_folder(const std::filesystem::path& folder) {
    std::error_code ignored;
    if (folder.has_parent_path()) std::filesystem::create_directories(folder.parent_path(), ignored);
    if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) return "cannot be written: " + system_text(errno);
    struct stat info {};
    if (::stat(folder.c_str(), &info) != 0) return "cannot be inspected: " + system_text(errno);
    if (!S_ISDIR(info.st_mode)) return "is no folder";
    const std::string reason = distrust(info);
    return reason.empty() ? reason : "is not used: " + reason;
}

/// Writes a new random key. The file is written under another name and then gets its final name by a hard link. So
/// other processes find a whole key or none, and no process replaces a key. Returns why this failed, or an empty text.
std::string make_key(const std::filesystem::path& path) {
    ChecksumKey key{};
    if (::getrandom(key.data(), key.size(), 0) != static_cast<ssize_t>(key.size())) return system_text(errno);
    const std::filesystem::path temporary = temporary_path(path.parent_path());
    std::string reason = write_new_file(temporary, {reinterpret_cast<const char*>(key.data()), key.size()});
    if (reason.empty() && ::link(temporary.c_str(), path.c_str()) != 0 && errno != EEXIST) reason = system_text(errno);
    ::unlink(temporary.c_str());
    return reason;
}

/// Returns this user's key, and makes it on first use. If this fails, returns nothing and sets `reason`.
std::optional<ChecksumKey> find_key(const std::filesystem::path& path, std::string& reason) {
    for (int attempt = 0; attempt < 2; ++attempt) {
        reason.clear();
        const auto bytes = read_file(path, reason);
        if (bytes && bytes->size() == ChecksumKey{}.size()) {
            ChecksumKey key{};
            std::memcpy(key.data(), bytes->data(), key.size());
            return key;
        }
        if (bytes) reason = "it does not hold a key";
        if (reason.empty()) reason = make_key(path);
        if (!reason.empty()) return std::nullopt;
    }
    return std::nullopt;
}

/// The key's file if the settings name none. It lies in the folder for the user's data, since several users may share
/// the folder for caches.
std::filesystem::path default_key_file() {
    const std::filesystem::path file = std::filesystem::path("qapfw") / "kernel-cache.key";
    if (const auto data = absolute_folder("XDG_DATA_HOME"); !data.empty()) return data / file;
    if (const auto home = absolute_folder("HOME"); !home.empty()) return home / ".local" / "share" / file;
    return {};
}

/// The cache's folder and key, or the reason why the cache cannot be used.
struct Opened {
    std::filesystem::path folder;
    ChecksumKey secret{};
    std::string problem;  ///< why the cache cannot be used, as one sentence; empty if it can be used
};

Opened open_cache(const CacheSettings& settings) {
    Opened opened;
    opened.folder = settings.folder.empty() ? default_kernel_cache_folder() : settings.folder;
    if (opened.folder.empty()) {
        opened.problem = "neither XDG_CACHE_HOME nor HOME is set";
        return opened;
    }
    if (const std::string reason = prepare_folder(opened.folder); !reason.empty()) {
        opened.problem = fmt::format("{} {}", opened.folder.string(), reason);
        return opened;
    }
    const std::filesystem::path key_file = settings.key_file.empty() ? default_key_file() : settings.key_file;
    if (key_file.empty()) {
        opened.problem = "there is no folder for the key of the kernel cache: neither XDG_DATA_HOME nor HOME is set";
        return opened;
    }
    std::error_code ignored;
    std::filesystem::create_directories(key_file.parent_path(), ignored);
    std::string reason;
    if (const auto secret = find_key(key_file, reason)) {
        opened.secret = *secret;
    } else {
        opened.problem =
            fmt::format("the key file of the kernel cache, {}, cannot be used: {}", key_file.string(), reason);
    }
    return opened;
}

}  // namespace

std::string hash_text(std::string_view bytes) {
    const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
    return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

std::filesystem::path default_kernel_cache_folder() {
    const std::filesystem::path folder = std::filesystem::path("qapfw") / "kernels";
    if (const auto cache = absolute_folder("XDG_CACHE_HOME"); !cache.empty()) return cache / folder;
    if (const auto home = absolute_folder("HOME"); !home.empty()) return home / ".cache" / folder;
    return {};
}

std::string why_not_usable(const CacheSettings& settings) {
    const Opened opened = open_cache(settings);
    if (!opened.problem.empty()) return opened.problem;
    const std::filesystem::path probe = temporary_path(opened.folder);
    const std::string reason = write_new_file(probe, "probe");
    ::unlink(probe.c_str());
    return reason.empty() ? reason : fmt::format("{} cannot be written: {}", opened.folder.string(), reason);
}

KernelCache::KernelCache(const CacheSettings& settings, LogFunction log) : log_(std::move(log)) {
    if (!settings.enabled) return;
    Opened opened = open_cache(settings);
    if (opened.problem.empty()) {
        folder_ = std::move(opened.folder);
        secret_ = opened.secret;
    } else {
        warn_once("compiled kernels are kept in memory only: " + opened.problem);
    }
}

std::filesystem::path KernelCache::entry_path(std::string_view key) const {
    return folder_ / (hash_text(key) + ".bin");
}

std::optional<std::string> KernelCache::load(std::string_view key) {
    if (folder_.empty()) return std::nullopt;
    const std::filesystem::path path = entry_path(key);
    std::string reason;
    std::optional<std::string> payload;
    if (const auto bytes = read_file(path, reason)) payload = unpack(secret_, *bytes, key, reason);
    if (!reason.empty()) discard(key, reason);
    return payload;
}

EntryLock::~EntryLock() {
    // Waiting processes have opened the file already. So one of them still gets the lock, and finds the entry.
    ::unlink(path_.c_str());
    ::close(file_);
}

std::unique_ptr<EntryLock> KernelCache::lock(std::string_view key) const {
    if (folder_.empty()) return nullptr;
    std::filesystem::path path = entry_path(key);
    path.replace_extension(".lock");
    const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file < 0) return nullptr;
    const auto last = std::chrono::steady_clock::now() + kLockPatience;
    while (::flock(file, LOCK_EX | LOCK_NB) != 0) {
        const bool held = errno == EWOULDBLOCK || errno == EINTR;
        if (!held || std::chrono::steady_clock::now() > last) {
            ::close(file);
            return nullptr;
        }
        std::this_thread::sleep_for(kLockLook);
    }
    return std::make_unique<EntryLock>(file, std::move(path));
}

void KernelCache::close_all() {
    storing().lock();
}

void KernelCache::store(std::string_view key, std::string_view payload) {
    if (folder_.empty()) return;
    const std::lock_guard lock(storing());
    const std::string reason = write_atomically(entry_path(key), pack(secret_, key, payload));
    if (reason.empty()) return;
    warn_once(
        fmt::format("compiled kernels are kept in memory only: {} cannot be written: {}", folder_.string(), reason));
}

void KernelCache::discard(std::string_view key, const std::string& reason) {
    if (folder_.empty()) return;
    const std::filesystem::path path = entry_path(key);
    if (log_) {
        log_(QAPFW_LOG_WARNING,
             fmt::format("the cached kernel {} is ignored and compiled again: {}", path.string(), reason));
    }
    ::unlink(path.c_str());
}

void KernelCache::warn_once(const std::string& text) {
    std::call_once(warned_, [&] {
        if (log_) log_(QAPFW_LOG_WARNING, text);
    });
}

}  // namespace qapfw::framework
