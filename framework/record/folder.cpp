// SPDX-License-Identifier: Apache-2.0
#include "framework/record/folder.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <limits>
#include <utility>

#include "qapfw/error.hpp"

namespace qapfw::framework {
namespace {

constexpr mode_t kFolderPermissions = 0777;
constexpr mode_t kFilePermissions = 0666;  // before the user's umask is applied

[[noreturn]] void fail_opening(const std::filesystem::path& path, const char* action) {
    const int reason = errno;
    throw Error(ErrorKind::kIo, fmt::format("{}: cannot {}: {}", path.string(), action, std::strerror(reason)));
}

std::string read_open(const Descriptor& file, const std::filesystem::path& path,
                      std::size_t most = std::numeric_limits<std::size_t>::max()) {
    if (!file.is_open()) fail_opening(path, "open");
    struct stat info {};
    if (::fstat(file.get(), &info) != 0) fail_opening(path, "read");
    if (!S_ISREG(info.st_mode)) {
        errno = S_ISDIR(info.st_mode) ? EISDIR : EINVAL;
        fail_opening(path, "read");
    }
    std::string bytes;
    char block[65536];
    while (true) {
        const ssize_t count = ::read(file.get(), block, std::min(sizeof block, most - bytes.size()));
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) fail_opening(path, "read");
        if (count == 0) return bytes;
        bytes.append(block, static_cast<std::size_t>(count));
    }
}

constexpr int kReading = O_RDONLY | O_CLOEXEC | O_NONBLOCK;  // opening a FIFO in the file's place must not block

}  // namespace

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
}

Descriptor::~Descriptor() {
    if (number_ >= 0) ::close(number_);
}

int Descriptor::release() {
    return std::exchange(number_, -1);
}

bool write_whole(int descriptor, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
}

Folder::Folder(const std::filesystem::path& path)
    : path_(path), descriptor_(::open(path.empty() ? "." : path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    if (!descriptor_.is_open()) fail_opening(path, "open");
}

void Folder::remove(const std::string& name) const {
    if (::unlinkat(descriptor(), name.c_str(), 0) != 0 && errno != ENOENT) fail(name, "remove");
}

void Folder::fail(const std::string& name, const char* action) const {
    fail_opening(path_ / name, action);
}

/// Writes a new file. First removes an old file of this name, which a killed process left or somebody planted.
void Folder::write_new(const std::string& name, std::string_view bytes, Durability durability) const {
    constexpr int kWriting = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
    int number = ::openat(descriptor(), name.c_str(), kWriting, kFilePermissions);
    if (number < 0 && errno == EEXIST && ::unlinkat(descriptor(), name.c_str(), 0) == 0) {
        number = ::openat(descriptor(), name.c_str(), kWriting, kFilePermissions);
    }
    Descriptor file(number);
    if (!file.is_open()) fail(name, "open");
    if (!write_whole(file.get(), bytes)) fail(name, "write");
    if (durability == Durability::kPower && ::fsync(file.get()) != 0) fail(name, "flush to disk");
    if (::close(file.release()) != 0) fail(name, "close");
}

/// Writes the bytes to a file "NAME.new" and returns this name. Removes the file again after a failure.
std::string Folder::write_beside(const std::string& name, std::string_view bytes, Durability durability) const {
    const std::string beside = name + ".new";
    try {
        write_new(beside, bytes, durability);
    } catch (...) {
        ::unlinkat(descriptor(), beside.c_str(), 0);
        throw;
    }
    return beside;
}

void Folder::rename(const std::string& from, const std::string& to) const {
    if (::renameat(descriptor(), from.c_str(), descriptor(), to.c_str()) == 0) return;
    const int reason = errno;
    ::unlinkat(descriptor(), from.c_str(), 0);
    errno = reason;
    fail(to, "replace");
}

void Folder::sync() const {
    ::fsync(descriptor());  // some file systems refuse this for folders; the file itself is already safe
}

void Folder::replace(const std::string& name, std::string_view bytes, Durability durability) const {
    rename(write_beside(name, bytes, durability), name);
    if (durability == Durability::kPower) sync();
}

void Folder::replace_keeping(const std::string& name, const std::string& previous, std::string_view bytes) const {
    const std::string beside = write_beside(name, bytes, Durability::kPower);
    if (::renameat(descriptor(), name.c_str(), descriptor(), previous.c_str()) != 0 && errno != ENOENT) {
        const int reason = errno;
        ::unlinkat(descriptor(), beside.c_str(), 0);
        errno = reason;
        fail(previous, "replace");
    }
    rename(beside, name);
    sync();
}

bool Folder::exists(const std::string& name) const {
    struct stat info {};
    return ::fstatat(descriptor(), name.c_str(), &info, AT_SYMLINK_NOFOLLOW) == 0;
}

std::string Folder::read(const std::string& name) const {
    return read_open(Descriptor(::openat(descriptor(), name.c_str(), kReading)), path_ / name);
}

std::string Folder::read_own(const std::string& name, std::size_t most) const {
    return read_open(Descriptor(::openat(descriptor(), name.c_str(), kReading | O_NOFOLLOW)), path_ / name, most);
}

Folder Folder::inside(const std::string& name) const {
    if (::mkdirat(descriptor(), name.c_str(), kFolderPermissions) != 0 && errno != EEXIST)
        fail(name, "create the folder");
    Descriptor inner(::openat(descriptor(), name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!inner.is_open()) fail(name, "open the folder");
    return {path_ / name, std::move(inner)};
}

Descriptor Folder::open_to_grow(const std::string& name) const {
    Descriptor file(
        ::openat(descriptor(), name.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, kFilePermissions));
    if (!file.is_open()) fail(name, "open");
    struct stat info {};
    if (::fstat(file.get(), &info) != 0) fail(name, "open");
    if (!S_ISREG(info.st_mode) || info.st_nlink > 1) {
        throw Error(ErrorKind::kIo,
                    fmt::format("{}: it must be a regular file without a second name, found {}",
                                (path_ / name).string(), S_ISREG(info.st_mode) ? "a hard link" : "something else"));
    }
    return file;
}

}  // namespace qapfw::framework
