// SPDX-License-Identifier: Apache-2.0
// Building an encoding, and reaching a solution's segments.
#pragma once

#include <cstdint>
#include <vector>

#include "qapfw/abi/base.h"

namespace qapfw::sdk {

/// Owns the segment table of an encoding. Segments start at multiples of 16 bytes; the padding is zero.
class Encoding {
  public:
    /// A permutation of 0..n-1, n at most 65536.
    static Encoding permutation(std::uint32_t n) {
        Encoding encoding;
        encoding.add(QAPFW_SEGMENT_PERMUTATION, n, 2);
        return encoding;
    }
    /// A permutation of 0..n-1, then `bits` bits of a byte each.
    static Encoding permutation_and_bits(std::uint32_t n, std::uint32_t bits) {
        Encoding encoding = permutation(n);
        encoding.add(QAPFW_SEGMENT_BITS, bits, 1);
        return encoding;
    }

    /// The C form; valid as long as this object is neither moved nor changed.
    qapfw_encoding c_encoding(const std::uint8_t* fixed = nullptr, const void* fixed_solution = nullptr) const {
        return {sizeof(qapfw_encoding), static_cast<std::uint32_t>(segments_.size()), segments_.data(), bytes_, fixed,
                fixed_solution};
    }

  private:
    void add(std::uint32_t kind, std::uint32_t length, std::uint32_t element_bytes) {
        segments_.push_back({kind, length, element_bytes, static_cast<std::uint32_t>(bytes_)});
        bytes_ += (std::uint64_t{length} * element_bytes + 15) / 16 * 16;
    }
    std::vector<qapfw_segment> segments_;
    std::uint64_t bytes_ = 0;
};

/// @{
/// Segment 0 of a solution as the permutation it is, in place.
inline std::uint16_t* permutation_of(void* solution) {
    return static_cast<std::uint16_t*>(solution);
}
inline const std::uint16_t* permutation_of(const void* solution) {
    return static_cast<const std::uint16_t*>(solution);
}
/// @}

/// @{
/// Solution `index` of a batch whose solutions are `bytes` apart, in place.
inline void* solution_at(void* solutions, std::uint64_t bytes, std::uint64_t index) {
    return static_cast<unsigned char*>(solutions) + bytes * index;
}
inline const void* solution_at(const void* solutions, std::uint64_t bytes, std::uint64_t index) {
    return static_cast<const unsigned char*>(solutions) + bytes * index;
}
/// @}

/// Order of costs of one kind.
struct CostLess {
    std::uint32_t kind = QAPFW_COST_INT64;  ///< QAPFW_COST_...
    /// Whether `a` is less than `b`: two costs of that kind, neither NaN.
    bool operator()(qapfw_cost a, qapfw_cost b) const { return kind == QAPFW_COST_FLOAT64 ? a.f < b.f : a.i < b.i; }
};

}  // namespace qapfw::sdk
