// SPDX-License-Identifier: Apache-2.0
// How many processors this process may really use: its affinity mask, and the quota of its control group (containers,
// batch systems). Formats: Linux kernel documentation, cgroup-v2 "cpu.max", cgroup-v1 "cpu.cfs_quota_us".
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace qapfw::framework {

/// Processors granted by a cgroup v2 `cpu.max` ("200000 100000" is 2); nothing for "max" or text of another form.
std::optional<double> parse_cpu_max(const std::string& text);

/// The least quota from this process's control group up to the root; nothing where there is none. `root` is where the
/// control groups are mounted, `membership` the text of /proc/self/cgroup.
std::optional<double> cgroup_processors(const std::filesystem::path& root, const std::string& membership);

/// Processors in the affinity mask, at least 1.
std::uint32_t affinity_processors();

/// The default number of threads: the smaller of both, a fractional quota rounded up, at least 1.
std::uint32_t default_thread_count();

}  // namespace qapfw::framework
