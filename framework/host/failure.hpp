// SPDX-License-Identifier: Apache-2.0
// A failure as a sentence and a class, whatever the type of the exception. Exceptions of the standard library
// come from limits and from folders that changed under the program: they are no defects, and their own texts say too
// little.
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

Failure failure_of(const std::exception_ptr& exception);

/// The class of an error of the system: kMemory where a limit of threads, processes or memory was met, else kIo.
ErrorKind kind_of(const std::error_code& code);

/// Advice about an error of the system, as the end of a sentence that begins with ';'; empty: nothing is known.
std::string advice_for(const std::error_code& code);

}  // namespace qapfw::framework
