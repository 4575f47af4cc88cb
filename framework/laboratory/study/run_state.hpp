// SPDX-License-Identifier: Apache-2.0
// Progress of a study's run, as its record and its file in failed/ say.
#pragma once

#include <optional>
#include <string>

#include "framework/laboratory/study/study_folder.hpp"
#include "framework/record/result.hpp"

namespace qapfw::framework::laboratory {

enum class StudyState {
    kMissing,     ///< there is no record
    kStarted,     ///< the record can be resumed
    kDone,        ///< the run is finished
    kFailed,      ///< the run ended with an error; --retry repeats it
    kUnreadable,  ///< the record is damaged, or another version of the program wrote it in another format
    kOtherData,   ///< the record belongs to an instance of the same name with other data than the plan's
};
const char* name_of(StudyState state);
/// True for states that are reported and need --retry.
bool is_trouble(StudyState state);

struct RunStatus {
    StudyState state = StudyState::kMissing;
    std::string reason;               ///< what the trouble is, if is_trouble(state); else empty
    std::optional<RunResult> result;  ///< result from the run's record; nothing if no record can be read
};
RunStatus status_of(const StudyFolder& folder, const RunKey& run);

/// Contents of failed/<run>.json.
struct RunFailure {
    int code = 0;
    int attempts = 1;
    std::string message;
};
void write_failure(const StudyFolder& folder, const RunKey& run, const RunFailure& failure);
std::optional<RunFailure> read_failure(const StudyFolder& folder, const RunKey& run);

}  // namespace qapfw::framework::laboratory
