// SPDX-License-Identifier: Apache-2.0
// The working directory, which may have been deleted. Absolute paths work even then.
#pragma once

#include <filesystem>

namespace qapfw::framework {

/// The working directory; empty if it was deleted. A path below it then stays relative and is not found.
std::filesystem::path working_folder();

/// `path` as an absolute path. Throws Error(kIo) if it is relative and there is no working directory.
std::filesystem::path absolute_path(const std::filesystem::path& path);

}  // namespace qapfw::framework
