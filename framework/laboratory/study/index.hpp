// SPDX-License-Identifier: Apache-2.0
// study.sqlite: the records of a study as tables for queries. The file holds only data of the records. If the file is
// missing, damaged or of another version, it is made again. docs/guides/studies.md documents the tables.
#pragma once

#include <string>
#include <vector>

#include "framework/laboratory/study/run_row.hpp"
#include "framework/laboratory/study/run_state.hpp"

namespace qapfw::framework::laboratory {

/// A run of the plan that is not finished. If it failed or its record cannot be used, `reason` says why.
struct OpenRun {
    RunKey run;
    StudyState state = StudyState::kMissing;
    std::string reason;
};

struct IndexedStudy {
    std::vector<RunRow> rows;  ///< finished runs in the plan's order
    std::vector<OpenRun> open;
    std::size_t read = 0;  ///< number of records that were read because they were new or changed
};

/// Updates the index from the records and reads it.
IndexedStudy index_study(const Plan& plan, const StudyFolder& folder);

}  // namespace qapfw::framework::laboratory
