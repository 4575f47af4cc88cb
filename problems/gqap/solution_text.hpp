// SPDX-License-Identifier: Apache-2.0
// Assignments in the forms that people and other tools use.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "problems/gqap/instance.hpp"

namespace qapfw::gqap {

/// Reads an assignment: for each item the number of its location from 0, or lines "item,location" by name or number
/// from 1, as in assignment.csv. Throws Error(kInput) with the reason.
std::vector<std::uint32_t> read_assignment(std::string_view text, const Instance& instance);

}  // namespace qapfw::gqap
