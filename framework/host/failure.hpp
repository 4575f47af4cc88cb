// SPDX-License-Identifier: Apache-2.0
// A failure as a message and a class, for any type of exception. Exceptions of the standard library come from limits
// and from folders that changed while the program ran. Such exceptions are no defects, and their own texts say too
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

/// The class of a system error: kMemory if a limit of threads, processes or memory was reached, else kIo.
ErrorKind kind_of(const std::error_code& code);

/// Advice about a system error, as the end of a sentence, beginning with ';'; empty: there is none.
std::string advice_for(const std::error_code& code);

}  // namespace qapfw::framework
