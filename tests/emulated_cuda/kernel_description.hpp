// SPDX-License-Identifier: Apache-2.0
// The description of a kernel. A program that the emulated NVRTC has compiled hands this description to the emulated
// driver. The description's symbol is ".text.<entry>", like the section with a kernel's code in a cubin.
#pragma once

#include <cstddef>
#include <cstdint>

namespace qapfw::emulated_cuda {

/// Compute capability of emulated GPUs, times 10. Real GPUs of this capability have 99 KiB of shared memory per CUDA
/// block.
constexpr int kCapability = 89;

struct KernelDescription {
    std::uint32_t most_threads;  ///< greatest number of threads of a CUDA block
    std::uint32_t argument_count;
    const std::size_t* argument_sizes;
    /// Runs all CUDA blocks of a launch, one after the other. `grid` and `block` are extents along x, y and z.
    /// Throws if threads wait without end.
    void (*run)(void* const* arguments, const std::uint32_t* grid, const std::uint32_t* block, void* shared_memory);
};

}  // namespace qapfw::emulated_cuda
