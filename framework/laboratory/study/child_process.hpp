// SPDX-License-Identifier: Apache-2.0
// One run as a process of its own: a plugin that crashes takes nothing with it. It dies with this process, so that a
// run whose claim is taken over is not worked on twice.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

namespace qapfw::framework::laboratory {

class ChildProcess {
  public:
    /// Starts this program with the arguments; what it says goes to `said`. Throws Error(kIo).
    ChildProcess(const std::vector<std::string>& arguments, const std::filesystem::path& said);
    ChildProcess(ChildProcess&& other) noexcept;
    ChildProcess& operator=(ChildProcess&&) = delete;
    /// Kills it where it still runs.
    ~ChildProcess();

    /// The exit code, or 128 + the signal that ended it; none while it runs.
    std::optional<int> ended();
    void send(int signal) const;

  private:
    pid_t process_ = -1;
};

/// The program that this process runs.
std::filesystem::path this_program();

/// The last line that is not empty, without the program's name before it.
std::string last_line(const std::filesystem::path& file);

}  // namespace qapfw::framework::laboratory
