// SPDX-License-Identifier: Apache-2.0
// Solutions in the layout of the interface: storage, validity, and the plain numbers for run records.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "qapfw/abi/base.h"

namespace qapfw::framework {

/// Zeroed, 64-byte aligned memory for solutions.
class SolutionBuffer {
  public:
    explicit SolutionBuffer(std::uint64_t bytes = 0) : blocks_((bytes + sizeof(Block) - 1) / sizeof(Block)) {}
    void* data() { return blocks_.data(); }
    const void* data() const { return blocks_.data(); }

  private:
    struct alignas(64) Block {
        std::byte bytes[64] = {};
    };
    std::vector<Block> blocks_;
};

/// The values of each segment, in order.
using SolutionValues = std::vector<std::vector<std::uint32_t>>;

/// Returns the names of the encoding's segments, joined by '+', for example "permutation+bays". The names are those of
/// qapfw_component.encodings.
std::string encoding_pattern(const qapfw_encoding& encoding);

/// True if `pattern` is in the list `patterns`, for example "permutation permutation+bays". A null list has all
/// patterns.
bool accepts_encoding(const char* patterns, const std::string& pattern);

/// The defect of a problem's declared encoding; empty: none.
std::string encoding_defect(const qapfw_encoding& encoding);

/// The defect of a solution (no permutation, a bit that is neither 0 nor 1, a value not below its bound, wrong counts
/// of values, a changed fixed element); empty: none.
std::string solution_defect(const qapfw_encoding& encoding, const void* solution);

/// The values of a solution's segments; the inverse of store_values.
SolutionValues solution_values(const qapfw_encoding& encoding, const void* solution);

/// Fills a solution from the values of its segments, with zeros in the padding. Throws Error(kInput) if the number of
/// segments, or of a segment's elements, is wrong, or a value does not fit into its element's bytes.
void store_values(const qapfw_encoding& encoding, const SolutionValues& values, void* solution);
/// Returns a new buffer with the solution whose segments have these values. Throws like store_values().
SolutionBuffer solution_of(const qapfw_encoding& encoding, const SolutionValues& values);

/// Number of positions of segment 0 that are not fixed.
std::uint32_t free_count(const qapfw_encoding& encoding);
/// True if the encoding shows that there is only one solution: one permutation with at most one free position.
bool has_one_solution(const qapfw_encoding& encoding);

}  // namespace qapfw::framework
