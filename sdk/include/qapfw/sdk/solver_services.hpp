// SPDX-License-Identifier: Apache-2.0
// Services of the host for solvers only: improvers of their own choice, text on the progress line, sums over all GPUs
// of a run. A host may lack any of them.
#pragma once

#include <string>
#include <string_view>

#include "qapfw/abi/solver.h"
#include "qapfw/sdk/host.hpp"

namespace qapfw::sdk {

/// Finds and makes the improvers that a solver chooses itself, in addition to the configured one. Use it on the main
/// thread while the solver is made.
class HostImprovers {
  public:
    /// `host` must outlive this object.
    explicit HostImprovers(const Host& host) : table_(host.service<qapfw_host_improvers>(QAPFW_HOST_IMPROVERS)) {}

    /// True if the improver is loaded and supports the run's problem and backend.
    bool has(const std::string& id) const { return table_ != nullptr && table_->has(table_->context, id.c_str()) != 0; }
    /// Makes the improver `id`. `settings`: "key=value" texts separated by blanks. `place`: the origin of the settings,
    /// for messages. The improver lives as long as the solver. Throws if no such improver exists, or if it refuses a
    /// setting.
    const qapfw_improver_ref* make(const std::string& id, const std::string& settings, const std::string& place) const {
        if (table_ == nullptr) throw Error(ErrorKind::kUsage, place + ": this host offers no improvers");
        const qapfw_improver_ref* made = nullptr;
        check(table_->make(table_->context, id.c_str(), settings.c_str(), place.c_str(), &made), "improvers: make");
        return made;
    }

  private:
    const qapfw_host_improvers* table_;
};

/// Shows a short text on the progress line until the next call. Does nothing if the host has no progress line. Call it
/// while the solver runs.
inline void say_progress(const Host& host, std::string_view text) {
    const auto* progress = host.service<qapfw_host_progress>(QAPFW_HOST_PROGRESS);
    if (progress != nullptr) progress->say(progress->context, text.data(), text.size());
}

/// Returns the sum of `own` over all processes of the run. `own`: a number about this process's GPUs, such as how many
/// searches they run at the same time; 0 without GPUs. A GPU that several processes use counts once. A solver that
/// chooses sizes by the sum chooses the same sizes for one process with several GPUs and for several processes with one
/// GPU each. All processes must call this function while the solver is made. Throws StatusError on failure.
inline std::uint64_t sum_over_gpus(const Host& host, std::uint64_t own) {
    const auto* gpus = host.service<qapfw_host_all_gpus>(QAPFW_HOST_ALL_GPUS);
    std::uint64_t all = own;
    if (gpus != nullptr) check(gpus->sum(gpus->context, own, &all), "sum over the GPUs of all processes");
    return all;
}

}  // namespace qapfw::sdk
