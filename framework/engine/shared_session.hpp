// SPDX-License-Identifier: Apache-2.0
// Communication between processes before a run: the leading process informs the others, and all compare what must be
// equal.
#pragma once

#include <string>

#include "framework/engine/run/seed_run.hpp"

namespace qapfw::framework {

/// What an earlier session left in the record. Only the leading process has read it. All processes call it together.
EarlierSession share_earlier_session(Processes& processes, EarlierSession read);

/// All processes call it together. Throws Error(kUsage) if a process has other plugins, data or parameters than the
/// leading one.
void check_same_on_all(Processes& processes, const RunIdentity& identity, const std::string& trajectory);

}  // namespace qapfw::framework
