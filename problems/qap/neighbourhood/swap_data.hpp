// SPDX-License-Identifier: Apache-2.0
// The data of one instance for all its swap neighbourhoods: the matrices in the narrowest exact form, with proven
// bounds. Made once per instance and immutable afterwards.
//
// The reduced problem. Deltas do not change when a constant is added to all off-diagonal entries of a matrix, and a
// common divisor of a matrix's entries only scales deltas. Therefore the neighbourhood takes the normal form
// (costs/normal_form.hpp) and works with
//     D(u,v) = sum over k other than u, v of (a_uk - a_vk) (s_vk - s_uk),      delta(u,v) = factor * D(u,v)
// where a and s are shifted, divided by a common divisor of their entries, and symmetric; s is b in the order of the
// solution. For two asymmetric matrices D also has the same sum over columns and the term of the pair itself. If both
// diagonals vary, -(a_uu - a_vv)(b_uu - b_vv) is added to D and nothing is divided. Otherwise the diagonals cancel from
// every delta and are replaced by the smallest entry.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "problems/qap/costs/interchangeable.hpp"
#include "problems/qap/instruction_set.hpp"
#include "problems/qap/matrices.hpp"
#include "qapfw/sdk/zeroed_memory.hpp"

namespace qapfw::qap {

/// Says how many bits a stored entry of a matrix has, and how many bits a delta has in the table of deltas.
enum class SwapWidth : uint8_t {
    k8,         ///< entries of 8 bits, deltas of 32 bits
    k16,        ///< 16 bits for entries and for x_u - x_v (swap_neighbourhood_scan.hpp); 32 bits for deltas
    k16Wide,    ///< 16 bits for entries; 32 bits for all differences and for deltas
    k32,        ///< entries modulo 2^32, deltas of 32 bits
    k64Narrow,  ///< 32 bits for entries and for x_u - x_v (swap_neighbourhood_scan.hpp); 64 bits for deltas
    k64,        ///< entries modulo 2^64, deltas of 64 bits
};

/// Zeroed memory of `bytes` bytes, with 64 spare bytes behind them. A load of a whole vector may reach into the spare
/// bytes.
class AlignedBytes {
  public:
    AlignedBytes() = default;
    explicit AlignedBytes(size_t bytes) : memory_(bytes + 64) {}
    std::byte* get() const { return memory_.data(); }

  private:
    sdk::ZeroedMemory memory_;
};

struct SwapData {
    /// `matrices` must outlive this object. `fixed`: empty, or one byte for each position, nonzero if the position must
    /// keep its element. Swaps within the classes of `equals` are left out of the neighbourhood. Throws Error(kInput)
    /// if a size is wrong, an entry exceeds 2^60 in magnitude or a cost could reach 2^62.
    explicit SwapData(const QapMatrices& matrices, std::span<const uint8_t> fixed = {}, Isa isa = preferred_isa(),
                      const Interchangeable& equals = {});

    /// The exact cost of a solution by its definition, O(n^2).
    int64_t cost(const uint16_t* p) const;
    /// Returns the delta of a swap whose D (see the head of this file) is `d`.
    int64_t delta_of(int64_t d) const;
    /// Returns the least D whose delta is at least `delta`.
    int64_t first_at_least(int64_t delta) const;
    /// The number of elements in one word of `a`, of `a_transposed` and of a neighbourhood's copies of b.
    uint32_t elements_per_word() const { return width == SwapWidth::k8 ? 4 : width <= SwapWidth::k16Wide ? 2 : 1; }
    uint32_t table_bytes() const { return width >= SwapWidth::k64Narrow ? 8 : 4; }
    uint32_t word_bytes() const { return width == SwapWidth::k64 ? 8 : 4; }

    const QapMatrices* original;
    uint32_t n = 0;
    uint32_t padded = 0;  ///< n rounded up to a multiple of 16
    uint32_t groups = 0;  ///< number of words per row of a matrix
    Isa isa;
    SwapWidth width = SwapWidth::k64;
    bool asymmetric = false;  ///< true if both matrices are asymmetric
    bool diagonal = false;    ///< true if the diagonals enter the deltas
    bool has_fixed = false;   ///< true if some position is fixed
    bool has_linear = false;  ///< true if there are linear costs or forbidden pairs
    bool has_equals = false;  ///< true if swaps within classes of interchangeable facilities or locations are left out
    int64_t factor = 1;       ///< delta = factor * D if no pair is forbidden; the head of this file explains D
    /// Number that a forbidden pair adds to D; 0 if no pair is forbidden. The number is more than twice the largest D
    /// without forbidden pairs. Usually it is far less than QapMatrices::penalty / factor, so tables need fewer bits.
    int64_t penalty = 0;
    int64_t limit = INT64_MAX;  ///< a swap with D >= limit adds forbidden pairs, so it is not made
    /// True if a swap changes the sum of all H_uu (swap_neighbourhood_apply.hpp) by twice D, and every H_uu fits the
    /// table's type. Then the cost follows from the sum.
    bool sums_are_costs = false;
    int64_t a_diagonal = 0, b_diagonal = 0;  ///< the constant on the stored diagonal of a, and of b
    /// Matrix a in words of e = elements_per_word() entries, ordered [group][padded]: word (g, u) holds the entries
    /// g * e to (g + 1) * e - 1 of row u. So one vector holds words of consecutive rows. Entries beyond n are zero.
    /// a_transposed is empty unless `asymmetric`.
    AlignedBytes a, a_transposed;
    /// Matrix b row by row, in the instance's order of locations, then a row of zeros. Elements are as wide as those of
    /// `a`. b_transposed is empty unless `asymmetric`.
    AlignedBytes b, b_transposed;
    /// Linear costs minus the least cost of each facility, divided by `factor`. Entries of forbidden pairs include
    /// `penalty`. An entry has the type of the table of deltas. Used if `has_linear`.
    AlignedBytes linear;             ///< n x n: a row for each facility, with an entry for each location
    AlignedBytes linear_transposed;  ///< n x padded: a row for each location, with an entry for each facility
    AlignedBytes free;               ///< per position up to `padded`, of the table's type: all bits set if free, else 0
    AlignedBytes diag_a;             ///< per position: a_uu, in the table's type; used if `diagonal`
    AlignedBytes diag_b;             ///< per location: b_uu
    AlignedBytes class_a;            ///< per position: its class of interchangeable facilities; used if `has_equals`
    AlignedBytes class_b;            ///< per location: its class of interchangeable locations
    std::vector<size_t> row;         ///< entry (u, v) of a table of deltas is at row[u] + v; v starts at u / 16 * 16
    size_t table_entries = 0;
    std::string description;
};

}  // namespace qapfw::qap
