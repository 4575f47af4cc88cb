// SPDX-License-Identifier: Apache-2.0
// The exchange between processes before a run: the one that leads tells the others, and all compare what must be equal.
#pragma once

#include <string>

#include "framework/engine/run/seed_run.hpp"

namespace qapfw::framework {

/// Together: what an earlier session left behind in the record, which the process that leads alone has read.
EarlierSession share_earlier_session(Processes& processes, EarlierSession read);

/// Together. Throws Error(kUsage) where a process works with other plugins, data or parameters than the one that leads.
void check_same_on_all(Processes& processes, const RunIdentity& identity, const std::string& trajectory);

}  // namespace qapfw::framework
