// SPDX-License-Identifier: Apache-2.0
// Compiled kernels on disk. An entry carries its whole key and a checksum, so whatever is found under its name is
// either exactly right or ignored, deleted and replaced; entries appear by rename, so any number of processes may share
// a folder.
#pragma once

#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "framework/device/device.hpp"

namespace qapfw::framework {

struct CacheSettings {
    bool enabled = true;           ///< false: in memory only
    std::filesystem::path folder;  ///< empty: default_kernel_cache_folder()
};

/// $XDG_CACHE_HOME/qapfw/kernels or ~/.cache/qapfw/kernels; empty where neither is an absolute path.
std::filesystem::path default_kernel_cache_folder();

/// Creates the folder if need be and tries to write there; an empty text means that it works, else why it does not.
std::string why_not_writable(const std::filesystem::path& folder);

/// 128-bit xxh3 of a key or a file, as 32 hexadecimal digits.
std::string hash_text(std::string_view bytes);

class KernelCache {
  public:
    KernelCache(const CacheSettings& settings, LogFunction log);

    /// The payload stored under exactly this key. Anything else found in its place is deleted, with a warning.
    std::optional<std::string> load(std::string_view key);
    /// Never throws: a folder that cannot be written is one warning and a cache in memory only.
    void store(std::string_view key, std::string_view payload);
    /// The payload was refused by its consumer: deletes the entry, with a warning that gives `reason`.
    void discard(std::string_view key, const std::string& reason);

    const std::filesystem::path& folder() const { return folder_; }
    std::filesystem::path entry_path(std::string_view key) const;

  private:
    void warn_once(const std::string& text);

    std::filesystem::path folder_;  ///< empty: nothing is kept on disk
    LogFunction log_;
    std::once_flag warned_;
};

}  // namespace qapfw::framework
