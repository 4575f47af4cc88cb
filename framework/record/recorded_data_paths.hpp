// SPDX-License-Identifier: Apache-2.0
// Data folders of a record's run.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace qapfw::framework {

/// Throws Error(kUsage) if the folder has no config.toml.
void require_record(const std::filesystem::path& folder);

/// Folders in which the record's run looked for its instance. They are read from the record's result, or from its
/// checkpoint if the result cannot be read. If these files name no folders, the folders are read from the records in
/// the subfolders. Empty if none of these names folders. Other code reports missing or damaged files.
std::vector<std::string> recorded_data_paths(const std::filesystem::path& folder);

}  // namespace qapfw::framework
