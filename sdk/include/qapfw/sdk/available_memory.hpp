// SPDX-License-Identifier: Apache-2.0
// Memory that this process may still allocate, and a clear refusal if it is too little. Without the refusal, the system
// might kill the process without a message. The machine's free swap space counts as memory.
#pragma once

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <limits>
#include <string>

#include "qapfw/error.hpp"

namespace qapfw::sdk {

/// Memory that can still be allocated.
struct AvailableMemory {
    std::uint64_t bytes = std::numeric_limits<std::uint64_t>::max();  ///< bytes; the largest number: unknown
    const char* limit = "";                                           ///< what limits the memory, as words of a message
};

/// @cond
namespace detail {

inline void limit_memory(AvailableMemory& available, std::uint64_t bytes, const char* limit) {
    if (bytes < available.bytes) available = {bytes, limit};
}

/// Reads the number after the word `key`, or the first number if `key` is empty. The number keeps the file's unit.
/// Returns false if there is no such number.
inline bool read_number(const std::string& file, const std::string& key, std::uint64_t& number) {
    std::ifstream in(file);
    for (std::string word; key.empty() || in >> word;) {
        if (key.empty() || word == key) return static_cast<bool>(in >> number);
    }
    return false;
}

/// Applies the limits of a control group and of the groups above it. `folder` contains all groups; `group` begins with
/// '/'. `most_file` and `used_file`: names of the files with the limit and the used memory.
inline void limit_by_groups(AvailableMemory& available, const std::string& folder, std::string group,
                            const char* most_file, const char* used_file) {
    while (true) {
        const std::string place = folder + (group == "/" ? "" : group) + "/";
        std::uint64_t most = 0, used = 0, cache = 0;
        if (read_number(place + most_file, "", most) && read_number(place + used_file, "", used)) {
            // Linux frees this cache when memory is needed.
            read_number(place + "memory.stat", "inactive_file", cache);
            used -= std::min(used, cache);
            limit_memory(available, most > used ? most - used : 0, "the limit of this container or control group");
        }
        if (group.size() <= 1) return;
        const auto slash = group.rfind('/');
        group = slash == 0 || slash == std::string::npos ? "/" : group.substr(0, slash);
    }
}

inline void limit_by_control_groups(AvailableMemory& available) {
    std::ifstream in("/proc/self/cgroup");
    for (std::string line; std::getline(in, line);) {  // "4:memory:/group", or "0::/group" in cgroup version 2
        const auto first = line.find(':');
        const auto second = line.find(':', first + 1);
        if (first == std::string::npos || second == std::string::npos) continue;
        const std::string names = "," + line.substr(first + 1, second - first - 1) + ",",
                          group = line.substr(second + 1);
        if (names == ",,") {
            limit_by_groups(available, "/sys/fs/cgroup", group, "memory.max", "memory.current");
        } else if (names.find(",memory,") != std::string::npos) {
            limit_by_groups(available, "/sys/fs/cgroup/memory", group, "memory.limit_in_bytes",
                            "memory.usage_in_bytes");
        }
    }
}

inline void limit_by_process(AvailableMemory& available) {
    rlimit space{};
    if (getrlimit(RLIMIT_AS, &space) != 0 || space.rlim_cur == RLIM_INFINITY) return;
    std::uint64_t pages = 0;
    read_number("/proc/self/statm", "", pages);
    const std::uint64_t used = pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    limit_memory(available, space.rlim_cur > used ? space.rlim_cur - used : 0, "the limit ulimit -v");
}

inline void limit_by_machine(AvailableMemory& available) {
    std::uint64_t free_kib = 0, swap_kib = 0;
    if (!read_number("/proc/meminfo", "MemAvailable:", free_kib)) return;
    read_number("/proc/meminfo", "SwapFree:", swap_kib);
    limit_memory(available, (free_kib + swap_kib) * 1024, "this machine's free swap space and free memory");
}

}  // namespace detail
/// @endcond

/// Reads the limits of the machine, of control groups (containers) and of this process. Takes about 0.1 ms.
inline AvailableMemory available_memory() {
    AvailableMemory available;
    detail::limit_by_machine(available);
    detail::limit_by_control_groups(available);
    detail::limit_by_process(available);
    return available;
}

/// Throws Error(kMemory) if fewer than `bytes` (an estimate) are available. `what` begins the message, for instance
/// "tai60a, n = 60". Amounts below 64 MiB are not checked.
inline void require_memory(std::uint64_t bytes, const std::string& what) {
    constexpr std::uint64_t kLittle = std::uint64_t{64} << 20U;
    if (bytes < kLittle) return;
    const AvailableMemory available = available_memory();
    if (bytes <= available.bytes) return;
    const auto gigabytes = [](std::uint64_t number) {
        char text[32];
        std::snprintf(text, sizeof text, "%.2f GB", static_cast<double>(number) * 1e-9);
        return std::string(text);
    };
    throw Error(ErrorKind::kMemory, what + " wants about " + gigabytes(bytes) + " of memory, but " +
                                        gigabytes(available.bytes) + " are available within " + available.limit);
}

}  // namespace qapfw::sdk
