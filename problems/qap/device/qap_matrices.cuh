// SPDX-License-Identifier: Apache-2.0
// The matrices of the instance in shared memory as planes of bytes, and their products with pairs of vectors on the
// tensor cores. Products of bytes, added up in 32 bits, are exact. Wider values are sums of shifted planes.
#include "problems/qap/device/qap_problem.cuh"
#include "problems/qap/device/tensor_core.cuh"

#ifndef QAP_ALONE
#define QAP_ALONE 0
#endif
#ifndef QAP_LINEAR_SHARED
#define QAP_LINEAR_SHARED 0
#endif

namespace qapfw::qap {

constexpr int kVectorPlanes = kPlanes == 3 ? 4 : kPlanes;  ///< planes of a vector: 1, 2 or 4
constexpr int kDepthTiles = (kN + 31) / 32;                ///< tensor tiles along a row, 32 bytes each
/// Bytes from row to row: an odd multiple of 16, so that ldmatrix meets no bank conflict.
constexpr int kRowBytes = ((kN + 15) / 16 | 1) * 16;
constexpr int kPlaneBytes = kN * kRowBytes + 32;  ///< the last tensor tile may read past the last row
/// Bytes of one plane of one vector. The last 16 bytes are unused, so that planes begin in different banks.
constexpr int kUsedVectorBytes = kDepthTiles * 32 + 16;
/// Bytes from plane to plane of a vector. With QAP_ALONE, each plane has a spare byte for each thread. A thread without
/// a position writes to its spare byte. The number of spare bytes is rounded up to a multiple of 128, the bytes of all
/// banks.
#if QAP_ALONE
constexpr int kVectorBytes = kUsedVectorBytes + (32 * QAP_WARPS + 127) / 128 * 128;
#else
constexpr int kVectorBytes = kUsedVectorBytes;
#endif

constexpr bool kLinearShared = kLinear && QAP_LINEAR_SHARED != 0;
/// Entries per row of linear costs in shared memory. A row has an odd number of 32-bit words, so that neighbouring
/// positions read the costs of one location from different banks.
constexpr int kLinearRow =
    ((kN * static_cast<int>(sizeof(LinearElement)) + 3) / 4 | 1) * 4 / static_cast<int>(sizeof(LinearElement));
static_assert(!kLinearShared || sizeof(LinearElement) <= 4);

/// The planes of a and b, with padded rows and zero diagonals. The diagonals have arrays of their own. If the matrices
/// are not symmetric, side 1 has the transposed ones. With QAP_LINEAR_SHARED, the linear costs for deltas are here too.
struct MatricesShared {
    alignas(16) uint8_t a[kSides][kPlanes][kPlaneBytes];
    alignas(16) uint8_t b[kSides][kPlanes][kPlaneBytes];
    Sum a_diagonal[kDiagonal ? kN : 1];
    Sum b_diagonal[kDiagonal ? kN : 1];
    LinearElement linear[kLinearShared ? kN * kLinearRow : 1];
};

/// linear_at and linear_change return what the functions of these names in qap_problem.cuh return. They read the linear
/// costs from shared memory if the costs are there.
QAPFW_DEVICE Sum linear_at(const MatricesShared& shared, const View& view, int position, int value,
                           bool transposed = false) {
    if constexpr (kLinearShared)
        return static_cast<Sum>(shared.linear[position * kLinearRow + value]);
    else
        return linear_at(view, position, value, transposed);
}
QAPFW_DEVICE Sum linear_change(const MatricesShared& shared, const View& view, int i, int value_i, int j, int value_j) {
    return linear_at(shared, view, i, value_j) + linear_at(shared, view, j, value_i, true) -
           linear_at(shared, view, i, value_i) - linear_at(shared, view, j, value_j);
}

/// Four consecutive elements of a matrix row in device memory, read as words.
struct alignas(4 * sizeof(Element)) FourElements {
    uint32_t words[sizeof(Element)];

    /// Byte number `plane` of each of the four elements, as a word.
    QAPFW_DEVICE uint32_t bytes(int plane) const {
        uint32_t bytes = 0;
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            const int at = k * static_cast<int>(sizeof(Element)) + plane;
            bytes |= (words[at / 4] >> (at % 4 * 8) & 0xFFu) << (8 * k);
        }
        return bytes;
    }
};

/// Loads both matrices (`side` 0) or both transposed ones (1) into the planes, with zeros on the diagonals. A thread
/// makes several loads before it waits.
QAPFW_DEVICE void load_side(MatricesShared& shared, const View& view, int side) {
    static_assert(kRow % 4 == 0, "rows of matrices in device memory begin at multiples of four elements");
    constexpr int kRowWords = kRowBytes / 4, kWords = kPlaneBytes / 4;
    constexpr int kTogether = 8 / static_cast<int>(sizeof(Element));
    const int step = static_cast<int>(blockDim.x);
#pragma unroll 1
    for (int first = static_cast<int>(threadIdx.x); first < kWords; first += kTogether * step) {
        FourElements a[kTogether], b[kTogether];
#pragma unroll
        for (int k = 0; k < kTogether; ++k) {
            const int i = (first + k * step) / kRowWords, j = (first + k * step) % kRowWords * 4;
            const int source = (side * kN + i) * kRow + j;
            const bool inside = i < kN && j < kN;
            a[k] = inside ? *reinterpret_cast<const FourElements*>(view.a + source) : FourElements{};
            b[k] = inside ? *reinterpret_cast<const FourElements*>(view.b + source) : FourElements{};
        }
#pragma unroll
        for (int k = 0; k < kTogether; ++k) {
            const int word = first + k * step;
            if (word >= kWords) continue;
            // Number of columns from the word's first byte to the diagonal.
            const int behind = word / kRowWords - word % kRowWords * 4;
            const uint32_t kept = 0 <= behind && behind < 4 ? ~(0xFFu << (8 * behind)) : ~0u;
#pragma unroll
            for (int plane = 0; plane < kPlanes; ++plane) {
                reinterpret_cast<uint32_t*>(shared.a[side][plane])[word] = a[k].bytes(plane) & kept;
                reinterpret_cast<uint32_t*>(shared.b[side][plane])[word] = b[k].bytes(plane) & kept;
            }
        }
    }
}

/// Fills `shared`, by all threads of the CUDA block. The caller then needs a barrier of the CUDA block.
QAPFW_DEVICE void load_matrices(MatricesShared& shared, const View& view) {
#pragma unroll 1
    for (int side = 0; side < kSides; ++side) load_side(shared, view, side);
    if constexpr (kDiagonal) {
        for (int i = static_cast<int>(threadIdx.x); i < kN; i += static_cast<int>(blockDim.x)) {
            shared.a_diagonal[i] = static_cast<Sum>(view.a[i * kRow + i]);
            shared.b_diagonal[i] = static_cast<Sum>(view.b[i * kRow + i]);
        }
    }
    if constexpr (kLinearShared)
        for (int k = static_cast<int>(threadIdx.x); k < kN * kN; k += static_cast<int>(blockDim.x))
            shared.linear[k / kN * kLinearRow + k % kN] = view.linear_rows[k];
}

/// Element (i, j) of a matrix that is kept as planes.
QAPFW_DEVICE uint32_t element(const uint8_t (&planes)[kPlanes][kPlaneBytes], int i, int j) {
    uint32_t value = planes[0][i * kRowBytes + j];
#pragma unroll
    for (int plane = 1; plane < kPlanes; ++plane)
        value |= static_cast<uint32_t>(planes[plane][i * kRowBytes + j]) << (8 * plane);
    return value;
}

/// Offset of element k of a vector, in bytes from the start of a plane. In this order, the bytes that one lane feeds to
/// all tensor tiles are contiguous.
QAPFW_DEVICE int vector_offset(int k) {
    return ((k >> 2) & 3) * (8 * kDepthTiles) + (k >> 4) * 4 + (k & 3);
}

/// Two vectors, r (number 0) and s (number 1), that rows of a matrix are multiplied by. bytes[2 * plane + number] is
/// one plane of a vector.
struct VectorPair {
    alignas(16) uint8_t bytes[kVectorPlanes * 2][kVectorBytes];

    QAPFW_DEVICE void set(int which, int offset, uint32_t value) {
#pragma unroll
        for (int plane = 0; plane < kPlanes; ++plane)
            bytes[plane * 2 + which][offset] = static_cast<uint8_t>(value >> (8 * plane));
    }
    /// Returns the address of the bytes that this lane feeds to the tensor tiles: 8 bytes for each tile, tile by tile.
    QAPFW_DEVICE const uint8_t* bytes_of_lane() const {
        const int lane = static_cast<int>(threadIdx.x & 31u);
        const int column = lane >> 2;
        const int plane_of_column = (column >> 1) % kVectorPlanes;
        return bytes[plane_of_column * 2 + (column & 1)] + (lane & 3) * (8 * kDepthTiles);
    }
};

/// A lane's part of the products of 16 rows with the vectors r and s, summed over several matrices. sums[p] belongs to
/// plane p of the matrix and has the layout of a result of mma.m16n8k32.
struct RowSums {
    int32_t sums[kPlanes][4];

    QAPFW_DEVICE void add(const RowSums& other) {
#pragma unroll
        for (int plane = 0; plane < kPlanes; ++plane)
#pragma unroll
            for (int k = 0; k < 4; ++k) sums[plane][k] += other.sums[plane][k];
    }
};

/// Multiplies blocks of the matrix by the vectors. A block is 16 rows. Adds the products of block k to rows[k]. The
/// kCount blocks alternate, so that their sums do not wait for one another. Lane l passes as row[k] the address of row
/// l % 16 of block k, in plane 0.
template <int kCount>
QAPFW_DEVICE void multiply_rows(RowSums (&rows)[kCount], const uint8_t* const (&row)[kCount],
                                const VectorPair& vectors) {
    const int lane = static_cast<int>(threadIdx.x & 31u);
    const uint8_t* const vector = vectors.bytes_of_lane();
    kernels::SharedAddress address[kCount];
#pragma unroll
    for (int k = 0; k < kCount; ++k) address[k] = kernels::shared_address(row[k] + (lane >> 4) * 16);
#pragma unroll
    for (int tile = 0; tile < kDepthTiles; ++tile) {
        const uint2 b = *reinterpret_cast<const uint2*>(vector + tile * 8);
#pragma unroll
        for (int plane = 0; plane < kPlanes; ++plane) {
            uint32_t a[kCount][4];
#pragma unroll
            for (int k = 0; k < kCount; ++k)
                kernels::load_byte_matrices(a[k], address[k] + static_cast<uint32_t>(plane * kPlaneBytes + tile * 32));
#pragma unroll
            for (int k = 0; k < kCount; ++k)
                kernels::add_byte_products(rows[k].sums[plane], a[k][0], a[k][1], a[k][2], a[k][3], b.x, b.y);
        }
    }
}

/// The part of 16 rows of a matrix that one lane holds, as operands of the tensor cores. Products with held rows need
/// not wait for loads.
struct HeldRows {
    uint32_t parts[kDepthTiles][kPlanes][4];

    /// Loads the parts from shared memory. Lane l passes as `row` the address of row l % 16 in plane 0.
    QAPFW_DEVICE void load(const uint8_t* row) {
        const int lane = static_cast<int>(threadIdx.x & 31u);
        const kernels::SharedAddress address = kernels::shared_address(row + (lane >> 4) * 16);
#pragma unroll
        for (int tile = 0; tile < kDepthTiles; ++tile)
#pragma unroll
            for (int plane = 0; plane < kPlanes; ++plane)
                kernels::load_byte_matrices(parts[tile][plane],
                                            address + static_cast<uint32_t>(plane * kPlaneBytes + tile * 32));
    }
    /// Adds the products of the held rows and the vectors to `rows`.
    QAPFW_DEVICE void multiply(RowSums& rows, const VectorPair& vectors) const {
        const uint8_t* const vector = vectors.bytes_of_lane();
        uint2 b[kDepthTiles];
#pragma unroll
        for (int tile = 0; tile < kDepthTiles; ++tile) b[tile] = *reinterpret_cast<const uint2*>(vector + tile * 8);
#pragma unroll
        for (int tile = 0; tile < kDepthTiles; ++tile)
#pragma unroll
            for (int plane = 0; plane < kPlanes; ++plane) {
                const uint32_t(&a)[4] = parts[tile][plane];
                kernels::add_byte_products(rows.sums[plane], a[0], a[1], a[2], a[3], b[tile].x, b[tile].y);
            }
    }
};

/// Returns to each lane the product of one row and one vector, from the parts that multiply_rows left in the lanes.
/// Lane l gets the product of vector l % 2 (0: r, 1: s) and of row 8 * (l / 2 % 2) + l / 4. The 16 rows are numbered
/// from 0.
QAPFW_DEVICE Sum take_row_sum(const RowSums& rows) {
    const int lane = static_cast<int>(threadIdx.x & 31u);
    Sum sums[4];
#pragma unroll
    for (int c = 0; c < 4; ++c) {
        Sum sum = static_cast<Sum>(rows.sums[0][c]);
#pragma unroll
        for (int plane = 1; plane < kPlanes; ++plane)
            sum += static_cast<Sum>(static_cast<uint64_t>(static_cast<int64_t>(rows.sums[plane][c])) << (8 * plane));
        if constexpr (kVectorPlanes > 1) {
            sum = static_cast<Sum>(static_cast<uint64_t>(static_cast<int64_t>(sum))
                                   << (8 * ((lane & 3) % kVectorPlanes)));
            sum += __shfl_xor_sync(kernels::kAllLanes, sum, 1);
            if constexpr (kVectorPlanes > 2) sum += __shfl_xor_sync(kernels::kAllLanes, sum, 2);
        }
        sums[c] = sum;
    }
    const Sum upper = (lane & 1) != 0 ? sums[1] : sums[0];
    const Sum lower = (lane & 1) != 0 ? sums[3] : sums[2];
    return (lane & 2) != 0 ? lower : upper;
}

}  // namespace qapfw::qap
