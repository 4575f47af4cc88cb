// SPDX-License-Identifier: Apache-2.0
// The GPU part of `qapfw doctor`: the driver, the run-time compiler, NVML, every GPU and the kernel cache. It creates
// no context on any GPU and never throws if something is missing.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "framework/device/kernel_cache.hpp"

namespace qapfw::framework {

struct GpuReport {
    int ordinal = 0;
    std::string name;
    std::uint64_t memory_bytes = 0;
    std::uint32_t compute_capability = 0;  ///< 90 for 9.0
    bool usable = false;
    std::string reason;  ///< why the GPU cannot be used, one sentence; empty if it can
};

struct LibraryReport {
    bool found = false;
    std::string path;     ///< path of the loaded file
    std::string version;  ///< version of the library: "13.0"
    std::string reason;   ///< why the library is missing or cannot be used, one sentence; empty if all is well
};

struct DeviceReport {
    bool built_with_cuda = false;
    LibraryReport driver;
    LibraryReport nvrtc;
    LibraryReport nvml;
    std::vector<GpuReport> gpus;
    std::string cache_folder;  ///< empty: the home folder is unknown
    bool cache_writable = false;
    std::string cache_problem;  ///< why the cache is not used; empty if it is used
};

DeviceReport report_devices(const CacheSettings& cache = {});

}  // namespace qapfw::framework
