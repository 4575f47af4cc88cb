// SPDX-License-Identifier: Apache-2.0
// The text before each program that the emulated NVRTC compiles for the host.
#pragma once

#include <algorithm>
#include <utility>

#include "tests/emulated_cuda/kernel_description.hpp"
#include "tests/support/emulated_intrinsics.hpp"

#define __device__
#define __host__
#define __forceinline__ inline
#define __noinline__
#define __align__(bytes) alignas(bytes)

namespace qapfw::emulated_cuda {

/// Dynamic shared memory of the launch that this thread runs. libnvrtc.cpp turns the `extern __shared__` array of a
/// program into a pointer to this memory.
inline thread_local void* dynamic_shared_memory = nullptr;

template <auto entry>
struct Kernel;

template <class... Parameters, void (*entry)(Parameters...)>
struct Kernel<entry> {
    static constexpr std::size_t kSizes[] = {sizeof(Parameters)..., 0};

    static void run(void* const* arguments, const std::uint32_t* grid, const std::uint32_t* block, void* shared) {
        dynamic_shared_memory = shared;
        test::EmulatedBlock::run_grid({grid[0], grid[1], grid[2]}, {block[0], block[1], block[2]},
                                      [&] { call(arguments, std::index_sequence_for<Parameters...>()); });
    }
    template <std::size_t... k>
    static void call([[maybe_unused]] void* const* arguments, std::index_sequence<k...>) {
        entry(*static_cast<const Parameters*>(arguments[k])...);
    }
    static constexpr KernelDescription describe(std::uint32_t most_threads = 1024, std::uint32_t /*blocks*/ = 1) {
        return {most_threads, sizeof...(Parameters), kSizes, &run};
    }
};

}  // namespace qapfw::emulated_cuda

/// Describes the kernel `entry`; the other arguments are its launch bounds. libnvrtc.cpp appends a line with this macro
/// to the program's text for each kernel.
#define QAPFW_DESCRIBE_KERNEL(entry, ...)                                                   \
    extern "C" __attribute__((visibility("default")))                                       \
    const qapfw::emulated_cuda::KernelDescription entry##_description asm(".text." #entry); \
    const qapfw::emulated_cuda::KernelDescription entry##_description =                     \
        qapfw::emulated_cuda::Kernel<&entry>::describe(__VA_ARGS__);
