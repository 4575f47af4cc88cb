// SPDX-License-Identifier: Apache-2.0
#include "framework/host/cpu_limits.hpp"

#include <sched.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>
#include <thread>

namespace qapfw::framework {
namespace {

std::string read_text(const std::string& path) {
    std::ifstream file(path);
    std::ostringstream text;
    if (file) text << file.rdbuf();
    return text.str();
}

std::optional<double> parse_quota_v1(const std::string& quota_text, const std::string& period_text) {
    std::istringstream quota_stream(quota_text), period_stream(period_text);
    double quota = 0, period = 0;
    // A quota of -1 means that there is none.
    if (!(quota_stream >> quota) || !(period_stream >> period) || quota <= 0 || period <= 0) return std::nullopt;
    return quota / period;
}

std::optional<double> tightest(std::optional<double> a, std::optional<double> b) {
    if (!a || !b) return a ? a : b;
    return std::min(*a, *b);
}

/// The controllers and the path of one line "id:controllers:path" of /proc/self/cgroup.
struct Membership {
    std::string controllers, path;
};

std::optional<Membership> parse_membership(const std::string& line) {
    const auto first = line.find(':');
    const auto second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) return std::nullopt;
    return Membership{line.substr(first + 1, second - first - 1), line.substr(second + 1)};
}

bool has_cpu_controller(const std::string& controllers) {
    return ("," + controllers + ",").find(",cpu,") != std::string::npos;
}

}  // namespace

std::optional<double> parse_cpu_max(const std::string& text) {
    std::istringstream stream(text);
    double quota = 0, period = 0;
    if (!(stream >> quota >> period) || quota <= 0 || period <= 0) return std::nullopt;
    return quota / period;
}

std::optional<double> cgroup_processors(const std::filesystem::path& root, const std::string& membership) {
    std::optional<double> processors;
    std::istringstream lines(membership);
    for (std::string line; std::getline(lines, line);) {
        const auto member = parse_membership(line);
        if (!member) continue;
        const bool version2 = member->controllers.empty();
        if (!version2 && !has_cpu_controller(member->controllers)) continue;
        // `base` and `group` are strings, not std::filesystem::path: if memory runs out while a path grows, libstdc++
        // frees memory that the path does not own.
        const std::string base = root.string() + "/" + (version2 ? std::string() : member->controllers + "/");
        std::string group = member->path;
        while (!group.empty() && group.front() == '/') group.erase(0, 1);
        // Goes up to the root, since a parent's quota holds for its children too. In a container the group's folder may
        // not exist.
        while (true) {
            const std::string folder = base + group + "/";
            processors = tightest(processors, version2 ? parse_cpu_max(read_text(folder + "cpu.max"))
                                                       : parse_quota_v1(read_text(folder + "cpu.cfs_quota_us"),
                                                                        read_text(folder + "cpu.cfs_period_us")));
            if (group.empty()) break;
            const std::size_t cut = group.rfind('/');
            group.resize(cut == std::string::npos ? 0 : cut);
        }
    }
    return processors;
}

std::uint32_t affinity_processors() {
    cpu_set_t mask;
    CPU_ZERO(&mask);
    if (sched_getaffinity(0, sizeof mask, &mask) == 0 && CPU_COUNT(&mask) > 0) {
        return static_cast<std::uint32_t>(CPU_COUNT(&mask));
    }
    // On machines with more than 1024 processors, sched_getaffinity fails because the mask is too small.
    return std::max(1u, std::thread::hardware_concurrency());
}

std::uint32_t default_thread_count() {
    const std::uint32_t affinity = affinity_processors();
    const auto quota = cgroup_processors("/sys/fs/cgroup", read_text("/proc/self/cgroup"));
    if (!quota) return affinity;
    return std::clamp(static_cast<std::uint32_t>(std::ceil(std::min(*quota, 1e6))), 1u, affinity);
}

}  // namespace qapfw::framework
