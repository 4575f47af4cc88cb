// SPDX-License-Identifier: Apache-2.0
// A file that grows by whole lines. What could not be written is kept and tried again with the next line, and a line
// is never left half written. Every failure is an Error(kIo) that names the file and the system's reason.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "framework/record/folder.hpp"

namespace qapfw::framework {

class LineFile {
  public:
    /// Opens the folder's file and cuts it to its first `keep` bytes, fewer where it is shorter, and to whole lines.
    /// The folder must stay where it is.
    void open(const Folder& folder, const std::string& name, std::uint64_t keep);
    /// Adds the line and its end.
    void append(std::string_view line);
    void sync() const;
    /// Bytes of all lines so far, written or waiting.
    std::uint64_t size() const { return written_ + pending_.size(); }
    /// xxh3 of all of them.
    std::uint64_t hash() const { return chain_; }

  private:
    std::string path_;
    Descriptor file_;
    std::uint64_t written_ = 0;
    std::string pending_;
    std::uint64_t chain_ = 0;  // hash over the lines
};

/// The hash that a LineFile with this text has.
std::uint64_t hash_of_lines(std::string_view text);

}  // namespace qapfw::framework
