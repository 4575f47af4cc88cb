// SPDX-License-Identifier: Apache-2.0
// One run as a process of its own, so that a crashing plugin harms no other run. If the parent process dies, the system
// kills this child. So when another process takes over the claim on the run, the child no longer works on the run.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

namespace qapfw::framework::laboratory {

class ChildProcess {
  public:
    /// Starts this program with the arguments as a child process, whose standard error goes to the file `said`. Throws
    /// Error(kIo) if that file cannot be written or the process cannot start.
    ChildProcess(const std::vector<std::string>& arguments, const std::filesystem::path& said);
    ChildProcess(ChildProcess&& other) noexcept;
    ChildProcess& operator=(ChildProcess&&) = delete;
    /// Kills the process if it still runs.
    ~ChildProcess();

    /// The exit code, or 128 + the signal that ended it; nothing while the process runs; 127 if its end is unknown.
    std::optional<int> ended();
    void send(int signal) const;

  private:
    pid_t process_ = -1;
};

/// The program that this process runs.
std::filesystem::path this_program();

/// The file's last line that is not blank, without the program's name at its start. Empty if the file cannot be read.
std::string last_line(const std::filesystem::path& file);

}  // namespace qapfw::framework::laboratory
