// SPDX-License-Identifier: Apache-2.0
// The improvers that a solver chooses itself, beside the one of the configuration.
#pragma once

#include <string>

#include "qapfw/abi/host_improvers.h"
#include "qapfw/sdk/host.hpp"

namespace qapfw::sdk {

/// Finds and makes improvers. To be used on the main thread while the solver is made. A host that offers no improvers
/// has none.
class HostImprovers {
  public:
    /// `host` must outlive this object.
    explicit HostImprovers(const Host& host)
        : table_(static_cast<const qapfw_host_improvers*>(
              host.get()->get_capability == nullptr
                  ? nullptr
                  : host.get()->get_capability(host.get()->context, QAPFW_HOST_IMPROVERS))) {}

    /// Whether the improver is loaded and works on the run's problem and backend.
    bool has(const std::string& id) const { return table_ != nullptr && table_->has(table_->context, id.c_str()) != 0; }
    /// `settings`: "key=value" texts apart by blanks. `place`: where they stand, for messages. It lives as long as the
    /// solver. Throws where there is no such improver or it refuses a setting.
    const qapfw_improver_ref* make(const std::string& id, const std::string& settings, const std::string& place) const {
        if (table_ == nullptr) throw Error(ErrorKind::kUsage, place + ": this host offers no improvers");
        const qapfw_improver_ref* made = nullptr;
        check(table_->make(table_->context, id.c_str(), settings.c_str(), place.c_str(), &made), "improvers: make");
        return made;
    }

  private:
    const qapfw_host_improvers* table_;
};

}  // namespace qapfw::sdk
