// SPDX-License-Identifier: Apache-2.0
#include "framework/cli/kept_inputs.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <system_error>

#include "framework/record/atomic_file.hpp"
#include "framework/record/folder.hpp"
#include "qapfw/error.hpp"

namespace qapfw::framework {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFolder = "runs/inputs";
constexpr std::size_t kMostBytes = std::size_t{1} << 31;

bool is_pipe(const std::string& reference) {
    std::error_code error;
    const fs::file_status status = fs::status(reference, error);
    return !error && (fs::is_fifo(status) || fs::is_character_file(status) || fs::is_socket(status));
}

std::string read_all(int descriptor, const std::string& name) {
    std::string bytes;
    char buffer[1 << 16];
    while (true) {
        const ssize_t count = ::read(descriptor, buffer, sizeof buffer);
        if (count == 0) break;
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) throw Error(ErrorKind::kIo, fmt::format("{}: cannot be read: {}", name, std::strerror(errno)));
        bytes.append(buffer, static_cast<std::size_t>(count));
        if (bytes.size() > kMostBytes)
            throw Error(ErrorKind::kInput,
                        fmt::format("{}: it has more than {} bytes, the most that is read", name, kMostBytes));
    }
    if (bytes.empty()) throw Error(ErrorKind::kInput, name + ": data was wanted, but none came");
    return bytes;
}

}  // namespace

KeptInputs::~KeptInputs() {
    std::error_code ignored;
    if (!own_folder_.empty()) fs::remove_all(own_folder_, ignored);
}

fs::path KeptInputs::store(const std::string& bytes) {
    const std::string name =
        fmt::format("input-{:08x}", static_cast<std::uint32_t>(XXH3_64bits(bytes.data(), bytes.size())));
    if (!lasting_ && own_folder_.empty()) {
        std::string pattern = (fs::temp_directory_path() / "qapfw-XXXXXX").string();
        if (::mkdtemp(pattern.data()) == nullptr)
            throw Error(ErrorKind::kIo, fmt::format("{}: cannot create a folder: {}", pattern, std::strerror(errno)));
        own_folder_ = pattern;
    }
    const fs::path folder = lasting_ ? fs::path(kFolder) : own_folder_;
    std::error_code error;
    fs::create_directories(folder, error);
    if (error)
        throw Error(ErrorKind::kIo,
                    fmt::format("{}: cannot create the folder: {}; with --no-record no folder is needed",
                                folder.string(), error.message()));
    write_atomically(folder / name, bytes, Durability::kProcess);
    return folder / name;
}

std::string KeptInputs::keep(const std::string& reference) {
    if (reference == "-") {
        if (took_standard_input_) throw Error(ErrorKind::kUsage, "-: standard input can be read once only");
        took_standard_input_ = true;
        return store(read_all(STDIN_FILENO, "standard input")).string();
    }
    if (!is_pipe(reference)) return reference;
    const int descriptor = ::open(reference.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        throw Error(ErrorKind::kIo, fmt::format("{}: cannot be opened: {}", reference, std::strerror(errno)));
    struct Closing {
        int descriptor;
        ~Closing() { ::close(descriptor); }
    } closing{descriptor};
    return store(read_all(descriptor, reference)).string();
}

}  // namespace qapfw::framework
