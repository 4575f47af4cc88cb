// SPDX-License-Identifier: Apache-2.0
// Data folders of a record's run.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace qapfw::framework {

/// Throws Error(kUsage) if the folder has no config.toml.
void require_record(const std::filesystem::path& folder);

/// Folders in which the record's run searched its instance: from its result, otherwise from its checkpoint, otherwise
/// from the runs below it. Empty if all of these are missing or damaged; other code reports that.
std::vector<std::string> recorded_data_paths(const std::filesystem::path& folder);

}  // namespace qapfw::framework
