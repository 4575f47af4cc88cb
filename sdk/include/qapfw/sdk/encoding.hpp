// SPDX-License-Identifier: Apache-2.0
// Builds encodings, and accesses a solution's segments.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "qapfw/abi/base.h"

namespace qapfw::sdk {

/// Owns the segment table of an encoding. Segments start at multiples of 16 bytes; the padding is zero. Segments are
/// added one by one: `Encoding().add_permutation(9).add_values(bounds)`.
class Encoding {
  public:
    /// A permutation of 0..n-1.
    static Encoding permutation(std::uint32_t n) { return std::move(Encoding().add_permutation(n)); }
    /// A permutation of the n departments, n >= 1, then n - 1 bits, each in a byte of its own: bit k is 1 if position k
    /// is the last of its bay.
    static Encoding permutation_and_bays(std::uint32_t n) {
        Encoding encoding = permutation(n);
        encoding.add(QAPFW_SEGMENT_BAYS, n - 1, 1);
        return encoding;
    }

    /// Adds a permutation of 0..n-1. Its elements have 16 bits up to n = 65536, and 32 bits for a larger n.
    Encoding& add_permutation(std::uint32_t n) {
        add(QAPFW_SEGMENT_PERMUTATION, n, n <= 65536 ? 2 : 4);
        return *this;
    }
    /// Adds a permutation of 0..n-1 whose elements have 32 bits for any n.
    Encoding& add_permutation32(std::uint32_t n) {
        add(QAPFW_SEGMENT_PERMUTATION, n, 4);
        return *this;
    }
    /// Adds a segment of bits, each in a byte of its own.
    Encoding& add_bits(std::uint32_t length) {
        add(QAPFW_SEGMENT_BITS, length, 1);
        return *this;
    }
    /// Adds a segment of bits, exactly `ones` of which are 1.
    Encoding& add_bits(std::uint32_t length, std::uint32_t ones) {
        add(QAPFW_SEGMENT_BITS, length, 1).counts = keep<std::uint32_t>({length - ones, ones});
        return *this;
    }
    /// Adds a segment of values below `bound` >= 1, in as few bytes as possible.
    Encoding& add_values(std::uint32_t length, std::uint32_t bound) {
        add(QAPFW_SEGMENT_VALUES, length, bytes_below(bound)).bound = bound;
        return *this;
    }
    /// Adds a segment of values: value k is below bounds[k] >= 1. `bytes`: bytes of each value; 0: as few as possible.
    Encoding& add_values(std::vector<std::uint32_t> bounds, std::uint32_t bytes = 0) {
        std::uint32_t greatest = 1;
        for (const std::uint32_t bound : bounds) greatest = bound > greatest ? bound : greatest;
        qapfw_segment& segment = add(QAPFW_SEGMENT_VALUES, static_cast<std::uint32_t>(bounds.size()),
                                     bytes != 0 ? bytes : bytes_below(greatest));
        segment.bounds = keep(std::move(bounds));
        return *this;
    }
    /// Adds a segment of values. Every solution has value v exactly counts[v] times.
    Encoding& add_counted_values(std::vector<std::uint32_t> counts) {
        std::uint32_t length = 0;
        for (const std::uint32_t count : counts) length += count;
        add_values(length, static_cast<std::uint32_t>(counts.size()));
        segments_.back().counts = keep(std::move(counts));
        return *this;
    }
    /// Adds a segment with one value for each of `weights`. The weights of all elements with value v should sum up to
    /// at most capacities[v]. A solution that exceeds a capacity is valid; see qapfw_segment.
    Encoding& add_values(std::vector<std::int64_t> weights, std::vector<std::int64_t> capacities) {
        add_values(static_cast<std::uint32_t>(weights.size()), static_cast<std::uint32_t>(capacities.size()));
        segments_.back().weights = keep(std::move(weights));
        segments_.back().capacities = keep(std::move(capacities));
        return *this;
    }

    /// The C form; valid until this object is moved or changed. `fixed`: one entry for each element of all segments.
    qapfw_encoding c_encoding(const std::uint8_t* fixed = nullptr, const void* fixed_solution = nullptr) const {
        return {sizeof(qapfw_encoding), static_cast<std::uint32_t>(segments_.size()), segments_.data(), bytes_, fixed,
                fixed_solution};
    }

  private:
    static std::uint32_t bytes_below(std::uint32_t bound) { return bound <= 256 ? 1 : bound <= 65536 ? 2 : 4; }
    qapfw_segment& add(std::uint32_t kind, std::uint32_t length, std::uint32_t element_bytes) {
        qapfw_segment& segment = segments_.emplace_back();
        segment.kind = kind;
        segment.length = length;
        segment.element_bytes = element_bytes;
        segment.offset = static_cast<std::uint32_t>(bytes_);
        bytes_ += (std::uint64_t{length} * element_bytes + 15) / 16 * 16;
        return segment;
    }
    /// Stores an array that copies of this object share.
    template <class T>
    const T* keep(std::vector<T> values) {
        auto kept = std::make_shared<const std::vector<T>>(std::move(values));
        const T* const address = kept->data();
        arrays_.push_back(std::move(kept));
        return address;
    }
    std::vector<qapfw_segment> segments_;
    std::vector<std::shared_ptr<const void>> arrays_;
    std::uint64_t bytes_ = 0;
};

/// @{
/// Returns segment 0 of a solution, not a copy. The segment must be a permutation of 16-bit elements.
inline std::uint16_t* permutation_of(void* solution) {
    return static_cast<std::uint16_t*>(solution);
}
inline const std::uint16_t* permutation_of(const void* solution) {
    return static_cast<const std::uint16_t*>(solution);
}
/// @}
/// Element `index` of a segment of a solution.
inline std::uint32_t element_at(const qapfw_segment& segment, const void* solution, std::uint32_t index) {
    const auto* const at = static_cast<const unsigned char*>(solution) + segment.offset;
    if (segment.element_bytes == 1) return at[index];
    if (segment.element_bytes == 2) {
        std::uint16_t value = 0;
        std::memcpy(&value, at + std::size_t{2} * index, 2);
        return value;
    }
    std::uint32_t value = 0;
    std::memcpy(&value, at + std::size_t{4} * index, 4);
    return value;
}
/// Sets element `index` to `value`, which must fit the segment's elements.
inline void set_element(const qapfw_segment& segment, void* solution, std::uint32_t index, std::uint32_t value) {
    auto* const at = static_cast<unsigned char*>(solution) + segment.offset;
    std::memcpy(at + std::size_t{segment.element_bytes} * index, &value, segment.element_bytes);
}
/// Number of values that element `index` of a segment can have: 0 .. the result - 1.
inline std::uint32_t bound_at(const qapfw_segment& segment, std::uint32_t index) {
    if (segment.kind == QAPFW_SEGMENT_PERMUTATION) return segment.length;
    if (segment.kind != QAPFW_SEGMENT_VALUES) return 2;
    return segment.bounds != nullptr ? segment.bounds[index] : segment.bound;
}
/// Number of elements of all segments.
inline std::uint64_t element_count(const qapfw_encoding& encoding) {
    std::uint64_t count = 0;
    for (std::uint32_t s = 0; s < encoding.segment_count; ++s) count += encoding.segments[s].length;
    return count;
}
/// True if solutions are a permutation with 16-bit elements, alone or with bays. Most algorithms need such an encoding.
inline bool is_permutation_16(const qapfw_encoding& encoding) {
    const qapfw_segment& first = encoding.segments[0];
    if (first.kind != QAPFW_SEGMENT_PERMUTATION || first.element_bytes != 2) return false;
    return encoding.segment_count == 1 ||
           (encoding.segment_count == 2 && encoding.segments[1].kind == QAPFW_SEGMENT_BAYS);
}
/// Writes the fixed solution to `solution` if there is one, else a valid solution that is always the same: permutations
/// are the identity, bits and values are 0. A segment with counts gets its values in ascending order, each as often as
/// its count says. `solution` has encoding.solution_bytes bytes.
inline void base_solution(const qapfw_encoding& encoding, void* solution) {
    std::memset(solution, 0, encoding.solution_bytes);
    if (encoding.fixed_solution != nullptr) {
        std::memcpy(solution, encoding.fixed_solution, encoding.solution_bytes);
        return;
    }
    for (std::uint32_t s = 0; s < encoding.segment_count; ++s) {
        const qapfw_segment& segment = encoding.segments[s];
        const bool is_permutation = segment.kind == QAPFW_SEGMENT_PERMUTATION;
        for (std::uint32_t k = 0, v = 0, given = 0; k < segment.length; ++k) {
            if (is_permutation) {
                set_element(segment, solution, k, k);
            } else if (segment.counts != nullptr) {
                for (; given == segment.counts[v]; ++v) given = 0;
                ++given;
                set_element(segment, solution, k, v);
            }
        }
    }
}

/// @{
/// Solution `index` of a batch whose solutions are `bytes` apart.
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
    /// True if cost `a` is less than cost `b`. Both have this kind, and neither is NaN.
    bool operator()(qapfw_cost a, qapfw_cost b) const { return kind == QAPFW_COST_FLOAT64 ? a.f < b.f : a.i < b.i; }
};

/// a + b for two costs of this kind.
inline qapfw_cost cost_sum(std::uint32_t kind, qapfw_cost a, qapfw_cost b) {
    qapfw_cost sum{};
    if (kind == QAPFW_COST_FLOAT64)
        sum.f = a.f + b.f;
    else
        sum.i = a.i + b.i;
    return sum;
}
/// a - b for two costs of this kind.
inline qapfw_cost cost_difference(std::uint32_t kind, qapfw_cost a, qapfw_cost b) {
    qapfw_cost difference{};
    if (kind == QAPFW_COST_FLOAT64)
        difference.f = a.f - b.f;
    else
        difference.i = a.i - b.i;
    return difference;
}

}  // namespace qapfw::sdk
