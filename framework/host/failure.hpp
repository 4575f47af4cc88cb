// SPDX-License-Identifier: Apache-2.0
// Turns an exception of any type into a message and a kind of error. Exceptions of the system (memory, files, threads)
// come from limits and from folders that changed while the program ran. Such exceptions are no defects of the program,
// and their own texts say too little.
#pragma once

#include <exception>
#include <string>
#include <system_error>

#include "qapfw/error.hpp"

namespace qapfw::framework {

struct Failure {
    ErrorKind kind = ErrorKind::kInternal;
    std::string text;  ///< one sentence
};

/// The message and kind of the exception; kInternal for exceptions that are a defect of the program.
Failure failure_of(const std::exception_ptr& exception);

/// The kind of a system error: kMemory if a limit of threads, processes or memory was reached, else kIo.
ErrorKind kind_of(const std::error_code& code);

/// Advice about a system error, to be appended to its message: begins with "; ". Empty if there is no advice.
std::string advice_for(const std::error_code& code);

}  // namespace qapfw::framework
