// SPDX-License-Identifier: Apache-2.0
// The folders in which instances are looked up by name.
#pragma once

#include <filesystem>
#include <vector>

namespace qapfw::framework {

/// `first`, then the folders of the environment variable QAPFW_DATA, as absolute paths: so a record means the same when
/// it is read elsewhere.
std::vector<std::filesystem::path> data_folders(std::vector<std::filesystem::path> first);

}  // namespace qapfw::framework
