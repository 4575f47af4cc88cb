// SPDX-License-Identifier: Apache-2.0
// What `qapfw doctor` prints about GPUs: the driver, the run-time compiler, every GPU and the kernel cache. Looks
// without creating a context on any GPU; nothing here throws for what is missing.
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
    std::string reason;  ///< why not usable, one sentence; empty where it is
};

struct LibraryReport {
    bool found = false;
    std::string path;     ///< of the loaded file
    std::string version;  ///< "13.0"
    std::string reason;   ///< why it is missing or cannot be used, one sentence; empty where all is well
};

struct DeviceReport {
    bool built_with_cuda = false;
    LibraryReport driver;
    LibraryReport nvrtc;
    std::vector<GpuReport> gpus;
    std::string cache_folder;  ///< empty: no home folder is known
    bool cache_writable = false;
    std::string cache_problem;  ///< why not writable; empty where it is
};

DeviceReport report_devices(const CacheSettings& cache = {});

}  // namespace qapfw::framework
