// SPDX-License-Identifier: Apache-2.0
// A study as one file to publish with a paper: a description, the report, and all records behind it.
#pragma once

#include <string>

#include "framework/laboratory/study/study_folder.hpp"

namespace qapfw::framework::laboratory {

/// Writes README.md into the study's folder: what the folder contains, and how to check and repeat the study. `done`:
/// number of finished runs. Throws Error(kIo).
void write_archive_notes(const StudyFolder& folder, const Plan& plan, std::size_t done);

/// Returns the folder as a compressed tar file, with the files sorted by name. Leaves out files that only this host's
/// work needs: claims, index, locks, set-aside records, older checkpoints. Throws Error(kIo) if tar is missing or
/// fails.
std::string archive_of(const StudyFolder& folder);

}  // namespace qapfw::framework::laboratory
