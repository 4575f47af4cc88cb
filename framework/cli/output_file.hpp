// SPDX-License-Identifier: Apache-2.0
// Files that the user names on the command line for something to be written into. Links are followed, since the name is
// the user's. A regular file is replaced as a whole; into anything else (a FIFO, a device, /dev/stdout) the bytes are
// written; "-" is standard output.
#pragma once

#include <string>
#include <string_view>

namespace qapfw::framework {

/// Throws Error(kIo) that names the file and the system's reason.
void write_output(const std::string& name, std::string_view bytes);

}  // namespace qapfw::framework
