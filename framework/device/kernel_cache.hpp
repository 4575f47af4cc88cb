// SPDX-License-Identifier: Apache-2.0
// Compiled kernels on disk. An entry contains its whole key and a checksum. So an entry is either exactly right, or it
// is ignored, deleted and replaced. An entry is written under another name and then renamed, so any number of processes
// may use the same folder. The checksum depends on a secret that only this user can read. A folder or an entry that
// others may write is not used. So no other user can plant a kernel. One process compiles an entry; other processes
// that need the entry wait.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "framework/device/device.hpp"
#include "framework/device/keyed_checksum.hpp"

namespace qapfw::framework {

struct CacheSettings {
    bool enabled = true;                  ///< false: kernels are kept only in memory
    std::filesystem::path folder;         ///< empty: default_kernel_cache_folder()
    std::filesystem::path key_file = {};  ///< empty: kernel-cache.key in $XDG_DATA_HOME/qapfw or ~/.local/share/qapfw
};

/// $XDG_CACHE_HOME/qapfw/kernels or ~/.cache/qapfw/kernels; empty where neither is an absolute path.
std::filesystem::path default_kernel_cache_folder();

/// Makes the cache's folder and key file if they are missing, and writes a file into the folder as a test. Returns the
/// reason why this fails; empty: it works.
std::string why_not_usable(const CacheSettings& settings);

/// The 128-bit xxh3 hash of a key or a file, as 32 hexadecimal digits.
std::string hash_text(std::string_view bytes);

/// The right to compile and store one entry. As long as this object exists, other processes that want the entry wait.
/// The lock also ends when the process ends.
class EntryLock {
  public:
    EntryLock(int file, std::filesystem::path path) : file_(file), path_(std::move(path)) {}
    EntryLock(const EntryLock&) = delete;
    EntryLock& operator=(const EntryLock&) = delete;
    ~EntryLock();

  private:
    int file_;
    std::filesystem::path path_;
};

class KernelCache {
  public:
    KernelCache(const CacheSettings& settings, LogFunction log);

    /// Returns the payload that is stored under exactly this key, or nothing if there is none. If the file of this key
    /// is damaged or holds the entry of another key, it is deleted with a warning.
    std::optional<std::string> load(std::string_view key);
    /// Returns the right to compile the entry. While another process compiles the entry, waits at most 60 seconds.
    /// Afterwards the caller must look for the entry again. Returns null if the time is over, files cannot be locked or
    /// the cache keeps nothing on disk. Then several processes may compile the same entry.
    std::unique_ptr<EntryLock> lock(std::string_view key) const;
    /// Writes an entry. Never throws. If the folder cannot be written, warns once; the entry is then not on disk.
    void store(std::string_view key, std::string_view payload);
    /// Waits until no entry is being written; from then on this process stores no entry. Call this before the process
    /// exits while other threads compile.
    static void close_all();
    /// Deletes the entry, with a warning that gives `reason`. Call this if the payload turned out to be unusable.
    void discard(std::string_view key, const std::string& reason);

    const std::filesystem::path& folder() const { return folder_; }
    std::filesystem::path entry_path(std::string_view key) const;

  private:
    void warn_once(const std::string& text);

    std::filesystem::path folder_;  ///< folder of the cache; empty: nothing is kept on disk
    ChecksumKey secret_{};
    LogFunction log_;
    std::once_flag warned_;
};

}  // namespace qapfw::framework
