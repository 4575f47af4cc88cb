// SPDX-License-Identifier: Apache-2.0
#include "framework/device/device_report.hpp"

#include "framework/device/cuda_backend.hpp"

namespace qapfw::framework {

DeviceReport report_devices(const CacheSettings& cache) {
    DeviceReport report;
    report.built_with_cuda = built_with_cuda();
    report_cuda(report);
    const std::filesystem::path folder = cache.folder.empty() ? default_kernel_cache_folder() : cache.folder;
    report.cache_folder = folder.string();
    report.cache_problem = cache.enabled ? why_not_usable(cache) : "switched off";
    report.cache_writable = report.cache_problem.empty();
    return report;
}

}  // namespace qapfw::framework
