// SPDX-License-Identifier: Apache-2.0
// Compiled kernels on disk. An entry has its whole key and a checksum in it. So what is found under its name is either
// exactly right, or is ignored, deleted and replaced. Entries appear by rename, so any number of processes may use the
// same folder. The checksum is by a key that this user alone can read, and a folder or an entry that others may write
// is not used: nobody else can put a kernel in.
#pragma once

#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "framework/device/device.hpp"
#include "framework/device/keyed_checksum.hpp"

namespace qapfw::framework {

struct CacheSettings {
    bool enabled = true;                  ///< false: in memory only
    std::filesystem::path folder;         ///< empty: default_kernel_cache_folder()
    std::filesystem::path key_file = {};  ///< empty: kernel-cache.key in $XDG_DATA_HOME/qapfw or ~/.local/share/qapfw
};

/// $XDG_CACHE_HOME/qapfw/kernels or ~/.cache/qapfw/kernels; empty where neither is an absolute path.
std::filesystem::path default_kernel_cache_folder();

/// Makes folder and key if necessary and tries to write there. Returns an empty text if that works, else the reason why
/// it does not.
std::string why_not_usable(const CacheSettings& settings);

/// The 128-bit xxh3 hash of a key or a file, as 32 hexadecimal digits.
std::string hash_text(std::string_view bytes);

class KernelCache {
  public:
    KernelCache(const CacheSettings& settings, LogFunction log);

    /// The payload that is stored under exactly this key. Anything else that is found in its place is deleted, with a
    /// warning.
    std::optional<std::string> load(std::string_view key);
    /// Never throws. If the folder cannot be written, there is one warning, and the cache is in memory only.
    void store(std::string_view key, std::string_view payload);
    /// To be called when the consumer of the payload refused it: deletes the entry, with a warning that gives `reason`.
    void discard(std::string_view key, const std::string& reason);

    const std::filesystem::path& folder() const { return folder_; }
    std::filesystem::path entry_path(std::string_view key) const;

  private:
    void warn_once(const std::string& text);

    std::filesystem::path folder_;  ///< empty: nothing is kept on disk
    ChecksumKey secret_{};
    LogFunction log_;
    std::once_flag warned_;
};

}  // namespace qapfw::framework
