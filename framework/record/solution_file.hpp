// SPDX-License-Identifier: Apache-2.0
// Files with the values of long solutions: "QAPFWSL1", the number of segments and the length of each (8 bytes each),
// then all values, 4 bytes each; little-endian. The name has the content's hash, so that a file never changes.
#pragma once

#include <string>
#include <string_view>

#include "framework/record/result.hpp"

namespace qapfw::framework {

/// The file's bytes.
std::string solution_bytes(const SolutionValues& values);
/// "solution-0123456789abcdef.bin" for these bytes.
std::string solution_file_name(std::string_view bytes);
/// The values back. Throws Error(kInput) that begins with the name where the bytes do not fit it or themselves.
SolutionValues parse_solution_bytes(std::string_view bytes, const std::string& name);
/// True if a file's name is that of such a file.
bool is_solution_file(const std::string& name);

/// Reads the values of a solution that has them in a file.
void load_values(CostedSolution& solution, const ReadBeside& read);

}  // namespace qapfw::framework
