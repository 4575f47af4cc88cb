// SPDX-License-Identifier: Apache-2.0
// The text that `qapfw` without arguments prints.
#include <fmt/format.h>

#include "framework/cli/commands.hpp"
#include "framework/cli/exit_codes.hpp"
#include "framework/cli/installation.hpp"
#include "framework/cli/presentation.hpp"

namespace qapfw::framework {
namespace {

constexpr const char* kStart = R"(qapfw {}: metaheuristics for permutation problems, from plugins, on CPU and GPU

Solve an instance for a minute. FILE is a file, or the name of a known instance such as tai60a:

  qapfw solve FILE --time 60s

Run a configuration, which chooses algorithm, limits and output:

  qapfw run quickstart

See which problems and algorithms there are:

  qapfw plugin list

qapfw --help lists all commands, qapfw COMMAND --help the options of one.
)";

}  // namespace

int command_welcome() {
    std::string text = fmt::format(kStart, QAPFW_VERSION);
    if (const auto documents = documents_folder(); !documents.empty())
        text += fmt::format("\nGuides: {}/guides\n", documents.string());
    return print(text) ? kSuccess : kOutputError;
}

}  // namespace qapfw::framework
