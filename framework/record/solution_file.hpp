// SPDX-License-Identifier: Apache-2.0
// Files with the values of long solutions: "QAPFWSL1", the number of segments and their lengths (8 bytes each), then
// all values (4 bytes each), little-endian. The name contains the content's hash, so a file never changes.
#pragma once

#include <string>
#include <string_view>

#include "framework/record/result.hpp"

namespace qapfw::framework {

/// The bytes of a file with these values.
std::string solution_bytes(const SolutionValues& values);
/// The file's name for these bytes: "solution-0123456789abcdef.bin".
std::string solution_file_name(std::string_view bytes);
/// The values in the bytes. Throws Error(kInput), whose message begins with `name`, if the bytes are inconsistent or do
/// not fit the name.
SolutionValues parse_solution_bytes(std::string_view bytes, const std::string& name);
/// True if the name has the form that solution_file_name gives.
bool is_solution_file(const std::string& name);

/// Reads the values if the solution has them in a file.
void load_values(CostedSolution& solution, const ReadBeside& read);

}  // namespace qapfw::framework
