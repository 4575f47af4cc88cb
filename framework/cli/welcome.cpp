// SPDX-License-Identifier: Apache-2.0
// What `qapfw` alone prints.
#include <fmt/format.h>

#include "framework/cli/commands.hpp"
#include "framework/cli/exit_codes.hpp"
#include "framework/cli/installation.hpp"
#include "framework/cli/presentation.hpp"

#ifndef QAPFW_VERSION
#define QAPFW_VERSION "unknown"
#endif

namespace qapfw::framework {
namespace {

constexpr const char* kStart = R"(qapfw {}: metaheuristics for permutation problems, from plugins, on CPU and GPU

A first run, on an instance that needs no file:

  qapfw run quickstart

Your own quadratic assignment problem, a file in QAPLIB's format, for 30 seconds:

  qapfw run --set problem.plugin=qap --set problem.instance=FILE --set algorithm.plugin=tabu --time-limit 30s

Which problems and algorithms there are:

  qapfw plugin list

)";

}  // namespace

int command_welcome(const std::string& commands) {
    std::string text = fmt::format(kStart, QAPFW_VERSION) + commands;
    if (const auto documents = documents_folder(); !documents.empty())
        text += fmt::format("\nGuides: {}\n", documents.string());
    return print(text) ? kSuccess : kOutputError;
}

}  // namespace qapfw::framework
