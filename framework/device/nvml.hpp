// SPDX-License-Identifier: Apache-2.0
// NVIDIA's management library, which comes with the driver and describes GPUs in some milliseconds, without opening
// them. It is opened at run time: $QAPFW_NVML, else libnvidia-ml.so.1 along the loader's path. Where QAPFW_LIBCUDA
// names another driver, only $QAPFW_NVML is: the system's library knows nothing of that driver.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace qapfw::framework {

struct NvmlGpu {
    std::string name;
    std::uint32_t compute_capability = 0;  ///< 90 for 9.0
    std::uint32_t cores = 0;               ///< of all its multiprocessors
    std::uint64_t memory_free = 0;         ///< bytes
    bool is_divided = false;               ///< into instances (MIG), of which CUDA shows one
    bool is_closed = false;                ///< no program may use it: compute mode "prohibited"
};

struct NvmlAnswer {
    std::string path;           ///< of the loaded file; empty: none was loaded
    std::string version;        ///< of the library, "13.580.65.06"
    std::string reason;         ///< why it does not answer, one sentence; empty: it does
    int cuda_version = 0;       ///< newest CUDA that the driver supports, 13000 for 13.0
    std::vector<NvmlGpu> gpus;  ///< all that this process may use, whatever CUDA_VISIBLE_DEVICES is
};

/// Never throws for what is missing.
NvmlAnswer ask_nvml();

}  // namespace qapfw::framework
