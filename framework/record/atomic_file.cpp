// SPDX-License-Identifier: Apache-2.0
#include "framework/record/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "qapfw/error.hpp"

namespace qapfw::framework {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path, const char* action) {
    const int reason = errno;
    throw Error(ErrorKind::kIo, fmt::format("{}: cannot {}: {}", path.string(), action, std::strerror(reason)));
}

/// Owns a file descriptor; `close` reports what a destructor cannot.
class File {
  public:
    File(const std::filesystem::path& path, int flags) : path_(path), descriptor_(::open(path.c_str(), flags, 0644)) {
        if (descriptor_ < 0) fail(path_, "open");
    }
    ~File() {
        if (descriptor_ >= 0) ::close(descriptor_);
    }
    File(const File&) = delete;
    File& operator=(const File&) = delete;

    void write(std::string_view bytes) const {
        while (!bytes.empty()) {
            const ssize_t count = ::write(descriptor_, bytes.data(), bytes.size());
            if (count < 0 && errno == EINTR) continue;
            if (count <= 0) fail(path_, "write");
            bytes.remove_prefix(static_cast<std::size_t>(count));
        }
    }
    std::size_t read(char* bytes, std::size_t size) const {
        while (true) {
            const ssize_t count = ::read(descriptor_, bytes, size);
            if (count >= 0) return static_cast<std::size_t>(count);
            if (errno != EINTR) fail(path_, "read");
        }
    }
    void sync() const {
        if (::fsync(descriptor_) != 0) fail(path_, "flush to disk");
    }
    void close() {
        const int descriptor = descriptor_;
        descriptor_ = -1;
        if (::close(descriptor) != 0) fail(path_, "close");
    }

  private:
    const std::filesystem::path& path_;
    int descriptor_;
};

void replace(const std::filesystem::path& from, const std::filesystem::path& to) {
    if (::rename(from.c_str(), to.c_str()) != 0) fail(to, "replace");
}

void sync_folder(const std::filesystem::path& file) {
    const std::filesystem::path parent = file.parent_path();
    const std::filesystem::path folder = parent.empty() ? std::filesystem::path(".") : parent;
    const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) return;
    ::fsync(descriptor);  // some file systems refuse this for folders; the file itself is safe already
    ::close(descriptor);
}

/// Writes beside `path`; removes the remains of a failure.
std::filesystem::path write_beside(const std::filesystem::path& path, std::string_view bytes, Durability durability) {
    std::filesystem::path beside = path;
    beside += ".new";
    try {
        File file(beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC);
        file.write(bytes);
        if (durability == Durability::kPower) file.sync();
        file.close();
    } catch (...) {
        ::unlink(beside.c_str());
        throw;
    }
    return beside;
}

}  // namespace

void write_atomically(const std::filesystem::path& path, std::string_view bytes, Durability durability) {
    replace(write_beside(path, bytes, durability), path);
    if (durability == Durability::kPower) sync_folder(path);
}

void write_keeping_previous(const std::filesystem::path& path, const std::filesystem::path& previous,
                            std::string_view bytes) {
    const std::filesystem::path beside = write_beside(path, bytes, Durability::kPower);
    if (::rename(path.c_str(), previous.c_str()) != 0 && errno != ENOENT) fail(previous, "replace");
    replace(beside, path);
    sync_folder(path);
}

std::string read_file(const std::filesystem::path& path) {
    const File file(path, O_RDONLY | O_CLOEXEC);
    std::string bytes;
    char block[65536];
    while (const std::size_t count = file.read(block, sizeof block)) bytes.append(block, count);
    return bytes;
}

LineFile::~LineFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

void LineFile::open(const std::filesystem::path& path, std::uint64_t keep) {
    path_ = path;
    descriptor_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (descriptor_ < 0) fail(path, "open");
    std::string kept = read_file(path).substr(0, keep);
    kept.resize(kept.rfind('\n') + 1);  // npos + 1 is 0
    if (::ftruncate(descriptor_, static_cast<off_t>(kept.size())) != 0) fail(path, "cut");
    if (::lseek(descriptor_, 0, SEEK_END) < 0) fail(path, "seek in");
    written_ = kept.size();
}

void LineFile::sync() const {
    if (descriptor_ >= 0 && ::fsync(descriptor_) != 0) fail(path_, "flush to disk");
}

void LineFile::append(std::string_view line) {
    pending_.append(line);
    pending_ += '\n';
    if (descriptor_ < 0) return;
    std::size_t done = 0;
    while (done < pending_.size()) {
        const ssize_t count = ::write(descriptor_, pending_.data() + done, pending_.size() - done);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) break;
        done += static_cast<std::size_t>(count);
    }
    if (done == pending_.size()) {
        written_ += done;
        pending_.clear();
        return;
    }
    const int reason = errno;
    if (::ftruncate(descriptor_, static_cast<off_t>(written_)) == 0) ::lseek(descriptor_, 0, SEEK_END);
    errno = reason;
    fail(path_, "write");
}

}  // namespace qapfw::framework
