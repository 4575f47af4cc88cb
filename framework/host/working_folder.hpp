// SPDX-License-Identifier: Apache-2.0
// The working directory, which may have been deleted. Absolute paths work all the same.
#pragma once

#include <filesystem>

namespace qapfw::framework {

/// The working directory; empty where there is none any more, so that a path below it stays relative and is not found.
std::filesystem::path working_folder();

/// `path` as an absolute one. Throws Error(kIo) where it is relative and there is no working directory.
std::filesystem::path absolute_path(const std::filesystem::path& path);

}  // namespace qapfw::framework
