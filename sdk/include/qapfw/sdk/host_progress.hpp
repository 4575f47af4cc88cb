// SPDX-License-Identifier: Apache-2.0
// A solver's words on the progress line.
#pragma once

#include <string_view>

#include "qapfw/abi/host_progress.h"
#include "qapfw/sdk/host.hpp"

namespace qapfw::sdk {

/// Puts a few words on the progress line, where the host has one, until the next call. To be called while the solver
/// runs.
inline void say_progress(const Host& host, std::string_view text) {
    const qapfw_host& table = *host.get();
    if (table.get_capability == nullptr) return;
    const auto* progress =
        static_cast<const qapfw_host_progress*>(table.get_capability(table.context, QAPFW_HOST_PROGRESS));
    if (progress != nullptr) progress->say(progress->context, text.data(), text.size());
}

}  // namespace qapfw::sdk
