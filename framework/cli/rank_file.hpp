// SPDX-License-Identifier: Apache-2.0
// Files that tell a launcher where each rank runs, of an assignment whose locations are named "host:slot" or "host".
#pragma once

#include <string>
#include <vector>

#include "framework/problem/assignment.hpp"

namespace qapfw::framework {

/// For a name that ends in ".hosts" Slurm's host file, a line for each rank (srun --distribution=arbitrary with
/// SLURM_HOSTFILE); else Open MPI's rank file. Throws Error(kUsage) where locations have no names.
std::string rank_file_text(const std::vector<AssignedPair>& assignment, const std::string& file);

}  // namespace qapfw::framework
