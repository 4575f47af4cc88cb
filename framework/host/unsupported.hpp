// SPDX-License-Identifier: Apache-2.0
// A combination that does not work together: a plugin returned QAPFW_ERROR_UNSUPPORTED with a sentence, or says that it
// takes other solutions or another backend. Runs end with that sentence and an exit code of its own; `plugin check`
// counts the case as skipped.
#pragma once

#include "qapfw/error.hpp"

namespace qapfw::framework {

class Unsupported : public Error {
  public:
    explicit Unsupported(const std::string& sentence) : Error(ErrorKind::kUsage, sentence) {}
};

}  // namespace qapfw::framework
