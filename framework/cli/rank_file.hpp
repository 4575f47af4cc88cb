// SPDX-License-Identifier: Apache-2.0
// Files that tell a launcher on which host each rank runs. Such a file is made from an assignment to locations named
// "host", "host:slot" or "host:core:slot".
#pragma once

#include <string>
#include <vector>

#include "framework/problem/assignment.hpp"

namespace qapfw::framework {

/// The text of the rank file. If `file` ends in ".hosts", the text is Slurm's host file, with a line per rank (for srun
/// --distribution=arbitrary with SLURM_HOSTFILE). Otherwise it is Open MPI's rank file. Throws Error(kUsage) if
/// locations have no names or the assignment is empty.
std::string rank_file_text(const std::vector<AssignedPair>& assignment, const std::string& file);

}  // namespace qapfw::framework
