// SPDX-License-Identifier: Apache-2.0
// Whether a command works alone or shares its run with other processes, which a launcher such as mpirun started.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "framework/processes/processes.hpp"

namespace qapfw::framework {

/// The library that speaks MPI: that of QAPFW_MPI_COMPONENT, else the one that was installed or built with the program;
/// the empty path where there is none.
std::filesystem::path mpi_component();

/// `how`: "auto" (with others where a launcher started several), "mpi", "none" (alone in any case). Returns the
/// command's exit code; what the command throws is told once, by one of the processes. Throws Error where the processes
/// cannot find each other.
int run_in_processes(const std::string& how, const std::function<int(Processes* processes)>& command);

}  // namespace qapfw::framework
