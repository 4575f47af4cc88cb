// SPDX-License-Identifier: Apache-2.0
// Files that are there completely or not at all: written beside their place, then renamed. Every failure is an
// Error(kIo) that names the file and the system's reason.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace qapfw::framework {

enum class Durability {
    kProcess,  ///< survives the process: no fsync
    kPower,    ///< survives a power failure: fsync of file and folder
};

/// Replaces `path` by one with these bytes.
void write_atomically(const std::filesystem::path& path, std::string_view bytes, Durability durability);

/// The same, keeping the file that was there as `previous`; at every moment one of both is complete.
void write_keeping_previous(const std::filesystem::path& path, const std::filesystem::path& previous,
                            std::string_view bytes);

/// The whole file.
std::string read_file(const std::filesystem::path& path);

/// A file that grows by whole lines. What could not be written is kept and tried again with the next line, and a line
/// is never left half written.
class LineFile {
  public:
    LineFile() = default;
    LineFile(const LineFile&) = delete;
    LineFile& operator=(const LineFile&) = delete;
    ~LineFile();
    /// Opens the file and cuts it to its first `keep` bytes, fewer where it is shorter, and to whole lines.
    void open(const std::filesystem::path& path, std::uint64_t keep);
    /// Adds the line and its end.
    void append(std::string_view line);
    void sync() const;
    /// Bytes of all lines so far, written or waiting.
    std::uint64_t size() const { return written_ + pending_.size(); }

  private:
    std::filesystem::path path_;
    int descriptor_ = -1;
    std::uint64_t written_ = 0;
    std::string pending_;
};

}  // namespace qapfw::framework
