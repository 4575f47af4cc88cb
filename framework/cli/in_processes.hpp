// SPDX-License-Identifier: Apache-2.0
// The processes of a command. A command works alone, or splits its run with other processes that a launcher such as
// mpirun started.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "framework/processes/processes.hpp"

namespace qapfw::framework {

/// The library that speaks MPI: QAPFW_MPI_COMPONENT if set, else the one installed or built with the program. The empty
/// path if there is none. Throws Error(kPlugin) if the variable names a library that other users could have changed.
std::filesystem::path mpi_component();

/// The processes that carry out a command together; usually only this process.
class ProcessGroup {
  public:
    /// `how` says which processes work together. "auto": all processes of a launcher, if it started several. "mpi":
    /// always all processes of MPI. "none": this process always works alone. Throws Error if the processes cannot find
    /// each other.
    explicit ProcessGroup(const std::string& how);

    const std::shared_ptr<Processes>& get() const { return processes_; }
    bool leads() const { return processes_->leads(); }
    /// Lets the processes watch each other from now on. Call this function before the processes do other work together.
    /// Throws Error if QAPFW_PROCESS_SILENCE has a wrong value, or if the processes cannot exchange data.
    void begin();
    /// Call this function in an exception handler. It makes all processes end, and returns the exit code of the first
    /// failure among them. One process tells the user about that failure. A process that works alone rethrows the
    /// exception instead.
    int tell_failure();
    /// Ends the command in all processes together; returns `code`, or ends the process with it (see Processes::leave).
    int leave(int code);

  private:
    std::shared_ptr<Processes> processes_;
};

}  // namespace qapfw::framework
