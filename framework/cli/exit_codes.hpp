// SPDX-License-Identifier: Apache-2.0
// The exit code that stands for a failure.
#pragma once

#include <exception>

#include "framework/host/exit_code.hpp"
#include "qapfw/error.hpp"

namespace qapfw::framework {

ExitCode exit_code_of(ErrorKind kind);
/// The exit code for the exception with which a run failed.
int exit_code_of(const std::exception_ptr& failure);

}  // namespace qapfw::framework
