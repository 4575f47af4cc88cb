// SPDX-License-Identifier: Apache-2.0
// A folder held open, and what is written into it. Names are looked up in the folder itself, whatever happens to its
// path meanwhile. No symbolic link is followed: if another user put one in a file's place, the link itself is replaced.
// Every failure is an Error(kIo) that names the file and the system's reason.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include "framework/record/atomic_file.hpp"

namespace qapfw::framework {

/// A file descriptor with an owner.
class Descriptor {
  public:
    explicit Descriptor(int number = -1) : number_(number) {}
    Descriptor(Descriptor&& other) noexcept : number_(other.release()) {}
    Descriptor& operator=(Descriptor&& other) noexcept;
    ~Descriptor();
    int get() const { return number_; }
    bool is_open() const { return number_ >= 0; }
    int release();

  private:
    int number_;
};

class Folder {
  public:
    /// The folder is looked for now, by its path.
    explicit Folder(const std::filesystem::path& path);

    const std::filesystem::path& path() const { return path_; }
    int descriptor() const { return descriptor_.get(); }

    /// Replaces the file by one with these bytes: it is there completely or not at all.
    void replace(const std::string& name, std::string_view bytes, Durability durability) const;
    /// The same, keeping the file that was there as `previous`; at every moment one of both is complete.
    void replace_keeping(const std::string& name, const std::string& previous, std::string_view bytes) const;

    bool exists(const std::string& name) const;
    /// Removes the file; one that is not there is no failure.
    void remove(const std::string& name) const;
    /// The folder inside, made where it is missing. A link in its place is refused.
    Folder inside(const std::string& name) const;
    /// The whole regular file, through a link too: nothing is written there.
    std::string read(const std::string& name) const;
    /// The first bytes of a regular file that this program alone makes: no link is followed.
    std::string read_own(const std::string& name, std::size_t most) const;
    /// A file that grows, created where there is none. It must be a regular one with no other name: what another user
    /// linked to elsewhere is refused.
    Descriptor open_to_grow(const std::string& name) const;
    /// An error about the file, with the system's reason.
    [[noreturn]] void fail(const std::string& name, const char* action) const;

  private:
    Folder(std::filesystem::path path, Descriptor descriptor)
        : path_(std::move(path)), descriptor_(std::move(descriptor)) {}
    void write_new(const std::string& name, std::string_view bytes, Durability durability) const;
    std::string write_beside(const std::string& name, std::string_view bytes, Durability durability) const;
    void rename(const std::string& from, const std::string& to) const;
    void sync() const;

    std::filesystem::path path_;
    Descriptor descriptor_;
};

/// Writes all of it; false where that fails, with errno.
bool write_whole(int descriptor, std::string_view bytes);

}  // namespace qapfw::framework
