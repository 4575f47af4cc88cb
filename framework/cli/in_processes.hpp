// SPDX-License-Identifier: Apache-2.0
// The processes of a command: it works alone, or splits its run with others that a launcher such as mpirun started.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "framework/processes/processes.hpp"

namespace qapfw::framework {

/// The library that speaks MPI: that of QAPFW_MPI_COMPONENT, else the one that was installed or built with the program;
/// the empty path where there is none.
std::filesystem::path mpi_component();

/// The processes that carry out a command together; most often this one alone.
class ProcessGroup {
  public:
    /// `how`: "auto" (with others where a launcher started several), "mpi", "none" (alone in any case). Throws Error
    /// where the processes cannot find each other.
    explicit ProcessGroup(const std::string& how);

    const std::shared_ptr<Processes>& get() const { return processes_; }
    bool leads() const { return processes_->leads(); }
    /// Before anything else is done together: each process begins to look after the others. Throws Error.
    void begin();
    /// To be called in a handler of an exception: one of the processes reports it. Returns its exit code. A process
    /// alone throws it again.
    int tell_failure();
    /// The end of the command in all processes; returns the exit code to end with.
    int leave(int code);

  private:
    std::shared_ptr<Processes> processes_;
};

}  // namespace qapfw::framework
