// SPDX-License-Identifier: Apache-2.0
#include "problems/sparse_qap/graphs/whole_file.hpp"

#include <fmt/core.h>
#include <zlib.h>

#include <cerrno>
#include <cstring>
#include <memory>

#include "common/text_file.hpp"
#include "qapfw/error.hpp"

namespace qapfw::sparse {

namespace {

/// Throws Error unless the last read found the end of the file. gzread() returns 0 at the end, but also if an archive
/// is cut short.
void require_end(gzFile file, const std::filesystem::path& path) {
    const int error_of_system = errno;
    int fault = Z_OK;
    gzerror(file, &fault);
    if (fault == Z_OK || fault == Z_STREAM_END) return;
    if (fault == Z_ERRNO)
        throw Error(ErrorKind::kIo,
                    fmt::format("{}: the file cannot be read: {}", path.string(), std::strerror(error_of_system)));
    throw Error(ErrorKind::kInput, fmt::format("{}: the gzip archive is damaged or cut short", path.string()));
}

}  // namespace

std::string read_whole_file(const std::filesystem::path& path) {
    constexpr std::size_t kMost = std::size_t{1} << 34;
    const std::unique_ptr<gzFile_s, int (*)(gzFile)> file(gzopen(path.c_str(), "rb"), gzclose);
    if (!file)
        throw Error(ErrorKind::kIo,
                    fmt::format("{}: the file cannot be opened: {}", path.string(), std::strerror(errno)));
    gzbuffer(file.get(), 1 << 18);
    std::string text;
    std::error_code ignored;
    const std::uintmax_t size = std::filesystem::file_size(path, ignored);
    if (!ignored) text.reserve(size + 1);
    std::size_t used = 0;
    while (true) {
        constexpr std::size_t kBlock = std::size_t{1} << 20;
        text.resize(used + kBlock);
        const int count = gzread(file.get(), text.data() + used, kBlock);
        if (count <= 0) require_end(file.get(), path);
        if (count == 0) break;
        used += static_cast<std::size_t>(count);
        if (used > kMost)
            throw Error(ErrorKind::kInput,
                        fmt::format("{}: the file has more than {} bytes, which is the limit", path.string(), kMost));
    }
    text.resize(used);
    return common::text_of_bytes(std::move(text), path);
}

std::string head_of(const std::filesystem::path& path) {
    const std::unique_ptr<gzFile_s, int (*)(gzFile)> file(gzopen(path.c_str(), "rb"), gzclose);
    char head[4096];
    const int count = file ? gzread(file.get(), head, sizeof head) : 0;
    std::string_view text(head, static_cast<std::size_t>(count > 0 ? count : 0));
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    return std::string(text);
}

}  // namespace qapfw::sparse
