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
/// Returns the values that a solution file's bytes hold. `name`: the file's name, which includes a hash of the bytes.
/// Throws Error(kInput) if the bytes are inconsistent or have another hash. The message begins with `name`.
SolutionValues parse_solution_bytes(std::string_view bytes, const std::string& name);
/// True if the name has the form that solution_file_name gives.
bool is_solution_file(const std::string& name);

/// Reads the solution's values from its file. Does nothing if the solution has no file.
void load_values(CostedSolution& solution, const ReadBeside& read);

}  // namespace qapfw::framework
