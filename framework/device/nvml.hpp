// SPDX-License-Identifier: Apache-2.0
// NVIDIA's management library. It comes with the driver and describes GPUs in some milliseconds, without opening them.
// The library is opened at run time: $QAPFW_NVML, else libnvidia-ml.so.1 along the loader's path. If QAPFW_LIBCUDA
// names another driver, only $QAPFW_NVML is opened: the system's library knows nothing of that driver.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace qapfw::framework {

struct NvmlGpu {
    std::string name;
    std::uint32_t compute_capability = 0;  ///< 90 for 9.0
    std::uint32_t cores = 0;               ///< number of CUDA cores of all its multiprocessors
    std::uint64_t memory_free = 0;         ///< free memory in bytes
    bool is_divided = false;               ///< divided into instances (MIG); CUDA shows only one of them
    bool is_closed = false;                ///< no program may use it: compute mode "prohibited"
};

struct NvmlAnswer {
    std::string path;           ///< path of the loaded file; empty: none was loaded
    std::string version;        ///< version of the library, "13.580.65.06"
    std::string reason;         ///< why NVML does not answer, one sentence; empty: NVML answered
    int cuda_version = 0;       ///< newest CUDA that the driver supports, 13000 for 13.0
    std::vector<NvmlGpu> gpus;  ///< all GPUs that NVML lists; NVML ignores CUDA_VISIBLE_DEVICES
};

/// Asks NVML about the GPUs. If it cannot answer, `reason` says why; nothing is thrown.
NvmlAnswer ask_nvml();

}  // namespace qapfw::framework
