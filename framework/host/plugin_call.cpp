// SPDX-License-Identifier: Apache-2.0
#include "framework/host/plugin_call.hpp"

#include <fmt/core.h>

namespace qapfw::framework {
namespace {

ErrorKind kind_of_status(qapfw_status status) {
    switch (status) {
        case QAPFW_ERROR_INPUT:
            return ErrorKind::kInput;
        case QAPFW_ERROR_UNSUPPORTED:
            return ErrorKind::kUnsupported;
        case QAPFW_ERROR_MEMORY:
            return ErrorKind::kMemory;
        case QAPFW_ERROR_DEVICE:
            return ErrorKind::kDevice;
        default:
            return ErrorKind::kPlugin;
    }
}

}  // namespace

void throw_status(qapfw_status status, const std::string& owner, const char* action) {
    const std::string sentence = take_last_error();
    if (sentence.empty()) {
        throw Error(kind_of_status(status),
                    fmt::format("{}: {} failed with status {} and no message", owner, action, status));
    }
    throw Error(kind_of_status(status), owner + ": " + sentence);
}

qapfw_status status_of(ErrorKind kind) {
    switch (kind) {
        case ErrorKind::kInput:
            return QAPFW_ERROR_INPUT;
        case ErrorKind::kUnsupported:
            return QAPFW_ERROR_UNSUPPORTED;
        case ErrorKind::kMemory:
            return QAPFW_ERROR_MEMORY;
        case ErrorKind::kDevice:
            return QAPFW_ERROR_DEVICE;
        default:
            return QAPFW_ERROR;
    }
}

}  // namespace qapfw::framework
