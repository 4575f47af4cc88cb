// SPDX-License-Identifier: Apache-2.0
// The qapfw program. From here: cli/program.cpp reads the command line, cli/run_command.cpp prepares a run,
// engine/engine.cpp carries it out.
#include "framework/cli/program.hpp"
#include "framework/engine/gpu_preparation.hpp"

int main(int argc, char** argv) {
    const int code = qapfw::framework::run_program(argc, argv);
    qapfw::framework::leave_process(code);
    return code;
}
