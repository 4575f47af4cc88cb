// SPDX-License-Identifier: Apache-2.0
// What a QAP has beside its two matrices: linear costs and forbidden pairs, from files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "problems/qap/instances/matrix_entry.hpp"

namespace qapfw::qap {

/// The cost of each facility at each location: one line for each facility, numbers separated by commas, semicolons,
/// tabs or blanks. Blank lines and lines that begin with # are skipped. Another shape is refused with its place.
NumberMatrix parse_linear(std::string_view text, const std::string& source, uint32_t facilities, uint32_t locations);
NumberMatrix read_linear_file(const std::filesystem::path& path, uint32_t facilities, uint32_t locations);

/// Pairs that are forbidden, as facilities x locations bytes. The text has either a line "facility,location" for each
/// pair, counted from 1, or a line of 0 and 1 for each facility, 1 where the location is forbidden. Separators and
/// comments are those of linear costs.
std::vector<uint8_t> parse_forbidden(std::string_view text, const std::string& source, uint32_t facilities,
                                     uint32_t locations);
std::vector<uint8_t> read_forbidden_file(const std::filesystem::path& path, uint32_t facilities, uint32_t locations);

}  // namespace qapfw::qap
