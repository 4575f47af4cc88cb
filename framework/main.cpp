// SPDX-License-Identifier: Apache-2.0
// The qapfw program. From here: cli/program.cpp reads the command line, cli/run_command.cpp prepares a run,
// engine/engine.cpp carries it out.
#include "framework/cli/program.hpp"

int main(int argc, char** argv) {
    return qapfw::framework::run_program(argc, argv);
}
