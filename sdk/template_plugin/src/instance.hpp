// SPDX-License-Identifier: Apache-2.0
// An instance of the linear ordering problem: an n x n matrix of integers. The task is to find the order of the rows
// (and, at the same time, of the columns) with the largest sum above the diagonal. Source: Marti and Reinelt, "The
// Linear Ordering Problem", Springer 2011; file format of LOLIB.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace linear_ordering {

struct Instance {
    std::string name;
    std::uint32_t n = 0;
    std::vector<std::int32_t> matrix;  ///< row by row
};

/// Reads n and the n * n entries of `text`; `name` is for messages. Throws qapfw::Error.
Instance parse_instance(std::string_view text, const std::string& name);
Instance read_instance(const std::string& path);

/// Sum of matrix[order[i]][order[j]] over i < j. O(n^2).
std::int64_t value_of(const Instance& instance, const std::uint16_t* order);

/// Throws qapfw::Error unless `order` holds each of 0..n-1 once.
void check_order(const std::uint16_t* order, std::uint32_t n);

}  // namespace linear_ordering
