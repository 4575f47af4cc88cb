// SPDX-License-Identifier: Apache-2.0
// Declining a problem: a solver or an improver that cannot work on some solutions says so in its constructor.
//
//     if (context.problem.encoding().fixed != nullptr)
//         sdk::refuse_unsupported(context.host, "solver mine takes no fixed positions; leave problem.fixed out");
#pragma once

#include <string_view>

#include "qapfw/sdk/host.hpp"

namespace qapfw::sdk {

/// Ends the call that is under way with QAPFW_ERROR_UNSUPPORTED. A run ends with the sentence, `plugin check` skips the
/// case. Throws StatusError, always.
[[noreturn]] inline void refuse_unsupported(const Host& host, std::string_view sentence) {
    host.get()->set_error(host.get()->context, sentence.data(), sentence.size());
    throw StatusError(QAPFW_ERROR_UNSUPPORTED, "unsupported");
}

}  // namespace qapfw::sdk
