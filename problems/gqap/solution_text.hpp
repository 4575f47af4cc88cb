// SPDX-License-Identifier: Apache-2.0
// Assignments as people and other tools keep them.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "problems/gqap/instance.hpp"

namespace qapfw::gqap {

/// Reads a location's number from 0 for each item, or lines "item,location" by name or number from 1, as assignment.csv
/// has them. Throws Error(kInput) that says what is wrong.
std::vector<std::uint32_t> read_assignment(std::string_view text, const Instance& instance);

}  // namespace qapfw::gqap
