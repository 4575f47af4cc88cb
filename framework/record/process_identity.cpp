// SPDX-License-Identifier: Apache-2.0
#include "framework/record/process_identity.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace qapfw::framework {
namespace {

std::string first_line_of(const std::string& path) {
    std::ifstream file(path);
    std::string line;
    std::getline(file, line);
    return line;
}

}  // namespace

std::uint64_t start_of_process(std::int64_t process) {
    const std::string text = first_line_of(fmt::format("/proc/{}/stat", process));
    // The program's name is in parentheses. It may contain any characters, but the fields after it contain no ')'.
    const std::size_t name_end = text.rfind(')');
    if (name_end == std::string::npos) return 0;
    std::istringstream fields(text.substr(name_end + 1));
    std::string state, skipped;
    fields >> state;
    if (state == "Z" || state == "X") return 0;
    for (int field = 4; field < 22; ++field) fields >> skipped;
    std::uint64_t started = 0;
    fields >> started;
    return started;
}

std::string boot_of_machine() {
    return first_line_of("/proc/sys/kernel/random/boot_id");
}

std::string namespace_of_processes() {
    std::error_code error;
    const auto link = std::filesystem::read_symlink("/proc/self/ns/pid", error);
    return error ? std::string() : link.string();
}

std::string host_name() {
    char name[256] = {};
    return ::gethostname(name, sizeof name - 1) == 0 && name[0] != '\0' ? name : "an unnamed host";
}

}  // namespace qapfw::framework
