// SPDX-License-Identifier: Apache-2.0
// What a program made by the emulated NVRTC tells the emulated driver of each kernel, under the symbol ".text.<entry>":
// a cubin names the section of a kernel's code like that.
#pragma once

#include <cstddef>
#include <cstdint>

namespace qapfw::emulated_cuda {

constexpr int kCapability = 89;  ///< that of a GPU with 99 KiB of shared memory a block, as the texts are compiled here

struct KernelDescription {
    std::uint32_t most_threads;  ///< greatest number of threads of a block
    std::uint32_t argument_count;
    const std::size_t* argument_sizes;
    /// Runs all blocks of the grid, one after the other. Extents are x, y, z. Throws if threads wait without end.
    void (*run)(void* const* arguments, const std::uint32_t* grid, const std::uint32_t* block, void* shared_memory);
};

}  // namespace qapfw::emulated_cuda
