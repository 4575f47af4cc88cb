// SPDX-License-Identifier: Apache-2.0
// Number of processors that this process may really use. Its affinity mask limits this number, and so does the quota of
// its control group (set by a container or batch system). Formats: Linux kernel documentation, cgroup-v2 "cpu.max",
// cgroup-v1 "cpu.cfs_quota_us".
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace qapfw::framework {

/// The number of processors that a cgroup v2 `cpu.max` grants ("200000 100000" is 2); nothing for "max" or a text of
/// another form.
std::optional<double> parse_cpu_max(const std::string& text);

/// The least quota, in processors, of this process's control group and all groups above it; nothing if none has a
/// quota. `root` is where control groups are mounted, `membership` is the text of /proc/self/cgroup.
std::optional<double> cgroup_processors(const std::filesystem::path& root, const std::string& membership);

/// The number of processors in the affinity mask, at least 1.
std::uint32_t affinity_processors();

/// The default number of threads, at least 1. It is affinity_processors() or the quota of processors, whichever is
/// smaller. A fractional quota is rounded up.
std::uint32_t default_thread_count();

}  // namespace qapfw::framework
