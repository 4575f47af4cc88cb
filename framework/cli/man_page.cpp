// SPDX-License-Identifier: Apache-2.0
// The man page, made from the command line's own description.
#include <fmt/format.h>

#include "framework/cli/command_description.hpp"

namespace qapfw::framework {
namespace {

/// Escapes a text, so that roff shows it literally.
std::string roff(const std::string& text) {
    std::string out;
    for (const char c : text) {
        if (c == '\\') {
            out += "\\e";
        } else if (c == '-') {
            out += "\\-";
        } else {
            out += c;
        }
    }
    // roff reads a line that begins with "." or "'" as a command.
    return out.starts_with('.') || out.starts_with('\'') ? "\\&" + out : out;
}

std::string synopsis(const CommandDescription& command) {
    std::string text = fmt::format("\\fB{}\\fR", roff(command.name));
    if (!command.commands.empty()) return text + " \\fICOMMAND\\fR";
    for (const OptionDescription& option : command.options) {
        if (!option.positional) continue;
        const std::string value = fmt::format("\\fI{}\\fR", roff(option.value));
        text += option.required ? " " + value : " [" + value + "]";
    }
    return text + " [\\fIOPTION\\fR...]";
}

std::string option_entry(const OptionDescription& option) {
    std::string names;
    for (const std::string& name : option.names) {
        names += fmt::format("{}\\fB{}\\fR", names.empty() ? "" : ", ", roff(option.positional ? option.value : name));
    }
    if (!option.positional && !option.value.empty()) names += fmt::format(" \\fI{}\\fR", roff(option.value));
    return fmt::format(".TP\n{}\n{}{}\n", names, roff(option.help),
                       option.choices.empty()
                           ? ""
                           : fmt::format(". One of: {}", roff(fmt::format("{}", fmt::join(option.choices, ", ")))));
}

std::string command_section(const CommandDescription& command) {
    std::string text = fmt::format(".SS {}\n{}\n.PP\n{}.\n", roff(command.name), synopsis(command), roff(command.help));
    for (const OptionDescription& option : command.options) text += option_entry(option);
    return text;
}

constexpr const char* kEnding = R"(.SH ENVIRONMENT
.TP
.B QAPFW_DATA
Folders with instances, separated by colons.
.TP
.B QAPFW_PLUGIN_PATH
Further folders with plugins, separated by colons.
.TP
.B XDG_DATA_HOME
The user's own plugins are looked for in \fIqapfw/plugins\-2\fR below it (default: \fI~/.local/share\fR).
.SH EXIT STATUS
0: success. 1: a defect of the program. 2: bad input. 3: a plugin failed. 4: no usable GPU. 5: out of memory.
6: something could not be read or written. 7: a reported cost is wrong. 8: a check found something wrong. 9: another process
works on the record. 10: runs of a study failed. 11: a process of the run was lost. 12: the solver, the improver or the
GPU does not take the problem's solutions. 128 and the signal's number: ended by a signal.
)";

}  // namespace

std::string man_page(const CommandDescription& program) {
    std::string text = fmt::format(
        ".\\\" Made by qapfw from its own description; do not edit.\n.TH QAPFW 1 \"\" \"qapfw {}\"\n", QAPFW_VERSION);
    text +=
        fmt::format(".SH NAME\nqapfw \\- {}\n.SH SYNOPSIS\n{}\n.SH OPTIONS\n", roff(program.help), synopsis(program));
    for (const OptionDescription& option : program.options) text += option_entry(option);
    text += ".SH COMMANDS\n";
    for (const CommandDescription* command : all_commands(program)) {
        if (command->commands.empty()) text += command_section(*command);
    }
    return text + kEnding;
}

}  // namespace qapfw::framework
