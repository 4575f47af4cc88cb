// SPDX-License-Identifier: Apache-2.0
// Writes output files that the user names. Links are followed, because the user chose the name. A regular file is
// replaced as a whole. Any other file (a FIFO, a device, /dev/stdout) receives the bytes directly. "-" is standard
// output.
#pragma once

#include <string>
#include <string_view>

namespace qapfw::framework {

/// Writes the bytes to the file `name`, or to standard output if `name` is "-". Throws Error(kIo) with the file's name
/// and the system's reason.
void write_output(const std::string& name, std::string_view bytes);

}  // namespace qapfw::framework
