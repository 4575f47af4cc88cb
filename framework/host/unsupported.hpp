// SPDX-License-Identifier: Apache-2.0
// A plugin that declines: it returned QAPFW_ERROR_UNSUPPORTED with a sentence. Runs end with that sentence as with
// other bad input; `plugin check` counts the case as skipped.
#pragma once

#include "qapfw/error.hpp"

namespace qapfw::framework {

class Unsupported : public Error {
  public:
    explicit Unsupported(const std::string& sentence) : Error(ErrorKind::kUsage, sentence) {}
};

}  // namespace qapfw::framework
