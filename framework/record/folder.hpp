// SPDX-License-Identifier: Apache-2.0
// An open folder, and writing into it. Names are looked up in the open folder, even if its path changes meanwhile. A
// file is written without following a symbolic link: a link that another user put in its place is replaced or refused.
// Every failure is an Error(kIo) with the file's name and the system's reason.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include "framework/record/atomic_file.hpp"

namespace qapfw::framework {

/// Owns a file descriptor and closes it.
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
    /// Opens the folder by its path.
    explicit Folder(const std::filesystem::path& path);

    const std::filesystem::path& path() const { return path_; }
    int descriptor() const { return descriptor_.get(); }

    /// Replaces the file. If this fails, the file stays as it was. It never has only a part of the bytes.
    void replace(const std::string& name, std::string_view bytes, Durability durability) const;
    /// Replaces the file, but keeps the old file as `previous`. At every moment at least one of the two is complete.
    void replace_keeping(const std::string& name, const std::string& previous, std::string_view bytes) const;

    bool exists(const std::string& name) const;
    /// Removes the file if it exists.
    void remove(const std::string& name) const;
    /// Opens the subfolder `name`; makes it if it is missing. Throws if `name` is a symbolic link.
    Folder inside(const std::string& name) const;
    /// Reads a whole regular file. Follows links, since nothing is written.
    std::string read(const std::string& name) const;
    /// Reads at most the first `most` bytes of a regular file that only this program makes. Does not follow links.
    std::string read_own(const std::string& name, std::size_t most) const;
    /// Opens a file for reading and writing, from the start of the file. Creates the file if it is missing. The file
    /// must be regular and have only one name, because another user could have made a second name by a hard link.
    Descriptor open_to_grow(const std::string& name) const;
    /// Throws Error(kIo) with the message "<file>: cannot <action>: <reason>". errno gives the reason.
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

/// Writes all bytes. Returns false if a write fails; errno then says why.
bool write_whole(int descriptor, std::string_view bytes);

}  // namespace qapfw::framework
