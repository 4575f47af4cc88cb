// SPDX-License-Identifier: Apache-2.0
// Exit codes of the program; docs/exit-codes.md is the table for users.
#pragma once

namespace qapfw::framework {

enum ExitCode : int {
    kSuccess = 0,        ///< also if a target was not reached
    kInternalError = 1,  ///< a defect of this program
    kBadInput = 2,       ///< error in the command line, configuration, instance or solution
    kPluginError = 3,    ///< a plugin could not be loaded, failed or broke its contract
    kDeviceError = 4,    ///< no usable GPU, or the GPU failed
    kOutOfMemory = 5,
    kOutputError = 6,   ///< a file, folder or standard output could not be read or written
    kCostMismatch = 7,  ///< a reported cost is not what the problem computes
    kCheckFailed = 8,   ///< `verify` or `plugin check` found a fault
    kRecordInUse = 9,   ///< another process works on the record
    kRunsFailed = 10,   ///< some runs of a study failed, its other runs are done
    kProcessLost = 11,  ///< a process of the run is gone or stands still
    kUnsupported = 12,  ///< a solver, an improver or a device does not support the problem's solutions
    /// A run that a signal ended exits with this code plus the signal's number: 130 for SIGINT, 143 for SIGTERM, 138
    /// for SIGUSR1.
    kSignalBase = 128,
};

}  // namespace qapfw::framework
