// SPDX-License-Identifier: Apache-2.0
// A file that grows by whole lines; a line is never left half written. If a write fails, the lines that are not in the
// file are kept and written with the next line. Every failure is an Error(kIo) with the file's name and the system's
// reason.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "framework/record/folder.hpp"

namespace qapfw::framework {

class LineFile {
  public:
    /// Opens the file `name` of the folder. Keeps only the whole lines within its first `keep` bytes. Error messages
    /// show the path that the folder has now.
    void open(const Folder& folder, const std::string& name, std::uint64_t keep);
    /// Appends the line and a line end. Before `open`, lines only wait in memory.
    void append(std::string_view line);
    void sync() const;
    /// Number of bytes of all lines so far, written or not.
    std::uint64_t size() const { return written_ + pending_.size(); }
    /// Chained xxh3 over all lines so far.
    std::uint64_t hash() const { return chain_; }

  private:
    std::string path_;
    Descriptor file_;
    std::uint64_t written_ = 0;
    std::string pending_;
    std::uint64_t chain_ = 0;  // hash over all lines so far, whether they are written or pending
};

/// The hash() of a LineFile with the complete lines of this text.
std::uint64_t hash_of_lines(std::string_view text);

}  // namespace qapfw::framework
