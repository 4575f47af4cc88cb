// SPDX-License-Identifier: Apache-2.0
// The command line of the program.
#pragma once

#include <functional>
#include <memory>

namespace qapfw::framework {

/// The work of one command line; returns the exit code.
using Command = std::function<int()>;

class CommandLine {
  public:
    CommandLine();
    ~CommandLine();
    CommandLine(const CommandLine&) = delete;
    CommandLine& operator=(const CommandLine&) = delete;

    /// Returns the command that the words ask for. This object must outlive the command. If the words are wrong or ask
    /// for help, prints the message or the help at once, and returns a command that only returns the exit code.
    Command command(int argc, char** argv);

  private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

/// Prints the message of the caught exception and returns its exit code. Call this function in an exception handler.
int tell_failure();

}  // namespace qapfw::framework
