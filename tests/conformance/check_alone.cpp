// SPDX-License-Identifier: Apache-2.0
// A program with a single command: `qapfw plugin check FILE [--seconds N]`. The thread sanitizer's tests need no
// other command. Without the laboratory, statistics and the other commands, the build for these tests takes a sixth
// less time.
#include <cstdlib>
#include <exception>
#include <string_view>

#include "framework/cli/commands.hpp"
#include "framework/cli/exit_codes.hpp"
#include "framework/cli/program.hpp"
#include "framework/host/console.hpp"
#include "framework/host/failure.hpp"
#include "qapfw/error.hpp"

namespace qapfw::framework {

struct CommandLine::Parts {
    CheckOptions check;
};

CommandLine::CommandLine() : parts_(std::make_unique<Parts>()) {}
CommandLine::~CommandLine() = default;

Command CommandLine::command(int argc, char** argv) {
    const auto word = [&](int k) { return std::string_view(k < argc ? argv[k] : ""); };
    const bool limited = argc == 6 && word(4) == "--seconds";
    if (word(1) != "plugin" || word(2) != "check" || (argc != 4 && !limited)) {
        throw Error(ErrorKind::kUsage,
                    "this program knows only `plugin check FILE [--seconds N]`; build the preset asan "
                    "or release for other commands");
    }
    parts_->check.library = argv[3];
    if (limited) parts_->check.seconds = static_cast<std::uint32_t>(std::strtoul(argv[5], nullptr, 10));
    return [this] { return command_plugin_check(parts_->check); };
}

int tell_failure() {
    const std::exception_ptr failure = std::current_exception();
    console_line("qapfw: " + failure_of(failure).text);
    return exit_code_of(failure);
}

}  // namespace qapfw::framework
