// SPDX-License-Identifier: Apache-2.0
// Figures of all GPUs of a run, those of other processes included.
#pragma once

#include <cstdint>

#include "qapfw/abi/host_all_gpus.h"
#include "qapfw/sdk/host.hpp"

namespace qapfw::sdk {

/// The sum of `own`, a figure of this process' GPUs (0 where it has none), over the processes that share the run; so
/// several processes with a GPU each choose as one with all of them. To be called by all of them, while the solver is
/// made. Throws StatusError where the processes cannot agree.
inline std::uint64_t sum_over_gpus(const Host& host, std::uint64_t own) {
    const qapfw_host& table = *host.get();
    if (table.get_capability == nullptr) return own;
    const auto* gpus =
        static_cast<const qapfw_host_all_gpus*>(table.get_capability(table.context, QAPFW_HOST_ALL_GPUS));
    std::uint64_t all = own;
    if (gpus != nullptr) check(gpus->sum(gpus->context, own, &all), "the GPUs of all processes");
    return all;
}

}  // namespace qapfw::sdk
