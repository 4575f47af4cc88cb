// SPDX-License-Identifier: Apache-2.0
// Exit codes of the program; docs/exit-codes.md is the table for users.
#pragma once

namespace qapfw::framework {

enum ExitCode : int {
    kSuccess = 0,        ///< also when a target was not reached
    kInternalError = 1,  ///< a defect of this program
    kBadInput = 2,       ///< command line, configuration, instance or solution
    kPluginError = 3,    ///< a plugin could not be loaded, failed or broke its contract
    kDeviceError = 4,    ///< no usable GPU, or the GPU failed
    kOutOfMemory = 5,
    kOutputError = 6,   ///< the answer was shown, but something could not be written
    kCostMismatch = 7,  ///< a reported cost is not what the problem computes
    kCheckFailed = 8,   ///< verify or plugin check found something wrong
    kRecordInUse = 9,   ///< another process works on the record
    kRunsFailed = 10,   ///< runs of a study failed, the others are done
    kProcessLost = 11,  ///< a process that shares the run is gone or stands still
    kUnsupported = 12,  ///< a solver, an improver or a device does not take the problem's solutions
    kSignalBase = 128,  ///< + the signal that ended the run: 130 for SIGINT, 143 for SIGTERM, 138 for SIGUSR1
};

}  // namespace qapfw::framework
