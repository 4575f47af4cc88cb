// SPDX-License-Identifier: Apache-2.0
// study.sqlite: the records of a study as tables for queries. It holds nothing that the records do not; a file that is
// missing, damaged or of another version is made again. docs/guides/studies.md documents the tables.
#pragma once

#include <string>
#include <vector>

#include "framework/laboratory/study/run_row.hpp"
#include "framework/laboratory/study/run_state.hpp"

namespace qapfw::framework::laboratory {

/// A run that is in the plan and not in the rows, and why.
struct OpenRun {
    RunKey run;
    StudyState state = StudyState::kMissing;
    std::string reason;
};

struct IndexedStudy {
    std::vector<RunRow> rows;  ///< of finished runs, in the plan's order
    std::vector<OpenRun> open;
    std::size_t read = 0;  ///< records that were read again
};

/// Brings the index up to date with the records and reads it.
IndexedStudy index_study(const Plan& plan, const StudyFolder& folder);

}  // namespace qapfw::framework::laboratory
