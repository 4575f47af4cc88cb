// SPDX-License-Identifier: Apache-2.0
// The folders in which instances are searched by name.
#pragma once

#include <filesystem>
#include <vector>

namespace qapfw::framework {

/// Returns the folders `first`, then those of the environment variable QAPFW_DATA. All paths are made absolute, so that
/// a record stays valid in another working directory.
std::vector<std::filesystem::path> data_folders(std::vector<std::filesystem::path> first);

}  // namespace qapfw::framework
