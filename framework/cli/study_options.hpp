// SPDX-License-Identifier: Apache-2.0
// The options of `qapfw study` and `qapfw report`.
#pragma once

#include "framework/cli/option_groups.hpp"

namespace qapfw::framework {

void add_study_commands(CLI::App& app, StudyOptions& options, Command& chosen);
void add_report_command(CLI::App& app, ReportOptions& options, Command& chosen);

}  // namespace qapfw::framework
