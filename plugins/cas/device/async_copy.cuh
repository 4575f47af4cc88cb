// SPDX-License-Identifier: Apache-2.0
// Asynchronous copies from device memory to shared memory.
#pragma once

#include "qapfw/kernels/platform.hpp"

namespace qapfw::kernels {

/// Starts to copy 8 bytes to shared memory; `arrive` waits for them.
QAPFW_DEVICE void copy_to_shared(uint64_t* to, const uint64_t* from) {
#if defined(__CUDA_ARCH__)
    asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" ::"r"(static_cast<uint32_t>(__cvta_generic_to_shared(to))),
                 "l"(from));
#else
    *to = *from;  // on an emulated GPU
#endif
}

/// Waits for the copies that this thread started.
QAPFW_DEVICE void arrive() {
#if defined(__CUDA_ARCH__)
    asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}

}  // namespace qapfw::kernels
