// SPDX-License-Identifier: Apache-2.0
// Data folders of a record's run.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace qapfw::framework {

/// Throws Error(kUsage) for a folder that holds no config.toml.
void require_record(const std::filesystem::path& folder);

/// Folders in which the instance of a record was looked for: those of its result, else of its checkpoint, else of the
/// runs below it; none where all of these are missing or damaged, which is reported elsewhere.
std::vector<std::string> recorded_data_paths(const std::filesystem::path& folder);

}  // namespace qapfw::framework
