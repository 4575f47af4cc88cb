// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace qapfw::framework {

/// The whole program: reads the command line, runs the command, turns every error into a sentence and an exit code.
int run_program(int argc, char** argv);

}  // namespace qapfw::framework
