// SPDX-License-Identifier: Apache-2.0
// The product of matrices of bytes on the tensor cores, by the 32 lanes of a warp. Emulated GPUs define the same
// functions.
#pragma once

#include "qapfw/kernels/platform.hpp"

#if defined(__CUDA_ARCH__)
namespace qapfw::kernels {

using SharedAddress = uint32_t;

QAPFW_DEVICE SharedAddress shared_address(const void* at) {
    return static_cast<SharedAddress>(__cvta_generic_to_shared(at));
}

/// Loads four 8 x 16 matrices of bytes from shared memory. Lane l gives the address of row l % 8 of matrix l / 8. Lane
/// l gets columns 4 (l % 4) to 4 (l % 4) + 3 of row l / 4 of each matrix.
QAPFW_DEVICE void load_byte_matrices(uint32_t (&parts)[4], SharedAddress row) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(parts[0]), "=r"(parts[1]), "=r"(parts[2]), "=r"(parts[3])
                 : "r"(row));
}

/// sums (16 x 8) += a (16 x 32) * b (32 x 8). Lane l holds
///   of a: columns 4 (l % 4) .. 4 (l % 4) + 3 of rows l / 4 and l / 4 + 8, then these columns plus 16 of both rows;
///   of b: rows 4 (l % 4) .. 4 (l % 4) + 3 of column l / 4, then these rows plus 16;
///   of the sums: columns 2 (l % 4) and 2 (l % 4) + 1 of row l / 4, then of row l / 4 + 8.
QAPFW_DEVICE void add_byte_products(int32_t (&sums)[4], uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint32_t b0,
                                    uint32_t b1) {
    asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.u8.u8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                 : "+r"(sums[0]), "+r"(sums[1]), "+r"(sums[2]), "+r"(sums[3])
                 : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));
}

}  // namespace qapfw::kernels
#endif
