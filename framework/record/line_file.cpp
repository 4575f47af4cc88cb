// SPDX-License-Identifier: Apache-2.0
#include "framework/record/line_file.hpp"

#include <fmt/core.h>
#include <sys/types.h>
#include <unistd.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cerrno>
#include <cstring>

#include "qapfw/error.hpp"

namespace qapfw::framework {
namespace {

[[noreturn]] void fail(const std::string& path, const char* action) {
    const int reason = errno;
    throw Error(ErrorKind::kIo, fmt::format("{}: cannot {}: {}", path, action, std::strerror(reason)));
}

std::uint64_t chain(std::uint64_t before, std::string_view line) {
    return XXH3_64bits_withSeed(line.data(), line.size(), before);
}

}  // namespace

std::uint64_t hash_of_lines(std::string_view text) {
    std::uint64_t hash = 0;
    for (std::size_t begin = 0, end = 0; (end = text.find('\n', begin)) != std::string_view::npos; begin = end + 1) {
        hash = chain(hash, text.substr(begin, end - begin));
    }
    return hash;
}

void LineFile::open(const Folder& folder, const std::string& name, std::uint64_t keep) {
    path_ = (folder.path() / name).string();
    file_ = folder.open_to_grow(name);
    std::string kept = folder.read(name).substr(0, keep);
    kept.resize(kept.rfind('\n') + 1);  // npos + 1 is 0
    if (::ftruncate(file_.get(), static_cast<off_t>(kept.size())) != 0) fail(path_, "cut");
    if (::lseek(file_.get(), 0, SEEK_END) < 0) fail(path_, "seek in");
    written_ = kept.size();
    chain_ = hash_of_lines(kept);
}

void LineFile::sync() const {
    if (file_.is_open() && ::fsync(file_.get()) != 0) fail(path_, "flush to disk");
}

void LineFile::append(std::string_view line) {
    chain_ = chain(chain_, line);
    pending_.append(line);
    pending_ += '\n';
    if (!file_.is_open()) return;
    if (write_whole(file_.get(), pending_)) {
        written_ += pending_.size();
        pending_.clear();
        return;
    }
    const int reason = errno;
    if (::ftruncate(file_.get(), static_cast<off_t>(written_)) == 0) ::lseek(file_.get(), 0, SEEK_END);
    errno = reason;
    fail(path_, "write");
}

}  // namespace qapfw::framework
