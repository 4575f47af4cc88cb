// SPDX-License-Identifier: Apache-2.0
#include "framework/cli/exit_codes.hpp"

#include "framework/engine/incumbent.hpp"
#include "framework/host/failure.hpp"
#include "framework/processes/processes.hpp"
#include "framework/record/folder_lock.hpp"

namespace qapfw::framework {

ExitCode exit_code_of(ErrorKind kind) {
    switch (kind) {
        case ErrorKind::kUsage:
        case ErrorKind::kInput:
            return kBadInput;
        case ErrorKind::kPlugin:
            return kPluginError;
        case ErrorKind::kDevice:
            return kDeviceError;
        case ErrorKind::kMemory:
            return kOutOfMemory;
        case ErrorKind::kIo:
            return kOutputError;
        case ErrorKind::kUnsupported:
            return kUnsupported;
        case ErrorKind::kInternal:
            break;
    }
    return kInternalError;
}

int exit_code_of(const std::exception_ptr& failure) {
    try {
        std::rethrow_exception(failure);
    } catch (const EndedTogether& ended) {
        return ended.ending().code;
    } catch (const CostMismatch&) {
        return kCostMismatch;
    } catch (const FolderInUse&) {
        return kRecordInUse;
    } catch (...) {
        return exit_code_of(failure_of(failure).kind);
    }
}

}  // namespace qapfw::framework
