// SPDX-License-Identifier: Apache-2.0
// File format, little-endian: magic (16 bytes), key size, payload size (8 bytes each), key, payload, xxh3-128 of all of
// it.
#include "framework/device/kernel_cache.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <system_error>
#include <utility>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace qapfw::framework {
namespace {

constexpr char kMagic[16] = {'q', 'a', 'p', 'f', 'w', '-', 'k', 'e', 'r', 'n', 'e', 'l', '-', '0', '1', '\n'};
constexpr std::size_t kHeaderBytes = sizeof(kMagic) + 2 * sizeof(std::uint64_t);
constexpr std::size_t kChecksumBytes = 16;
constexpr std::uint64_t kLargestEntry = std::uint64_t{1} << 30;  ///< bytes; no real kernel comes near

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

std::string checksum(std::string_view bytes) {
    XXH128_canonical_t canonical;
    XXH128_canonicalFromHash(&canonical, XXH3_128bits(bytes.data(), bytes.size()));
    return {reinterpret_cast<const char*>(canonical.digest), sizeof(canonical.digest)};
}

void append_size(std::string& to, std::uint64_t size) {
    for (int byte = 0; byte < 8; ++byte) to.push_back(static_cast<char>(size >> (8 * byte)));
}

std::string pack(std::string_view key, std::string_view payload) {
    std::string file(kMagic, sizeof(kMagic));
    file.reserve(kHeaderBytes + key.size() + payload.size() + kChecksumBytes);
    append_size(file, key.size());
    append_size(file, payload.size());
    file.append(key).append(payload);
    return file + checksum(file);
}

/// The payload, or nothing and the reason why this is not the entry of `key`.
std::optional<std::string> unpack(std::string_view file, std::string_view key, std::string& reason) {
    std::string start(kMagic, sizeof(kMagic));
    append_size(start, key.size());
    if (file.size() < kHeaderBytes + kChecksumBytes) {
        reason = fmt::format("it is only {} bytes long", file.size());
    } else if (file.substr(0, sizeof(kMagic)) != std::string_view(kMagic, sizeof(kMagic))) {
        reason = "it is no kernel cache entry of this version";
    } else if (checksum(file.substr(0, file.size() - kChecksumBytes)) != file.substr(file.size() - kChecksumBytes)) {
        reason = "its checksum is wrong";
    } else {
        const std::size_t payload_at = kHeaderBytes + key.size();
        if (file.size() >= payload_at + kChecksumBytes && file.substr(0, start.size()) == start &&
            file.substr(kHeaderBytes, key.size()) == key) {
            const std::string_view payload = file.substr(payload_at, file.size() - kChecksumBytes - payload_at);
            append_size(start, payload.size());
            if (file.substr(0, kHeaderBytes) == start) return std::string(payload);
        }
        reason = "it belongs to other texts";
    }
    return std::nullopt;
}

/// The whole regular file, or nothing and the reason; `reason` stays empty where there is no such file.
std::optional<std::string> read_file(const std::filesystem::path& path, std::string& reason) {
    // O_NONBLOCK: a FIFO in the entry's place must not block the run.
    const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    struct stat info {};
    if (file.get() < 0 || ::fstat(file.get(), &info) != 0) {
        if (errno != ENOENT && errno != ENOTDIR) reason = "it cannot be read: " + system_text(errno);
        return std::nullopt;
    }
    if (!S_ISREG(info.st_mode) || static_cast<std::uint64_t>(info.st_size) > kLargestEntry) {
        reason = S_ISREG(info.st_mode) ? "it is too large" : "it is no regular file";
        return std::nullopt;
    }
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

/// Writes and syncs a new file; returns the reason of a failure, or nothing.
std::string write_new_file(const std::filesystem::path& path, std::string_view bytes) {
    const FileDescriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644));
    if (file.get() < 0) return system_text(errno);
    while (!bytes.empty()) {
        const ssize_t count = ::write(file.get(), bytes.data(), bytes.size());
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return system_text(errno);
        bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    return ::fsync(file.get()) == 0 ? std::string() : system_text(errno);
}

/// In the folder itself, so that a rename stays within one file system. Unique among processes and threads.
std::filesystem::path temporary_path(const std::filesystem::path& folder) {
    static std::atomic<unsigned> counter{0};
    // The time tells hosts apart that share the folder and have a process of the same number.
    const auto ticks = std::chrono::system_clock::now().time_since_epoch().count();
    return folder / fmt::format(".{}-{}-{:x}.tmp", ::getpid(), counter++, ticks);
}

/// Replaces `path` by `bytes` at once; returns the reason of a failure, or nothing.
std::string write_atomically(const std::filesystem::path& path, std::string_view bytes) {
    const std::filesystem::path temporary = temporary_path(path.parent_path());
    std::string reason = write_new_file(temporary, bytes);
    if (reason.empty() && ::rename(temporary.c_str(), path.c_str()) != 0) reason = system_text(errno);
    if (!reason.empty()) ::unlink(temporary.c_str());
    return reason;
}

}  // namespace

std::string hash_text(std::string_view bytes) {
    std::string text;
    for (const char byte : checksum(bytes)) text += fmt::format("{:02x}", static_cast<unsigned char>(byte));
    return text;
}

std::filesystem::path default_kernel_cache_folder() {
    const auto absolute = [](const char* name) {
        const char* value = std::getenv(name);
        return value != nullptr && value[0] == '/' ? std::filesystem::path(value) : std::filesystem::path();
    };
    if (const auto cache = absolute("XDG_CACHE_HOME"); !cache.empty()) return cache / "qapfw" / "kernels";
    if (const auto home = absolute("HOME"); !home.empty()) return home / ".cache" / "qapfw" / "kernels";
    return {};
}

std::string why_not_writable(const std::filesystem::path& folder) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) return error.message();
    const std::filesystem::path probe = temporary_path(folder);
    std::string reason = write_new_file(probe, "probe");
    ::unlink(probe.c_str());
    return reason;
}

KernelCache::KernelCache(const CacheSettings& settings, LogFunction log) : log_(std::move(log)) {
    if (!settings.enabled) return;
    folder_ = settings.folder.empty() ? default_kernel_cache_folder() : settings.folder;
    if (folder_.empty()) warn_once("compiled kernels are kept in memory only: neither XDG_CACHE_HOME nor HOME is set");
}

std::filesystem::path KernelCache::entry_path(std::string_view key) const {
    return folder_ / (hash_text(key) + ".bin");
}

std::optional<std::string> KernelCache::load(std::string_view key) {
    if (folder_.empty()) return std::nullopt;
    const std::filesystem::path path = entry_path(key);
    std::string reason;
    std::optional<std::string> payload;
    if (const auto bytes = read_file(path, reason)) payload = unpack(*bytes, key, reason);
    if (!reason.empty()) discard(key, reason);
    return payload;
}

void KernelCache::store(std::string_view key, std::string_view payload) {
    if (folder_.empty()) return;
    std::error_code error;
    std::filesystem::create_directories(folder_, error);
    const std::string reason = error ? error.message() : write_atomically(entry_path(key), pack(key, payload));
    if (reason.empty()) return;
    warn_once(
        fmt::format("compiled kernels are kept in memory only: {} cannot be written: {}", folder_.string(), reason));
}

void KernelCache::discard(std::string_view key, const std::string& reason) {
    if (folder_.empty()) return;
    const std::filesystem::path path = entry_path(key);
    if (log_) {
        log_(QAPFW_LOG_WARNING,
             fmt::format("the cached kernel {} is not used and compiled anew: {}", path.string(), reason));
    }
    ::unlink(path.c_str());
}

void KernelCache::warn_once(const std::string& text) {
    std::call_once(warned_, [&] {
        if (log_) log_(QAPFW_LOG_WARNING, text);
    });
}

}  // namespace qapfw::framework
