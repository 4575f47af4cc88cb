// SPDX-License-Identifier: Apache-2.0
// The working directory, which may have been deleted. Absolute paths work even then.
#pragma once

#include <filesystem>

namespace qapfw::framework {

/// Returns the working directory, or an empty path if the directory was deleted. A path appended to the empty path
/// stays relative and names no existing file.
std::filesystem::path working_folder();

/// `path` as an absolute path. Throws Error(kIo) if it is relative and there is no working directory.
std::filesystem::path absolute_path(const std::filesystem::path& path);

}  // namespace qapfw::framework
