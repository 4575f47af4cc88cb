// SPDX-License-Identifier: Apache-2.0
// Data folders of a record's run.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace qapfw::framework {

/// Throws Error(kUsage) if the folder has no config.toml.
void require_record(const std::filesystem::path& folder);

/// Folders in which the record's run searched its instance. They are read from the record's result. If this fails, they
/// are read from its checkpoint, and at last from the records in its subfolders. Empty if none of these names folders.
/// Other code reports missing or damaged files.
std::vector<std::string> recorded_data_paths(const std::filesystem::path& folder);

}  // namespace qapfw::framework
