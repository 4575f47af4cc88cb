// SPDX-License-Identifier: Apache-2.0
// A study as one file that can be put beside a paper: what it is, its report, and the records that all of it is made
// of.
#pragma once

#include <string>

#include "framework/laboratory/study/study_folder.hpp"

namespace qapfw::framework::laboratory {

/// Writes README.md into the study's folder: what is in it, and how to check and repeat it. Throws Error(kIo).
void write_archive_notes(const StudyFolder& folder, const Plan& plan, std::size_t done);

/// The folder as a compressed tar file, without what only this host's work needs (claims, the index, what was put
/// aside, older checkpoints). The same folder gives the same order of files. Throws Error(kIo) where there is no tar or
/// it fails.
std::string archive_of(const StudyFolder& folder);

}  // namespace qapfw::framework::laboratory
