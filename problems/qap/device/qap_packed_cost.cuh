// SPDX-License-Identifier: Apache-2.0
// The full cost of a solution by a warp, if matrix entries are bytes, with four products per instruction. With q the
// inverse of p,
//   sum_ij a_ij b_p(i)p(j) = sum_il a_iq(l) b_p(i)l.
// The two factors are rows of the transposed a in the order of q, and rows of b in the order of p. Entries to be
// multiplied are neighbours along i in the rows of the transposed a, and along l in the rows of b. A lane takes squares
// of eight positions i by eight locations l, with sixteen loads of eight bytes each. The lane permutes bytes so that
// matching entries come together, two by two. Matrices lie in shared memory. This text comes after qap_problem.cuh.

namespace qapfw::qap {

constexpr int kPackedMost = 128;  ///< largest n; the matrices of a larger problem take too much shared memory
constexpr bool kPacked = sizeof(Element) == 1 && kN <= kPackedMost;
constexpr int kSquares = (kN + 7) / 8;        ///< number of 8 x 8 squares along a side of the n x n matrices
constexpr int kMostWarps = 32;                ///< greatest number of warps of a CUDA block
constexpr int kChildRounds = (kN + 31) / 32;  ///< largest number of positions of one lane

// The pitch of rows in shared memory spreads loads over the banks. Sixteen lanes load at the same time, from sixteen
// banks of eight bytes. Usually the pitch is an odd number of banks, so that rows are spread evenly over the banks. If
// there are five squares on a side, all rows begin in the same bank instead. Then fifteen lanes take the squares of
// three groups of eight locations by five groups of eight positions. Each group has its own copy of the rows, and reads
// banks that no other group reads at the same time.
constexpr bool kCopies = kSquares == 5;
constexpr int kPitchOfA = kCopies ? 16 : kSquares | 1;  ///< distance from one row to the next, in ByteWords
constexpr int kPitchOfB = kCopies ? 32 : kSquares | 1;
constexpr int kCopiesOfA = kCopies ? 3 : 1;
constexpr int kCopiesOfB = kCopies ? 5 : 1;
QAPFW_DEVICE constexpr int copy_of_a(int group) {
    return group % kCopiesOfA * kSquares;
}
QAPFW_DEVICE constexpr int copy_of_b(int group) {
    return group % kCopiesOfB * 6 + (group % kCopiesOfB >= 3 ? 1 : 0);
}
/// The number of a lane's first square. The lane's further squares follow in steps of 32. A number of kSquares^2 or
/// more means that there is no square.
QAPFW_DEVICE int first_square(int lane) {
    if (!kCopies) return lane;
    return lane % 16 == 15 ? kSquares * kSquares : lane - lane / 16;
}

/// True if rows in device memory are whole words of eight bytes, with zeros beyond the last entry, and matrices are
/// symmetric. Then the rows of a are also those of the transposed a.
constexpr bool kRowsOfWords = kSymmetric && kRow % 8 == 0;

/// Eight bytes that are loaded at once; the first byte is the lowest one of `low`.
struct alignas(8) ByteWord {
    uint32_t low, high;
};
QAPFW_DEVICE uint8_t* bytes_of(ByteWord* row) {
    return reinterpret_cast<uint8_t*>(row);
}
QAPFW_DEVICE const uint8_t* bytes_of(const ByteWord* row) {
    return reinterpret_cast<const uint8_t*>(row);
}

/// The matrices of bytes and, for each warp of the CUDA block, the present solution p with its inverse q.
struct PackedMatrices {
    ByteWord a[kN][kPitchOfA];  ///< the transposed matrix a
    ByteWord b[kN][kPitchOfB];
    ByteWord p[kMostWarps][kSquares], q[kMostWarps][kSquares];

    /// Loads the matrices, by all threads of the CUDA block. The caller then needs a barrier.
    QAPFW_DEVICE void load(const View& view) {
        const int first = static_cast<int>(threadIdx.x), step = static_cast<int>(blockDim.x);
        for (int word = first; word < kN * kSquares; word += step) {
            const int row = word / kSquares, of_row = word % kSquares;
            ByteWord of_a, of_b;
            if constexpr (kRowsOfWords) {
                of_a = reinterpret_cast<const ByteWord*>(view.a + row * kRow)[of_row];
                of_b = reinterpret_cast<const ByteWord*>(view.b + row * kRow)[of_row];
            } else {
                of_a = gathered([&](int column) { return view.a[column * kRow + row]; }, 8 * of_row);
                of_b = gathered([&](int column) { return view.b[row * kRow + column]; }, 8 * of_row);
            }
            for (int k = 0; k < kCopiesOfA; ++k) a[row][copy_of_a(k) + of_row] = of_a;
            for (int k = 0; k < kCopiesOfB; ++k) b[row][copy_of_b(k) + of_row] = of_b;
        }
        for (int word = first; word < step / 32 * kSquares; word += step) {
            p[word / kSquares][word % kSquares] = q[word / kSquares][word % kSquares] = {0, 0};
        }
    }
    QAPFW_DEVICE int entry_of_a(int i, int j) const { return kSymmetric ? bytes_of(a[i])[j] : bytes_of(a[j])[i]; }
    QAPFW_DEVICE int entry_of_b(int k, int l) const { return bytes_of(b[k])[l]; }

  private:
    /// Eight entries of a row from column `first` on, with zeros beyond the last entry.
    template <class Entry>
    static QAPFW_DEVICE ByteWord gathered(Entry entry, int first) {
        ByteWord word{0, 0};
        for (int k = 0; k < 8 && first + k < kN; ++k) bytes_of(&word)[k] = static_cast<uint8_t>(entry(first + k));
        return word;
    }
};

/// Returns `sum` plus four products a * b: two positions, each combined with two locations. `a_first` and
/// `a_second`: entries of the two locations' rows of a. `b_first` and `b_second`: entries of the two positions' rows of
/// b. `a_pairs` and `b_pairs` select the four bytes of each factor (see __byte_perm).
QAPFW_DEVICE uint32_t add_products(uint32_t a_first, uint32_t a_second, uint32_t b_first, uint32_t b_second,
                                   uint32_t a_pairs, uint32_t b_pairs, uint32_t sum) {
    return __dp4a(__byte_perm(a_first, a_second, a_pairs), __byte_perm(b_first, b_second, b_pairs), sum);
}

/// Word `word` of the matrix row whose number is byte `k` of `rows`.
template <int kPitch>
QAPFW_DEVICE ByteWord row_word(const ByteWord (&matrix)[kN][kPitch], uint32_t rows, int k, int word) {
    const auto first = static_cast<uint32_t>(8 * word);
    uint32_t offset;  // in bytes: row * 8 * kPitch + first
    if constexpr (kPitch == 32) {
        offset = __byte_perm(rows, first, 0x5504u | static_cast<uint32_t>(k << 4));
    } else {
        static_assert(!kPacked || 8 * kPitch < 256);
        offset = __dp4a(rows, static_cast<uint32_t>(8 * kPitch) << (8 * k), first);
    }
    return *reinterpret_cast<const ByteWord*>(reinterpret_cast<const unsigned char*>(matrix) + offset);
}

/// `sum` plus the terms of one square: the eight positions of group `positions` by the eight locations of group
/// `locations`.
QAPFW_DEVICE uint32_t square_sum(const PackedMatrices& m, int warp, int positions, int locations, uint32_t sum) {
    // Selectors for add_products. "Low" selects entries 0 and 1 of two rows, "High" entries 2 and 3.
    constexpr uint32_t kLowA = 0x5140, kHighA = 0x7362;  // result: entries of both rows in turn
    constexpr uint32_t kLowB = 0x5410, kHighB = 0x7632;  // result: entries of the first row, then of the second row
    const ByteWord p = m.p[warp][positions], q = m.q[warp][locations];
    const int word_of_a = copy_of_a(locations) + positions, word_of_b = copy_of_b(positions) + locations;
    ByteWord b[8];
#pragma unroll
    for (int k = 0; k < 8; ++k) b[k] = row_word(m.b, k < 4 ? p.low : p.high, k % 4, word_of_b);
#pragma unroll
    for (int k = 0; k < 8; k += 2) {  // locations k and k + 1
        const uint32_t rows = k < 4 ? q.low : q.high;
        const ByteWord first = row_word(m.a, rows, k % 4, word_of_a);
        const ByteWord second = row_word(m.a, rows, k % 4 + 1, word_of_a);
        const uint32_t pairs = k % 4 == 0 ? kLowB : kHighB;
        const auto of = [&](const ByteWord& word) { return k < 4 ? word.low : word.high; };
        sum = add_products(first.low, second.low, of(b[0]), of(b[1]), kLowA, pairs, sum);
        sum = add_products(first.low, second.low, of(b[2]), of(b[3]), kHighA, pairs, sum);
        sum = add_products(first.high, second.high, of(b[4]), of(b[5]), kLowA, pairs, sum);
        sum = add_products(first.high, second.high, of(b[6]), of(b[7]), kHighA, pairs, sum);
    }
    return sum;
}

/// sum_ij a_ij b_p(i)p(j) by warp number `warp` of the CUDA block; `own` has p(i) of the lane's own positions. The sum
/// fits 32 bits.
template <class Group>
QAPFW_DEVICE uint32_t packed_sum(Group group, PackedMatrices& m, int warp, const int (&own)[kChildRounds]) {
    uint8_t *const p = bytes_of(m.p[warp]), *const q = bytes_of(m.q[warp]);
    group.sync();  // after this, no lane reads the previous solution
#pragma unroll
    for (int round = 0; round < kChildRounds; ++round) {
        const int i = 32 * round + group.rank();
        if (i >= kN) continue;
        p[i] = static_cast<uint8_t>(own[round]);
        q[own[round]] = static_cast<uint8_t>(i);
    }
    group.sync();
    uint32_t sum = 0;
    for (int square = first_square(group.rank()); square < kSquares * kSquares; square += group.size()) {
        sum = square_sum(m, warp, square % kSquares, square / kSquares, sum);
    }
    return __reduce_add_sync(kernels::kAllLanes, sum);
}

}  // namespace qapfw::qap
