// SPDX-License-Identifier: Apache-2.0
// Assignments in the forms that people and other tools use.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "problems/gqap/instance.hpp"

namespace qapfw::gqap {

/// Reads an assignment in one of two forms. The first form is a list with the location of each item, numbered from 0.
/// The second form is lines "item,location", as in assignment.csv, with names or with numbers from 1. Throws
/// Error(kInput) with the reason if the text has neither form.
std::vector<std::uint32_t> read_assignment(std::string_view text, const Instance& instance);

}  // namespace qapfw::gqap
