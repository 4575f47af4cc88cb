// SPDX-License-Identifier: Apache-2.0
// Communication between processes before a run: the leading process informs the others, and all compare what must be
// equal.
#pragma once

#include <string>

#include "framework/engine/run/seed_run.hpp"

namespace qapfw::framework {

/// Gives every process the state of an earlier session, which only the leading process has read from the record. All
/// processes call this together.
EarlierSession share_earlier_session(Processes& processes, EarlierSession read);

/// All processes call this together. Throws Error(kUsage) if a process has other plugins, data or parameters than the
/// leading process.
void check_same_on_all(Processes& processes, const RunIdentity& identity, const std::string& trajectory);

}  // namespace qapfw::framework
