// SPDX-License-Identifier: Apache-2.0
// Checks result.json for consistency, and against the configuration beside it.
#pragma once

#include <string>
#include <vector>

#include "framework/laboratory/verify/record_checks.hpp"

namespace qapfw::framework::laboratory {

/// The defects of the result, a message each.
std::vector<std::string> result_defects(const RunFiles& run, const RunTruth& truth);

}  // namespace qapfw::framework::laboratory
