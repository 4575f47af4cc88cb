// SPDX-License-Identifier: Apache-2.0
#include "framework/cli/output_file.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <optional>

#include "framework/cli/presentation.hpp"
#include "framework/record/folder.hpp"
#include "qapfw/error.hpp"

namespace qapfw::framework {
namespace {

namespace fs = std::filesystem;

constexpr int kMostLinks = 40;  // Linux's own limit for links in a path

[[noreturn]] void fail(const std::string& name, const char* action) {
    const int reason = errno;
    throw Error(ErrorKind::kIo, fmt::format("{}: cannot {}: {}", name, action, std::strerror(reason)));
}

/// The target to which a path's links lead: a path without links, or a file that this process has open.
struct OutputPlace {
    fs::path path;
    std::optional<int> descriptor;
};

/// The file descriptor if the path is /proc/self/fd/<number> or /proc/<this process>/fd/<number>, else nothing.
/// /dev/stdout and /dev/fd are links to such paths.
std::optional<int> open_file(const fs::path& path) {
    const std::string text = path.string();
    for (const std::string& folder : {std::string("/proc/self/fd/"), fmt::format("/proc/{}/fd/", ::getpid())}) {
        if (text.rfind(folder, 0) != 0) continue;
        int number = -1;
        const char* end = text.data() + text.size();
        const auto read = std::from_chars(text.data() + folder.size(), end, number);
        if (read.ec == std::errc() && read.ptr == end) return number;
    }
    return std::nullopt;
}

OutputPlace place_of(const std::string& name) {
    fs::path path = fs::path(name);
    std::error_code error;
    for (int links = 0; links <= kMostLinks; ++links) {
        if (const auto number = open_file(path)) return {path, number};
        const fs::path parent = fs::canonical(path.has_parent_path() ? path.parent_path() : fs::path("."), error);
        if (error) throw Error(ErrorKind::kIo, fmt::format("{}: cannot open: {}", name, error.message()));
        path = parent / path.filename();
        if (const auto number = open_file(path)) return {path, number};
        if (!fs::is_symlink(fs::symlink_status(path, error))) return {path, std::nullopt};
        const fs::path target = fs::read_symlink(path, error);
        if (error) throw Error(ErrorKind::kIo, fmt::format("{}: cannot read the link: {}", name, error.message()));
        path = target.is_absolute() ? target : parent / target;
    }
    errno = ELOOP;
    fail(name, "open");
}

}  // namespace

void write_output(const std::string& name, std::string_view bytes) {
    if (name == "-") {
        if (!print_raw(std::string(bytes))) fail("standard output", "write");
        return;
    }
    const OutputPlace place = place_of(name);
    Descriptor file;
    if (place.descriptor) {
        file = Descriptor(::fcntl(*place.descriptor, F_DUPFD_CLOEXEC, 0));
    } else {
        struct stat info {};
        const bool there = ::stat(place.path.c_str(), &info) == 0;
        if (!there || S_ISREG(info.st_mode)) return write_atomically(place.path, bytes, Durability::kProcess);
        file = Descriptor(::open(place.path.c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC));
    }
    if (!file.is_open()) fail(name, "open");
    if (!write_whole(file.get(), bytes)) fail(name, "write");
}

}  // namespace qapfw::framework
