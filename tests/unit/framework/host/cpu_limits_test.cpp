// SPDX-License-Identifier: Apache-2.0
#include "framework/host/cpu_limits.hpp"

#include <doctest/doctest.h>

#include "tests/unit/framework/plugin/bad_plugins.hpp"

using namespace qapfw::framework;
using qapfw::framework::testing::TemporaryFolder;

TEST_CASE("cpu.max gives quota over period, and nothing for max or nonsense") {
    CHECK(parse_cpu_max("200000 100000\n") == 2.0);
    CHECK(parse_cpu_max("150000 100000") == 1.5);
    CHECK_FALSE(parse_cpu_max("max 100000"));
    CHECK_FALSE(parse_cpu_max(""));
    CHECK_FALSE(parse_cpu_max("-1 100000"));
    CHECK_FALSE(parse_cpu_max("100000"));
}

TEST_CASE("of the quotas from the group up to the root, the least counts") {
    const TemporaryFolder root;
    root.folder("a/b");
    root.write("a/cpu.max", "300000 100000");
    root.write("a/b/cpu.max", "max 100000");
    CHECK(cgroup_processors(root.path(), "0::/a/b\n") == 3.0);
    root.write("a/b/cpu.max", "50000 100000");
    CHECK(cgroup_processors(root.path(), "0::/a/b\n") == 0.5);
    root.write("cpu.max", "25000 100000");
    CHECK(cgroup_processors(root.path(), "0::/a/b\n") == 0.25);
    CHECK_FALSE(cgroup_processors(root.path() / "none", "0::/a/b\n"));
}

TEST_CASE("version 1 groups are read where the cpu controller is") {
    const TemporaryFolder root;
    root.folder("cpu,cpuacct/job");
    root.folder("memory/job");
    root.write("cpu,cpuacct/job/cpu.cfs_quota_us", "400000\n");
    root.write("cpu,cpuacct/job/cpu.cfs_period_us", "100000\n");
    CHECK(cgroup_processors(root.path(), "5:memory:/job\n4:cpu,cpuacct:/job\n") == 4.0);
    root.write("cpu,cpuacct/job/cpu.cfs_quota_us", "-1\n");
    CHECK_FALSE(cgroup_processors(root.path(), "5:memory:/job\n4:cpu,cpuacct:/job\n"));
    CHECK_FALSE(cgroup_processors(root.path(), "nonsense\n"));
}

TEST_CASE("the default number of threads is at least one and within the affinity mask") {
    CHECK(default_thread_count() >= 1);
    CHECK(default_thread_count() <= affinity_processors());
}
